import CoreMedia
import Foundation
import Playback
import Synchronization
import TuttiKeyValueObserving

/// A layer that shows the pictures of a player's current item, in step with its sound.
///
/// The layer decodes while it has a ``tuttiFrameSink``, which shows the pictures inside ``CALayer/frame``. Callable from any
/// thread.
open class AVPlayerLayer: CALayer, @unchecked Sendable {
    // Safe to share: every stored property is immutable and Sendable, or has a lock.

    private struct Settings {
        var player: AVPlayer?
        var tokens: [NSKeyValueObservation] = []
        var attributes: PixelAttributes?
    }

    private let settings = Mutex(Settings())
    private let observations = PropertyObservations()
    private let isReady: ObservedValue<Bool>
    private let presenter: PicturePresenter

    /// Creates a layer without a player.
    public override init() {
        let isReady = ObservedValue(false, "isReadyForDisplay", in: observations)
        self.isReady = isReady
        presenter = PicturePresenter { isReady.update($0) }
        super.init()
    }

    /// Creates a layer of a player.
    public convenience init(player: AVPlayer?) {
        self.init()
        self.player = player
    }

    /// The player whose current item is shown; held strongly.
    open var player: AVPlayer? {
        get { settings.withLock { $0.player } }
        set {
            let old = settings.withLock { settings in
                defer { (settings.player, settings.tokens) = (newValue, []) }
                return settings.tokens
            }
            for token in old { token.invalidate() }
            let tokens = newValue.map { watch($0) } ?? []
            settings.withLock { $0.tokens = tokens }
            follow(newValue)
            followDisplayNeed(of: newValue)
        }
    }

    private func watch(_ player: AVPlayer) -> [NSKeyValueObservation] {
        let item = player.observe(\.currentItem) { [weak self] player, _ in self?.follow(player) }
        let need = player.observe(\.needsDisplayAwake) { [weak self] player, _ in
            self?.followDisplayNeed(of: player)
        }
        return [item, need]
    }

    /// Shows the pictures of a player's current item. Another thread may change it meanwhile, and be followed first.
    private func follow(_ player: AVPlayer?) {
        var item = player?.currentItem
        while true {
            presenter.show(item)
            let now = player?.currentItem
            guard now !== item else { return }
            item = now
        }
    }

    /// Tells the presenter whether the player needs the display. Another thread may change that meanwhile, and be
    /// followed first.
    private func followDisplayNeed(of player: AVPlayer?) {
        var isNeeded = player?.needsDisplayAwake ?? false
        while true {
            let wanted = isNeeded
            presenter.changeSinkSettings { $0.wantsDisplayAwake = wanted }
            let now = player?.needsDisplayAwake ?? false
            guard now != isNeeded else { return }
            isNeeded = now
        }
    }

    /// The receiver of due pictures; `nil` decodes none. Tutti's extension.
    open var tuttiFrameSink: (any TuttiVideoFrameSink)? {
        get { presenter.sink }
        set { presenter.sink = newValue }
    }

    /// Pictures shown and not shown so far. Tutti's extension.
    open var tuttiPictureCounts: TuttiPictureCounts { presenter.counts }

    /// The scaling of a picture to the bounds. The sink applies it once the program has set the property; until then the sink
    /// scales in its own way.
    open var videoGravity: AVLayerVideoGravity {
        get { presenter.sinkSettings.gravity ?? .resizeAspect }
        set { presenter.changeSinkSettings { $0.gravity = newValue } }
    }

    /// Whether the first picture of the current item is shown. Observable.
    open var isReadyForDisplay: Bool { isReady.value }

    /// The rectangle of the picture inside the bounds, by ``videoGravity``; zero without a picture.
    open var videoRect: CGRect {
        guard let buffer = presenter.shownBuffer else { return .zero }
        return videoGravity.place(CVImageBufferGetUprightSize(buffer), in: bounds)
    }

    /// Attributes of the pixel buffers that ``copyDisplayedPixelBuffer()`` returns, by the keys of Core Video; `nil` for
    /// those that the sink gets.
    open var pixelBufferAttributes: [String: any Sendable]? {
        get { settings.withLock { $0.attributes?.values } }
        set { settings.withLock { $0.attributes = newValue.map(PixelAttributes.init) } }
    }

    /// The picture that is shown now; `nil` without one.
    open func copyDisplayedPixelBuffer() -> CVPixelBuffer? {
        settings.withLock { $0.attributes }.map(presenter.copyShown) ?? presenter.shownBuffer
    }
}

extension AVPlayer {
    /// Whether playback of pictures, or a wait for it, should keep the display awake. Observable.
    nonisolated var needsDisplayAwake: Bool { preventsDisplaySleepDuringVideoPlayback && rate != 0 }
}

extension AVLayerVideoGravity {
    /// The rectangle of a picture in bounds.
    func place(_ size: CGSize, in bounds: CGRect) -> CGRect {
        guard size.width > 0, size.height > 0, bounds.width > 0, bounds.height > 0 else { return .zero }
        if self == .resize { return bounds }
        let (across, down) = (bounds.width / size.width, bounds.height / size.height)
        let scale = self == .resizeAspectFill ? max(across, down) : min(across, down)
        let (width, height) = (size.width * scale, size.height * scale)
        return CGRect(
            x: bounds.midX - width / 2, y: bounds.midY - height / 2, width: width, height: height)
    }
}

/// The size of a picture with square pixels, turned upright.
func CVImageBufferGetUprightSize(_ buffer: CVImageBuffer) -> CGSize {
    let size = CVImageBufferGetDisplaySize(buffer)
    let turn = CVBufferCopyAttachment(buffer, kTuttiImageBufferOrientationKey, nil) as? NSNumber
    return (turn?.intValue ?? 1) >= 5 ? CGSize(width: size.height, height: size.width) : size
}
