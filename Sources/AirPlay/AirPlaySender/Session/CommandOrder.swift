/// The order of the commands of one session, each of which is several requests. Confined to the session's actor.
///
/// A command replaces all earlier ones, whose answers change nothing from then on; and it waits, first in, first out,
/// until the one before has made its requests.
final class CommandOrder {
    /// The number of the newest command.
    private(set) var generation = 0
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Replaces all earlier commands; returns the number of the new one.
    func replaceEarlier() -> Int {
        generation += 1
        return generation
    }

    /// Waits until the requests of earlier commands are made. Balance it with ``release()``.
    func acquire(isolation: isolated (any Actor)? = #isolation) async {
        guard isTaken else { return isTaken = true }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Lets the next command make its requests.
    func release() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
