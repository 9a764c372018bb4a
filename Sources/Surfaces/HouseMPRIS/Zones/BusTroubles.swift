import Synchronization
import TuttiDBus

/// The trouble of the bus as a whole, from the connections of the zones. Any thread.
final class BusTroubles: Sendable {
    /// A connection that is watched.
    struct Watch: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct State {
        var lastNumber = 0
        var watched: Set<Int> = []
        /// The reasons of those that do not work.
        var reasons: [Int: String] = [:]
        var told: String?
        var isClosed = false
    }

    private let state = Mutex(State())
    private let address: BusAddress
    private let tell: @Sendable (String?) -> Void

    /// - Parameter tell: Receives each change of the sentence, one call at a time; must return at once. A
    ///   sentence is not repeated: the receiver must be ready before the first connection.
    init(_ address: BusAddress, tell: @escaping @Sendable (String?) -> Void) {
        (self.address, self.tell) = (address, tell)
    }

    /// Begins to watch a connection.
    func watch() -> Watch {
        state.withLock { state in
            state.lastNumber += 1
            state.watched.insert(state.lastNumber)
            return Watch(number: state.lastNumber)
        }
    }

    /// Takes the state of a connection. One that is not watched any more counts for nothing: its thread may be
    /// late.
    func note(_ connection: BusConnection.State, of watch: Watch) {
        state.withLock { state in
            guard state.watched.contains(watch.number) else { return }
            switch connection {
            // The sentence stays while the next attempt is under way.
            case .connecting: return
            case .ready: state.reasons[watch.number] = nil
            case .failed(let reason): state.reasons[watch.number] = reason
            }
            update(&state)
        }
    }

    /// Ends the watch of a connection.
    func forget(_ watch: Watch) {
        state.withLock { state in
            state.watched.remove(watch.number)
            state.reasons[watch.number] = nil
            update(&state)
        }
    }

    /// Tells nothing more, whatever is forgotten after that: another surface may have this one's place.
    func close() { state.withLock { $0.isClosed = true } }

    private func update(_ state: inout State) {
        let reason = state.reasons.min { $0.key < $1.key }?.value
        let sentence = reason.map { "The desktop does not see the zones: \($0). \(advice)" }
        guard sentence != state.told, !state.isClosed else { return }
        state.told = sentence
        tell(sentence)
    }

    private var advice: String {
        switch address {
        case .system:
            "Tutti tries again. Is /usr/share/dbus-1/system.d/org.mpris.MediaPlayer2.tutti.conf installed? "
                + "‘bus = \"session\"’ in the table [mpris] uses the session bus."
        case .session, .address:
            "Tutti tries again. Does $DBUS_SESSION_BUS_ADDRESS name a running bus? "
                + "‘bus = \"auto\"’ in the table [mpris] makes the bus optional."
        }
    }
}
