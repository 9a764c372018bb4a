import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// The hub between a program and the surfaces: surfaces show the program's publications and send commands
/// back.
///
/// A program has one source of its own and may make more, one per session. Surfaces follow only the active
/// source, and commands go to its receivers. Any thread. Each surface receives notifications in the same
/// order; no lock is held during a call. The hub retains surfaces and receivers until they are removed.
public final class NowPlayingHub: Sendable {
    /// The high-water mark of a surface's queue, in notifications.
    public static let feedLimit = 64

    /// A publisher that also receives commands.
    public struct Source: Hashable, Sendable {
        fileprivate let number: Int

        /// The program itself. Active until another source is activated, and again after that source is
        /// removed.
        public static let program = Source(number: 0)
    }

    private struct Content {
        var snapshot: NowPlayingSnapshot
        var commands = RemoteCommandSet()
        /// Called when the source becomes active or inactive.
        var activityDidChange: @Sendable (_ isActive: Bool) -> Void = { _ in }
    }

    private struct State {
        var sources: [Source: Content]
        var active = Source.program
        var sourceCount = 0
        var feeds: [SurfaceFeed] = []
        var receivers: [(source: Source, receiver: any RemoteCommandReceiver)] = []

        var content: Content? { sources[active] }
    }

    private let state: Mutex<State>
    private let machine: any Machine
    private let activityOrder = NotificationSerializer()
    /// The source last notified that it is active.
    private let toldActive = Mutex(Source.program)
    /// The fallback receiver of volume commands.
    private let volume: RouteVolumeCommands

    /// Makes a hub whose active source is the program.
    ///
    /// - Parameters:
    ///   - machine: Time and queues.
    ///   - routes: The outputs that volume commands control; `nil` while there are none.
    package init(machine: any Machine, routes: @escaping @Sendable () -> (any RouteChoosing)?) {
        self.machine = machine
        state = Mutex(State(sources: [.program: Content(snapshot: .nothing(at: machine.now))]))
        volume = RouteVolumeCommands(routes: routes)
    }

    // MARK: Publications

    /// The last publication of the active source.
    public var snapshot: NowPlayingSnapshot {
        let now = machine.now
        return state.withLock { $0.content?.snapshot ?? .nothing(at: now) }
    }

    /// The commands that the active source takes at the moment.
    public var commands: RemoteCommandSet { state.withLock { $0.content?.commands ?? RemoteCommandSet() } }

    /// Publishes for a source; notifies every surface if the source is active. Never blocks on a surface.
    public func publish(_ snapshot: NowPlayingSnapshot, by source: Source = .program) {
        state.withLock { state in
            guard state.sources[source] != nil else { return }
            state.sources[source]?.snapshot = snapshot
            guard state.active == source else { return }
            for feed in state.feeds { feed.tell(.snapshot(snapshot)) }
        }
    }

    /// Sets the commands that a source takes; notifies every surface of a change if the source is active.
    public func setCommands(_ commands: RemoteCommandSet, of source: Source = .program) {
        state.withLock { state in
            guard let content = state.sources[source], content.commands != commands else { return }
            state.sources[source]?.commands = commands
            guard state.active == source else { return }
            for feed in state.feeds { feed.tell(.commands(commands)) }
        }
    }

    /// Offers commands to `receiver` while its source is active, after earlier receivers. Idempotent.
    public func add(_ receiver: any RemoteCommandReceiver, for source: Source = .program) {
        state.withLock { state in
            guard !state.receivers.contains(where: { $0.receiver === receiver }) else { return }
            state.receivers.append((source, receiver))
        }
    }

    /// Removes a receiver.
    public func remove(_ receiver: any RemoteCommandReceiver) {
        state.withLock { state in state.receivers.removeAll { $0.receiver === receiver } }
    }

    // MARK: Sources

    /// Makes an inactive source without a publication.
    ///
    /// - Parameter activityDidChange: Called when the source becomes active or inactive, on any thread, one
    ///   call at a time.
    public func makeSource(
        activityDidChange: @escaping @Sendable (_ isActive: Bool) -> Void = { _ in }
    ) -> Source {
        let now = machine.now
        return state.withLock { state in
            state.sourceCount += 1
            let source = Source(number: state.sourceCount)
            state.sources[source] = Content(
                snapshot: .nothing(at: now), activityDidChange: activityDidChange)
            return source
        }
    }

