import CTuttiLinux
import Glibc
import Synchronization

/// The thread that waits for the descriptors of all ``ReadinessSource``s of one kind.
///
/// Replaces Dispatch sources, which on Linux lose events, or crash, when a peer's hang-up meets the end of a
/// source (*observed* with Swift 6.3; swift-corelibs-libdispatch issue 949).
final class ReadinessLoop: Sendable {
    static let readable = ReadinessLoop(name: "tutti-readable", events: EPOLLIN.rawValue)
    static let writable = ReadinessLoop(name: "tutti-writable", events: EPOLLOUT.rawValue)

    /// The unique identity of a registration, never reused: a late event finds no entry.
    typealias Token = UInt64

    private struct Entry {
        let queue: SerialQueue
        let onEvent: @Sendable () -> Void
    }

    private struct Registry {
        var entries: [Token: Entry] = [:]
        var lastToken: Token = 0
    }

    private let events: UInt32
    /// The epoll descriptor; negative if the system refused one, and then every wait fails.
    private let epoll = Atomic<Int32>(-1)
    private let registry = Mutex(Registry())

    private init(name: String, events: UInt32) {
        self.events = events
        let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { return }
        do {
            // The loop only forwards: each source's queue handles the event. Lowest real-time priority, so
            // that on a busy machine a response waits for the processor once and not twice.
            try RealtimeThread.start(name: name, priority: 1) { [self] _ in run(epoll) }
            self.epoll.store(epoll, ordering: .relaxed)
        } catch {
            close(epoll)
        }
    }

    func makeToken() -> Token {
        registry.withLock { registry in
            registry.lastToken += 1
            return registry.lastToken
        }
    }

    /// Registers a handler that runs on `queue` after each event of the token; it must hold its owner weakly.
    func add(_ token: Token, on queue: SerialQueue, onEvent: @escaping @Sendable () -> Void) {
        registry.withLock { $0.entries[token] = Entry(queue: queue, onEvent: onEvent) }
    }

    /// Requests one event.
    ///
    /// - Parameter isFirst: Whether the descriptor is new to the loop.
    /// - Returns: 0, or the system's error: `EPERM` for files, which are always ready.
    func wait(for descriptor: Int32, token: Token, isFirst: Bool) -> Int32 {
        shim_epoll_control(
            epoll.load(ordering: .relaxed), isFirst ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, events, token
        )
    }

    /// Removes the token. A descriptor that the loop knows must still be open.
    func remove(_ token: Token, descriptor: Int32?) {
        if let descriptor {
            _ = shim_epoll_control(epoll.load(ordering: .relaxed), EPOLL_CTL_DEL, descriptor, 0, 0)
        }
        // Released outside the lock, because the closure's captures may end with it.
        let old = registry.withLock { $0.entries.removeValue(forKey: token) }
        withExtendedLifetime(old) {}
    }

    private func run(_ epoll: Int32) {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) { tokens in
            while true {
                let count = shim_epoll_wait(epoll, tokens.baseAddress)
                for index in 0..<Int(max(count, 0)) { deliver(tokens[index]) }
            }
        }
    }

    private func deliver(_ token: Token) {
        guard let entry = registry.withLock({ $0.entries[token] }) else { return }
        entry.queue.async(execute: entry.onEvent)
    }
}
