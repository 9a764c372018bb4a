import MediaTime
import Synchronization
import SystemIO

/// Where what a program publishes meets those who show it, and their buttons meet the program.
///
/// Publishing and commanding from any thread. Everybody hears everything in one order; nobody is called with a
/// lock held. Surfaces and receivers are kept until they are taken out again.
public final class NowPlayingHub: Sendable {
    /// The one of this process.
    public static let shared = NowPlayingHub()

    /// News that wait for one surface.
    public static let feedLimit = 64

    private struct State {
        var snapshot: NowPlayingSnapshot
        var commands = RemoteCommandSet()
        var feeds: [SurfaceFeed] = []
        var receivers: [any RemoteCommandReceiver] = []
    }

    private let state: Mutex<State>
    /// Takes commands about the volume when nobody else does.
    private let volume: RouteVolumeCommands

    /// - Parameter routes: Whose volume the commands about the volume change.
    public init(
        clock: any HostClock = SystemClock(),
        routes: @escaping @Sendable () -> any RouteChoosing = { CurrentRoutes.shared }
    ) {
        state = Mutex(State(snapshot: .nothing(at: clock.now)))
        volume = RouteVolumeCommands(routes: routes)
    }

    // MARK: For the program's side

    /// What was last published.
    public var snapshot: NowPlayingSnapshot { state.withLock { $0.snapshot } }

    /// What the program takes at the moment.
    public var commands: RemoteCommandSet { state.withLock { $0.commands } }

    /// Tells every surface. Never waits for one.
    public func publish(_ snapshot: NowPlayingSnapshot) {
        state.withLock { state in
            state.snapshot = snapshot
            for feed in state.feeds { feed.tell(.snapshot(snapshot)) }
        }
    }

    /// Tells every surface which commands are taken, when these are others than before.
    public func setCommands(_ commands: RemoteCommandSet) {
        state.withLock { state in
            guard state.commands != commands else { return }
            state.commands = commands
            for feed in state.feeds { feed.tell(.commands(commands)) }
        }
    }

    /// From now on commands are offered to `receiver`, after those who were here before it.
    public func add(_ receiver: any RemoteCommandReceiver) {
        state.withLock { state in
            if !state.receivers.contains(where: { $0 === receiver }) { state.receivers.append(receiver) }
        }
    }

    public func remove(_ receiver: any RemoteCommandReceiver) {
        state.withLock { state in state.receivers.removeAll { $0 === receiver } }
    }

    // MARK: For the surfaces' side

    /// From now on `surface` is told everything, beginning with what is so now. Once, however often it is
    /// attached.
    public func attach(_ surface: any NowPlayingSurface) {
        state.withLock { state in
            guard !state.feeds.contains(where: { $0.surface === surface }) else { return }
            let feed = SurfaceFeed(surface)
            state.feeds.append(feed)
            feed.tell(.snapshot(state.snapshot))
            feed.tell(.commands(state.commands))
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
        let receivers = state.withLock { $0.receivers } + [volume]
        CommandRound(command: command, origin: origin, receivers: receivers, completion: completion)
            .offer(to: 0)
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
