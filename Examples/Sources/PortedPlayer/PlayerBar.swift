import AVKit
import MediaPlayer

/// The bar with the buttons of an app's player screen, the same file on iOS and on Linux.
final class PlayerBar: UIView {
    let playButton = UIButton(frame: CGRect(x: 0, y: 0, width: 44, height: 44))
    let routeButton = AVRoutePickerView(frame: CGRect(x: 44, y: 0, width: 44, height: 44))
    let volume = MPVolumeView(frame: CGRect(x: 88, y: 0, width: 200, height: 44))

    init(_ model: PlayerModel) {
        super.init(frame: CGRect(x: 0, y: 0, width: 288, height: 44))
        playButton.addAction(UIAction { _ in model.toggle() }, for: .touchUpInside)
        volume.showsVolumeSlider = true
        for view in [playButton, routeButton, volume] { addSubview(view) }
    }

    required init?(coder: NSCoder) { nil }
}
