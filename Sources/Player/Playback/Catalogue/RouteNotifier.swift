import AirPlaySender
import Synchronization
import TuttiSystemIO

/// The cause of a route change.
public enum RouteChange: Sendable, Hashable {
    /// The user or the program chose an output.
    case chosen
    /// The speakers of the same group changed.
    case regrouped
    /// The policy of the program's audio session changed.
    case policy
    /// The output is permanently gone. Playback is paused, and would resume at this machine's device.
    case lost
    /// This machine has no output. Playback waits for one to appear.
    case missing
    /// An output appeared after an outage; waiting sound is heard.
    case found
}

/// An interruption of a player by a newer one.
public enum RouteInterruption: Sendable, Hashable {
    /// A newer player took the speakers.
    case began
    /// The newer player stopped.
    case ended
}

/// The observers of a catalogue's outputs, route changes and interruptions, and the reader of its events. Any
/// thread.
final class RouteNotifier: Sendable {
    let options = Watchers<[RouteOption]>()
    let changes = Watchers<(change: RouteChange, before: [RouteOption])>()
    let interruptions = Watchers<RouteInterruption>()
    /// Keeps the newest 4096 events.
    let events: AsyncStream<RouteCatalogue.Event>
    private let continuation: AsyncStream<RouteCatalogue.Event>.Continuation
    private let source = Mutex<@Sendable () -> [RouteOption]>({ [] })
    private let queue: SerialQueue

    init(machine: any Machine) {
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4096))
        queue = machine.makeQueue("tutti.routes")
    }

    /// Sets the function that returns the current options.
    func setSource(_ body: @escaping @Sendable () -> [RouteOption]) { source.withLock { $0 = body } }

    func emit(_ event: RouteCatalogue.Event) { continuation.yield(event) }

    /// Notifies the observers of the options, on one queue: the last call has the latest options.
    func optionsDidChange() {
        queue.async { [self] in
            if !options.isEmpty { options.tell(source.withLock { $0 }()) }
        }
    }

    /// Makes a route change and notifies observers; `nil` changes only the options.
    func changeRoute(_ change: RouteChange?, _ body: () -> Void = {}) {
        let before = source.withLock { $0 }()
        body()
        if let change { changes.tell((change, before)) }
        optionsDidChange()
    }
}
