import Foundation
import Playback
import TuttiKeyValueObserving

extension AVPlayerItem {
    /// The added outputs, in the order of ``add(_:)``.
    nonisolated public var outputs: [AVPlayerItemOutput] { attachments.withLock { $0.outputs } }

    /// Attaches an output to the item. Idempotent. An output belongs to one item at a time.
    nonisolated public func add(_ output: AVPlayerItemOutput) {
        guard checkAPIUse(output.attach(to: self), "an output belongs to one item at a time") else { return }
        attachments.withLock { attachments in
            if !attachments.outputs.contains(output) { attachments.outputs.append(output) }
        }
    }

    /// Detaches an output. Idempotent.
    nonisolated public func remove(_ output: AVPlayerItemOutput) {
        attachments.withLock { $0.outputs.removeAll { $0 === output } }
        output.detach(from: self)
    }

    /// Whether a paused live stream keeps reading from the network; `false` at first.
    ///
    /// With `false` the item reads a paused live stream until the usual buffer is full, 12 s beyond the
    /// outputs' capacity, and then stops. A server may drop a connection whose client reads nothing; playback
    /// then continues with the sound that arrives next. With `true` the item buffers up to 600 s more, at
    /// most 24 MiB, so that ``loadedTimeRanges`` and the metadata stay current, the server keeps the
    /// connection, and the stream continues at the paused time. Has no effect on other items. May be set at
    /// any time.
    nonisolated public var canUseNetworkResourcesForLiveStreamingWhilePaused: Bool {
        get { core.wishes.keepsLiveStream }
        set { core.setWishes { $0.keepsLiveStream = newValue } }
    }
}

extension AVPlayerItem {
    /// Whether an output of pictures wants to draw them itself, alone.
    nonisolated var suppressesPictures: Bool {
        attachments.withLock { attachments in
            attachments.outputs.contains { $0 is AVPlayerItemVideoOutput && $0.suppressesPlayerRendering }
        }
    }
}

/// The outputs attached to an item.
struct ItemAttachments {
    var outputs: [AVPlayerItemOutput] = []
}
