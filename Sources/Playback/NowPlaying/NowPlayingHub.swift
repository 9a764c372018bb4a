import MediaTime
import Synchronization
import SystemIO

/// The meeting point of a program's publications and the surfaces that show them, and of the surfaces' commands and the
/// program.
///
/// A program has one source of its own and may make more, one for each session. Surfaces are told of the active source
/// only, and commands go to its receivers. Any thread. Every surface is told in one order; no lock is held during a call.
/// Surfaces and receivers are kept until they are removed.
public final class NowPlayingHub: Sendable {
    /// The one of this process.
    public static let shared = NowPlayingHub()

    /// News that wait for one surface.
    public static let feedLimit = 64

    /// Something that publishes and takes commands.
    public struct Source: Hashable, Sendable {
        fileprivate let number: Int

        /// The program itself. Active until another source is activated, and after that source is removed.
        public static let program = Source(number: 0)
    }

    private struct Content {
        var snapshot: NowPlayingSnapshot
        var commands = RemoteCommandSet()
        /// Told when the source becomes active, and when it ceases to be.
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
    private let clock: any HostClock
    private let activityOrder = TellingOrder()
    /// The source that was told last that it is active.
    private let toldActive = Mutex(Source.program)
    /// Takes commands about the volume when nobody else does.
    private let volume: RouteVolumeCommands

    /// - Parameter routes: Whose volume the commands about the volume change.
    public init(
        clock: any HostClock = SystemClock(),
        routes: @escaping @Sendable () -> any RouteChoosing = { CurrentRoutes.shared }
    ) {
        self.clock = clock
        state = Mutex(State(sources: [.program: Content(snapshot: .nothing(at: clock.now))]))
        volume = RouteVolumeCommands(routes: routes)
    }

    // MARK: For the program's side

    /// The last publication of the active source.
    public var snapshot: NowPlayingSnapshot {
        let now = clock.now
        return state.withLock { $0.content?.snapshot ?? .nothing(at: now) }
    }

    /// The commands that the active source takes at the moment.
    public var commands: RemoteCommandSet { state.withLock { $0.content?.commands ?? RemoteCommandSet() } }

    /// Publishes for a source; tells every surface if the source is active. Never waits for one.
    public func publish(_ snapshot: NowPlayingSnapshot, by source: Source = .program) {
        state.withLock { state in
            guard state.sources[source] != nil else { return }
            state.sources[source]?.snapshot = snapshot
            guard state.active == source else { return }
            for feed in state.feeds { feed.tell(.snapshot(snapshot)) }
        }
    }

    /// Sets the commands that a source takes; tells every surface of a change if the source is active.
    public func setCommands(_ commands: RemoteCommandSet, of source: Source = .program) {
        state.withLock { state in
            guard let content = state.sources[source], content.commands != commands else { return }
            state.sources[source]?.commands = commands
            guard state.active == source else { return }
            for feed in state.feeds { feed.tell(.commands(commands)) }
        }
    }

    /// Offers commands to `receiver` while its source is active, after the receivers that were added before it.
    public func add(_ receiver: any RemoteCommandReceiver, for source: Source = .program) {
        state.withLock { state in
            guard !state.receivers.contains(where: { $0.receiver === receiver }) else { return }
            state.receivers.append((source, receiver))
        }
    }

    public func remove(_ receiver: any RemoteCommandReceiver) {
        state.withLock { state in state.receivers.removeAll { $0.receiver === receiver } }
    }

    // MARK: Sources

    /// Makes a source that has published nothing and is not active.
    ///
    /// - Parameter activityDidChange: called after each change of whether it is active, on any thread, one call at a time.
    public func makeSource(
        activityDidChange: @escaping @Sendable (_ isActive: Bool) -> Void = { _ in }
    ) -> Source {
        let now = clock.now
        return state.withLock { state in
            state.sourceCount += 1
            let source = Source(number: state.sourceCount)
            state.sources[source] = Content(
                snapshot: .nothing(at: now), activityDidChange: activityDidChange)
            return source
        }
    }

    /// The source that surfaces show and command.
    public var activeSource: Source { state.withLock { $0.active } }

    /// Shows a source on the surfaces, in place of the one that is active. Ignores a source that was removed.
    public func activate(_ source: Source) {
        state.withLock { state in
            guard state.sources[source] != nil else { return }
            Self.activate(source, in: &state)
        }
        tellActivity()
    }

    /// Removes a source and its receivers; if it is active, the program's own becomes active.
    public func remove(_ source: Source) {
        guard source != .program else { return }
        let removed = state.withLock { state in
            let receivers = state.receivers.filter { $0.source == source }
            state.receivers.removeAll { $0.source == source }
            let content = state.sources.removeValue(forKey: source)
            if state.active == source { Self.activate(.program, in: &state) }
            return (receivers, content)
        }
        // The receivers and the closure are released without the lock.
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

    // MARK: For the surfaces' side

    /// From now on `surface` is told everything, beginning with what is so now. Once, however often it is
    /// attached.
    public func attach(_ surface: any NowPlayingSurface) {
        state.withLock { state in
            guard !state.feeds.contains(where: { $0.surface === surface }) else { return }
            let feed = SurfaceFeed(surface)
            state.feeds.append(feed)
            guard let content = state.content else { return }
            feed.tell(.snapshot(content.snapshot))
            feed.tell(.commands(content.commands))
        }
    }

    /// Nothing more is told that has not begun to be.
    public func detach(_ surface: any NowPlayingSurface) {
        state.withLock { state in
            for feed in state.feeds where feed.surface === surface { feed.end() }
            state.feeds.removeAll { $0.surface === surface }
        }
    }

    /// Offers a command to the receivers, one after the other, until one takes it.
    ///
    /// Commands that are sent one after the other reach each receiver in that order.
    /// - Parameter completion: Called once with what became of it, on any thread.
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

/// One command on its way from receiver to receiver.
private struct CommandRound: Sendable {
    let command: RemoteCommand
    let origin: RemoteCommandOrigin
    let receivers: [any RemoteCommandReceiver]
    let completion: @Sendable (RemoteCommandOutcome) -> Void

    func offer(to index: Int) {
        guard index < receivers.count else { return completion(.unsupported) }
        // A receiver that answers twice is heard once.
        let once = FirstAnswer()
        receivers[index].perform(command, from: origin) { outcome in
            guard once.take() else { return }
            if outcome == .unsupported { return offer(to: index + 1) }
            completion(outcome)
        }
    }
}

/// True once.
private final class FirstAnswer: Sendable {
    private let isTaken = Atomic<Bool>(false)

    func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}
