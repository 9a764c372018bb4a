import Foundation
import KeyValueObserving
import Playback

extension AVPlayerItem {
    /// The outputs that were added, in their order.
    nonisolated public var outputs: [AVPlayerItemOutput] { attachments.withLock { $0.outputs } }

    /// Lets an output receive what the item plays; nothing changes if it is there already. An output belongs to one item at a
    /// time.
    nonisolated public func add(_ output: AVPlayerItemOutput) {
        guard isRightUse(output.attach(to: self), "an output belongs to one item at a time") else { return }
        attachments.withLock { attachments in
            if !attachments.outputs.contains(output) { attachments.outputs.append(output) }
        }
    }

    /// Takes an output away; nothing changes if it is not there.
    nonisolated public func remove(_ output: AVPlayerItemOutput) {
        attachments.withLock { $0.outputs.removeAll { $0 === output } }
        output.detach(from: self)
    }

    /// Whether the network may be used for a live stream while it is paused; `false` at first.
    ///
    /// With `false` a paused live stream is read until the usual buffer is full, 12 s beyond what the output takes; then the
    /// reading rests, and a server that gives up on a listener who reads nothing drops the connection: playing goes on with
    /// what comes then. With `true` up to 600 s, and at most 24 MiB, are read and held beyond that, so
    /// ``loadedTimeRanges`` and the metadata stay up to date, the server keeps its listener, and the stream goes on where it
    /// was paused. Items that are not live streams are not affected. May be set at any time.
    nonisolated public var canUseNetworkResourcesForLiveStreamingWhilePaused: Bool {
        get { core.wishes.keepsLiveStream }
        set { core.setWishes { $0.keepsLiveStream = newValue } }
    }
}

/// The outputs and the selection of an item, kept beside its settings.
struct ItemAttachments {
    var outputs: [AVPlayerItemOutput] = []
}
