import Synchronization
import TuttiHouse

/// A house that records commands, and has the state that a test gives it.
final class FakeHouse: HouseControlling {
    struct State {
        var snapshot = HouseSnapshot(revision: 17)
        var commands: [HouseCommand] = []
        var origins: [CommandOrigin] = []
        var outcome: Result<CommandOutcome, HouseError> = .success(CommandOutcome(revision: 17))
        var entries: [QueueEntry] = []
        var libraryChanges = 0
        /// Called within each snapshot.
        var onSnapshot: (@Sendable () -> Void)?
    }

    let state = Mutex(State())

    func snapshot() async -> HouseSnapshot {
        let (snapshot, onSnapshot) = state.withLock { ($0.snapshot, $0.onSnapshot) }
        onSnapshot?()
        return snapshot
    }

    func queue(of zone: ZoneID, _ range: Range<Int>) async throws(HouseError) -> QueuePage {
        guard zone.rawValue < 100 else { throw HouseError(.notFound, "There is no zone \(zone).") }
        return state.withLock { state in
            let part = range.clamped(to: 0..<state.entries.count)
            return QueuePage(
                revision: 3, length: state.entries.count, start: part.lowerBound,
                entries: Array(state.entries[part]))
        }
    }

    func perform(_ command: HouseCommand, from origin: CommandOrigin) async throws(HouseError)
        -> CommandOutcome
    {
        let outcome = state.withLock { state in
            state.commands.append(command)
            state.origins.append(origin)
            return state.outcome
        }
        return try outcome.get()
    }

    func libraryDidChange() async { state.withLock { $0.libraryChanges += 1 } }

    /// The commands since the last call.
    func takeCommands() -> [HouseCommand] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }
}
