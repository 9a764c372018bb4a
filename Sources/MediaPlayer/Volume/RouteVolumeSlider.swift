import Playback
import Views

/// The slider of a volume view: 0 ... 1, the volume of the outputs that play.
///
/// With several it shows the loudest, and moves all of them in the same proportion.
final class RouteVolumeSlider: UISlider {
    var routes: (any RouteChoosing)?
    private var isShowing = false

    /// Shows what the outputs say; sends nothing back.
    func show(_ options: [RouteOption]) {
        let volumes = options.filter(\.isSelected).compactMap(\.volume)
        isEnabled = !volumes.isEmpty
        isShowing = true
        defer { isShowing = false }
        guard let loudest = volumes.max() else { return }
        value = Float(loudest / 100)
    }

    /// Setting it, by a finger or in code, sets the volume.
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
            // From silence there is no proportion: all get the same.
            let share = loudest > 0 ? (route.volume ?? 0) / loudest : 1
            routes.setVolume(percent * share, of: route.id)
        }
    }
}
