import CoreMedia
import Dispatch
import Foundation
import Playback
import Synchronization
import TuttiCodecs
import TuttiMediaTime
import TuttiSystemIO

/// An output for an item's timed metadata: the in-band titles of web radio, and the tags in Ogg and HLS
/// streams.
///
/// The output delivers a group when the group's start becomes audible, even on a speaker that buffers minutes
/// of sound. After a start or a seek, the group in force at the new time comes first. Callable from any
/// thread.
open class AVPlayerItemMetadataOutput: AVPlayerItemOutput, @unchecked Sendable {
    // Safe to share: mutable state has a lock; the output calls the delegate only on its queue.

    private struct Settings {
        var receiver = WeakDelegate<any AVPlayerItemMetadataOutputPushDelegate>(nil)
        var queue: DispatchQueue?
        var interval: TimeInterval = 0
    }

    private let identifiers: Set<String>?
    private let settings = Mutex(Settings())
    private let schedule: TitleSchedule

    /// - Parameter identifiers: The wanted metadata items, as ``AVMetadataIdentifier/rawValue``; an
    ///   identifier of the common key space also matches items of other key spaces with that common key.
    ///   `nil` matches all items.
    public init(identifiers: [String]? = nil) {
        self.identifiers = identifiers.map { Set($0) }
        let output = Mutex(WeakReference<AVPlayerItemMetadataOutput>(nil))
        schedule = TitleSchedule(machine: SystemMachine()) { event in
            output.withLock { $0 }.object?.tell(event)
        }
        super.init()
        output.withLock { $0 = WeakReference(self) }
    }

    /// - Parameters:
    ///   - delegate: Held weakly.
    ///   - delegateQueue: The serial queue that calls the delegate; `nil` means the main queue.
    open func setDelegate(
        _ delegate: (any AVPlayerItemMetadataOutputPushDelegate)?, queue delegateQueue: DispatchQueue?
    ) {
        let receiver = WeakDelegate<any AVPlayerItemMetadataOutputPushDelegate>(delegate)
        let queue = delegate == nil ? nil : delegateQueue ?? .main
        settings.withLock { ($0.receiver, $0.queue) = (receiver, queue) }
    }

    /// The receiver of the groups; held weakly.
    open var delegate: (any AVPlayerItemMetadataOutputPushDelegate)? {
        settings.withLock { $0.receiver }.delegate
    }

    /// The queue that calls the delegate; `nil` without a delegate.
    open var delegateQueue: DispatchQueue? { settings.withLock { $0.queue } }

    /// Seconds between the delegate call and the moment the group becomes audible, 0 at first; infinity
    /// delivers a group as soon as its title is known.
    open var advanceIntervalForDelegateInvocation: TimeInterval {
        get { settings.withLock { $0.interval } }
        set {
            let interval = newValue.isNaN ? 0 : max(0, newValue)
            settings.withLock { $0.interval = interval }
            schedule.setLead(.seconds(min(interval, 1e6)), now: item?.core.now ?? HostTime(nanoseconds: 0))
        }
    }

    override func wasAttached(to item: AVPlayerItem) { item.core.add(schedule) }

    override func wasDetached(from item: AVPlayerItem) { item.core.remove(schedule) }

    /// Hands an event to the delegate's queue without blocking.
    private func tell(_ event: TitleSchedule.Event) {
        guard let item, let queue = delegateQueue else { return }
        switch event {
        case .flushed:
            queue.async { [self] in
                settings.withLock { $0.receiver }.delegate?.outputSequenceWasFlushed(self)
            }
        case .due(let titles):
            let maker = TitleGroups(container: item.core.state.facts?.info?.container ?? "")
            let groups = titles.map { wanted(of: maker.group(of: $0)) }.filter { !$0.items.isEmpty }
            guard !groups.isEmpty else { return }
            queue.async { [self] in
                settings.withLock { $0.receiver }.delegate?.metadataOutput(
                    self, didOutputTimedMetadataGroups: groups, from: item.tracks.first)
            }
        }
    }

    private func wanted(of group: AVTimedMetadataGroup) -> AVTimedMetadataGroup {
        guard let identifiers else { return group }
        let items = group.items.filter { item in
            let common = item.commonKey.map { AVMetadataIdentifier(key: $0.rawValue, keySpace: .common) }
            return [item.identifier, common].contains {
                $0.map { identifiers.contains($0.rawValue) } ?? false
            }
        }
        return AVTimedMetadataGroup(items: items, timeRange: group.timeRange)
    }
}

/// A delegate that receives an output's metadata groups.
public protocol AVPlayerItemMetadataOutputPushDelegate: AVPlayerItemOutputPushDelegate {
    /// Receives groups that become audible now, or
    /// ``AVPlayerItemMetadataOutput/advanceIntervalForDelegateInvocation`` later. Called on the delegate's
    /// queue.
    ///
    /// - Parameters:
    ///   - groups: The groups in time order; the last time range is indefinite until the next group is known.
    ///   - track: The item's audio track.
    func metadataOutput(
        _ output: AVPlayerItemMetadataOutput, didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
        from track: AVPlayerItemTrack?)
}

extension AVPlayerItemMetadataOutputPushDelegate {
    /// Does nothing.
    public func metadataOutput(
        _ output: AVPlayerItemMetadataOutput, didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
        from track: AVPlayerItemTrack?
    ) {}
}
