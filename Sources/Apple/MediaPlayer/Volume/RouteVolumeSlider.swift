import Playback
import TuttiViews

/// The slider of a volume view: the volume of the selected outputs, 0 ... 1.
///
/// With several outputs the slider shows the loudest output and scales all outputs in proportion.
final class RouteVolumeSlider: UISlider {
    var routes: (any RouteChoosing)?
    private var isShowing = false

    /// Shows the outputs' volumes without setting them.
    func show(_ options: [RouteOption]) {
        let volumes = options.filter(\.isSelected).compactMap(\.volume)
        isEnabled = !volumes.isEmpty
        isShowing = true
        defer { isShowing = false }
        guard let loudest = volumes.max() else { return }
        value = Float(loudest / 100)
    }

    /// The slider's value, 0 ... 1; setting the value sets the outputs' volume.
    override var value: Float {
        get { super.value }
        set {
            super.value = newValue
            if !isShowing { apply(Double(super.value) * 100) }
        }
    }

    private func apply(_ percent: Double) {
        guard let routes else { return }
        let playing = routes.options.filter { $0.isSelected && $0.volume != nil }
        let loudest = playing.compactMap(\.volume).max() ?? 0
        for route in playing {
            // From silence there is no proportion: set all outputs to the same volume.
            let share = loudest > 0 ? (route.volume ?? 0) / loudest : 1
            routes.setVolume(percent * share, of: route.id)
        }
    }
}
