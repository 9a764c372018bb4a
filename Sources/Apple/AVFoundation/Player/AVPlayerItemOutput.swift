import CoreMedia
import Foundation
import Synchronization

/// An output for the non-audio data of an item; see ``AVPlayerItemVideoOutput`` and ``AVPlayerItemMetadataOutput``. Callable
/// from any thread.
open class AVPlayerItemOutput: NSObject, @unchecked Sendable {
    // Safe to share: mutable state has a lock, and the item's core is Sendable.

    private struct State {
        var suppresses = false
        weak var item: AVPlayerItem?
    }

    private let state = Mutex(State())

    override init() { super.init() }

    /// Whether layers leave an item's pictures to this output; without effect on the sound, which stays audible.
    open var suppressesPlayerRendering: Bool {
        get { state.withLock { $0.suppresses } }
        set { state.withLock { $0.suppresses = newValue } }
    }

    /// Returns the item time that is, was or will be audible at a host time in seconds; invalid while the
    /// output belongs to no item.
    open func itemTime(forHostTime hostTimeInSeconds: CFTimeInterval) -> CMTime {
        guard hostTimeInSeconds.isFinite else { return .invalid }
        return itemTime(of: CMTime(seconds: hostTimeInSeconds, preferredTimescale: 1_000_000_000))
    }

    /// Returns the item time at a host time in units of `mach_absolute_time()`, which are nanoseconds on
    /// Linux.
    open func itemTime(forMachAbsoluteTime machAbsoluteTime: Int64) -> CMTime {
        itemTime(of: CMTime(value: machAbsoluteTime, timescale: 1_000_000_000))
    }

    private func itemTime(of host: CMTime) -> CMTime {
        guard let timebase = item?.timebase else { return .invalid }
        return CMSyncConvertTime(host, from: CMClockGetHostTimeClock(), to: timebase)
    }

    var item: AVPlayerItem? { state.withLock { $0.item } }

    /// - Returns: `false`, without effect, if the output belongs to another item.
    func attach(to item: AVPlayerItem) -> Bool {
        let isFree = state.withLock { state in
            guard state.item == nil || state.item === item else { return false }
            state.item = item
            return true
        }
        if isFree { wasAttached(to: item) }
        return isFree
    }

    func detach(from item: AVPlayerItem) {
        let wasHere = state.withLock { state in
            guard state.item === item else { return false }
            state.item = nil
            return true
        }
        if wasHere { wasDetached(from: item) }
    }

    /// Override point for subclasses.
    func wasAttached(to item: AVPlayerItem) {}
    /// Override point for subclasses.
    func wasDetached(from item: AVPlayerItem) {}
}

/// The delegate requirements common to all outputs.
public protocol AVPlayerItemOutputPushDelegate: NSObjectProtocol {
    /// Invalidates all earlier output, because time jumped (for example by a seek). Called on the delegate's
    /// queue.
    func outputSequenceWasFlushed(_ output: AVPlayerItemOutput)
}

extension AVPlayerItemOutputPushDelegate {
    /// Does nothing.
    public func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) {}
}
