import CoreMedia
import Foundation
import Synchronization

/// A receiver of what an item plays beside its sound; see ``AVPlayerItemMetadataOutput``. Any thread.
open class AVPlayerItemOutput: NSObject, @unchecked Sendable {
    // Safe to share: what changes has a lock, and the item's core is safe by itself.

    private struct State {
        var suppresses = false
        weak var item: AVPlayerItem?
    }

    private let state = Mutex(State())

    override init() { super.init() }

    /// Kept and given back: the sound is heard all the same.
    open var suppressesPlayerRendering: Bool {
        get { state.withLock { $0.suppresses } }
        set { state.withLock { $0.suppresses = newValue } }
    }

    /// The item's time that is, or was, heard at a host time in seconds; invalid while it belongs to no item.
    open func itemTime(forHostTime hostTimeInSeconds: CFTimeInterval) -> CMTime {
        guard hostTimeInSeconds.isFinite else { return .invalid }
        return itemTime(of: CMTime(seconds: hostTimeInSeconds, preferredTimescale: 1_000_000_000))
    }

    /// The item's time that is, or was, heard at a host time as `mach_absolute_time()` tells it, in nanoseconds here.
    open func itemTime(forMachAbsoluteTime machAbsoluteTime: Int64) -> CMTime {
        itemTime(of: CMTime(value: machAbsoluteTime, timescale: 1_000_000_000))
    }

    private func itemTime(of host: CMTime) -> CMTime {
        guard let timebase = item?.timebase else { return .invalid }
        return CMSyncConvertTime(host, from: CMClockGetHostTimeClock(), to: timebase)
    }

    var item: AVPlayerItem? { state.withLock { $0.item } }

    /// - Returns: `false` if it belongs to another item.
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

    /// For subclasses.
    func wasAttached(to item: AVPlayerItem) {}
    /// For subclasses.
    func wasDetached(from item: AVPlayerItem) {}
}

/// The part of an output's delegate that all outputs share.
public protocol AVPlayerItemOutputPushDelegate: NSObjectProtocol {
    /// Time jumped, as by a seek: what was output before is void. On the delegate's queue.
    func outputSequenceWasFlushed(_ output: AVPlayerItemOutput)
}

extension AVPlayerItemOutputPushDelegate {
    /// Does nothing.
    public func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) {}
}
