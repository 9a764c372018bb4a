import Synchronization
import TuttiHouse
import TuttiMusicLibrary

/// A house that records commands, with the queue that a test gives it.
final class FakeHouse: HouseControlling {
    struct State {
        var snapshot = HouseSnapshot(revision: 1)
        var commands: [HouseCommand] = []
        var outcome: Result<CommandOutcome, HouseError> = .success(CommandOutcome(revision: 1))
        var entries: [QueueEntry] = []
        /// The number of snapshots that were asked for.
        var snapshots = 0
    }

    let state = Mutex(State())

    init(entries: Int = 0) {
        state.withLock { state in
            state.entries = (0..<entries).map { index in
                QueueEntry(
                    id: EntryID(rawValue: Int64(index + 1)),
                    track: PlayableTrack(location: "/music/\(index).flac", title: "\(index)", duration: 100))
            }
        }
    }

    var commands: [HouseCommand] { state.withLock { $0.commands } }

    func snapshot() async -> HouseSnapshot {
        state.withLock { state in
            state.snapshots += 1
            return state.snapshot
        }
    }

    func queue(of zone: ZoneID, _ range: Range<Int>) async throws(HouseError) -> QueuePage {
        state.withLock { state in
            let part = range.clamped(to: 0..<state.entries.count)
            return QueuePage(
                revision: 1, length: state.entries.count, start: part.lowerBound,
                entries: Array(state.entries[part]))
        }
    }

    func perform(_ command: HouseCommand, from origin: CommandOrigin) async throws(HouseError)
        -> CommandOutcome
    {
        let outcome = state.withLock { state in
            state.commands.append(command)
            return state.outcome
        }
        return try outcome.get()
    }

    func libraryDidChange() async {}
}
