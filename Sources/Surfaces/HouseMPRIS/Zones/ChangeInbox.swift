import Synchronization
import TuttiHouse

/// The changes that the players have not shown yet: the last one of each zone. Any thread; nothing waits.
final class ChangeInbox: Sendable {
    /// The last change of a zone.
    enum Change: Sendable, Hashable {
        case state(ZoneSnapshot)
        case removed
    }

    /// The changes that wait.
    struct Batch: Sendable {
        var zones: [ZoneID: (revision: UInt64, change: Change)] = [:]
        /// The last change of each zone's queue.
        var queues: [ZoneID: (revision: UInt64, length: Int)] = [:]
    }

    private let batch = Mutex<Batch?>(Batch())
    /// Ends one wait for each batch.
    let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    init() { (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func add(_ change: HouseChange) {
        let isShown = batch.withLock { batch in
            guard batch != nil else { return false }
            switch change.body {
            case .zone(let zone): batch?.zones[zone.id] = (change.revision, .state(zone))
            case .zoneRemoved(let zone): batch?.zones[zone] = (change.revision, .removed)
            case .queue(let zone, let revision, let length): batch?.queues[zone] = (revision, length)
            case .room, .roomRemoved, .library, .troubles, .depths, .announcements, .alarms: return false
            }
            return true
        }
        if isShown { wake.yield() }
    }

    func take() -> Batch {
        batch.withLock { batch in
            defer { if batch != nil { batch = Batch() } }
            return batch ?? Batch()
        }
    }

    /// Takes no more changes.
    func close() {
        batch.withLock { $0 = nil }
        wake.finish()
    }
}