    /// The source that surfaces show and control.
    public var activeSource: Source { state.withLock { $0.active } }

    /// Activates a source instead of the active one. Ignores a removed source.
    public func activate(_ source: Source) {
        state.withLock { state in
            guard state.sources[source] != nil else { return }
            Self.activate(source, in: &state)
        }
        tellActivity()
    }

    /// Removes a source and its receivers. If the source is active, the program's own source becomes active.
    public func remove(_ source: Source) {
        guard source != .program else { return }
        let removed = state.withLock { state in
            let receivers = state.receivers.filter { $0.source == source }
            state.receivers.removeAll { $0.source == source }
            let content = state.sources.removeValue(forKey: source)
            if state.active == source { Self.activate(.program, in: &state) }
            return (receivers, content)
        }
        // Releases the receivers and the closure without the lock.
        withExtendedLifetime(removed) {}
        tellActivity()
    }

    private static func activate(_ source: Source, in state: inout State) {
        guard state.active != source else { return }
        state.active = source
        guard let content = state.content else { return }
        for feed in state.feeds {
            feed.tell(.snapshot(content.snapshot))
            feed.tell(.commands(content.commands))
        }
    }

    private func tellActivity() {
        activityOrder.tell { _ in
            let (active, sources) = state.withLock { ($0.active, $0.sources) }
            let told = toldActive.withLock { told in
                defer { told = active }
                return told
            }
            guard told != active else { return }
            sources[told]?.activityDidChange(false)
            sources[active]?.activityDidChange(true)
        }
    }

    // MARK: Surfaces

    /// Adds a surface, which receives the current state first and changes afterwards. Idempotent.
    public func attach(_ surface: any NowPlayingSurface) {
        state.withLock { state in
            guard !state.feeds.contains(where: { $0.surface === surface }) else { return }
            let feed = SurfaceFeed(surface, machine: machine)
            state.feeds.append(feed)
            guard let content = state.content else { return }
            feed.tell(.snapshot(content.snapshot))
            feed.tell(.commands(content.commands))
        }
    }

    /// Removes a surface. No notification begins afterwards.
    public func detach(_ surface: any NowPlayingSurface) {
        state.withLock { state in
            for feed in state.feeds where feed.surface === surface { feed.end() }
            state.feeds.removeAll { $0.surface === surface }
        }
    }

    /// Offers a command to the receivers of the active source, in order, until a receiver takes the command.
    ///
    /// Commands sent in sequence reach the first receiver in that order. A receiver that declines
    /// asynchronously may reorder them for the next receiver.
    /// - Parameter completion: Called once with the outcome, on any thread.
    public func send(
        _ command: RemoteCommand, from origin: RemoteCommandOrigin,
        completion: @escaping @Sendable (RemoteCommandOutcome) -> Void
    ) {
        let receivers: [any RemoteCommandReceiver] = state.withLock { state in
            state.receivers.filter { $0.source == state.active }.map(\.receiver)
        }
        CommandRound(
            command: command, origin: origin, receivers: receivers + [volume], completion: completion
        ).offer(to: 0)
    }

    /// See ``send(_:from:completion:)``.
    public func send(_ command: RemoteCommand, from origin: RemoteCommandOrigin) async -> RemoteCommandOutcome
    {
        await withCheckedContinuation { continuation in
            send(command, from: origin) { continuation.resume(returning: $0) }
        }
    }
}

/// A command on its way from receiver to receiver.
private struct CommandRound: Sendable {
    let command: RemoteCommand
    let origin: RemoteCommandOrigin
    let receivers: [any RemoteCommandReceiver]
    let completion: @Sendable (RemoteCommandOutcome) -> Void

    func offer(to index: Int) {
        guard index < receivers.count else { return completion(.unsupported) }
        // Ignores a second answer of a receiver.
        let once = FirstAnswer()
        receivers[index].perform(command, from: origin) { outcome in
            guard once.take() else { return }
            if outcome == .unsupported { return offer(to: index + 1) }
            completion(outcome)
        }
    }
}

/// A flag that can be taken once.
private final class FirstAnswer: Sendable {
    private let isTaken = Atomic<Bool>(false)

    func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}
