/// The order of the commands of one session, each of which is several requests. Confined to the session's actor.
///
/// A command replaces all earlier ones, whose answers change nothing from then on; and it waits, first in, first out,
/// until the one before has made its requests.
final class CommandOrder {
    /// The number of one command.
    struct Command: Sendable {
        fileprivate let generation: Int
    }

    private var generation = 0
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Replaces all earlier commands, and waits until their requests are made. Balance it with ``release()``.
    @discardableResult
    func replaceEarlier(isolation: isolated (any Actor)? = #isolation) async -> Command {
        generation += 1
        return await join()
    }

    /// Joins the newest command, and waits until the requests of earlier ones are made. Balance it with ``release()``.
    @discardableResult
    func join(isolation: isolated (any Actor)? = #isolation) async -> Command {
        let command = Command(generation: generation)
        if isTaken {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isTaken = true
        }
        return command
    }

    /// Returns whether no later command has replaced this one.
    func isNewest(_ command: Command) -> Bool { command.generation == generation }

    /// Lets the next command make its requests.
    func release() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }

    /// Replaces all commands, and waits for none: the session ends.
    func replaceAll() { generation += 1 }
}
