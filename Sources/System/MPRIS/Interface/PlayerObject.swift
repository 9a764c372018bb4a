import Synchronization
import TuttiDBus

/// A media player on a message bus, as MPRIS 2 describes it. Any thread.
///
/// The owner gives the player a state, and the player tells the desktop what has changed; the desktop's
/// commands come to the owner's closure. While there is no bus, the player retries with growing pauses.
package final class PlayerObject: Sendable {
    /// Carries out a command. Called on the bus's thread, in the order of the commands; must not block.
    ///
    /// The closure replies by `.values([])`, or by a failure with a sentence.
    package typealias Perform = @Sendable (PlayerCommand, BusResponder) -> Void

    /// The prefix of the names of all players.
    package static let namePrefix = "org.mpris.MediaPlayer2."

    private struct State {
        var interface: PlayerInterface
        /// The announcements on this connection; `nil` while nobody listens.
        var announcer: PlayerAnnouncer?
    }

    private let state: Mutex<State>
    private let perform: Perform
    private let onState: @Sendable (BusConnection.State) -> Void
    private let connection = Mutex<BusConnection?>(nil)

    /// Makes a player, and takes a name on the bus.
    ///
    /// - Parameters:
    ///   - name: The name after ``namePrefix``, such as `tutti.zone1`. If another program has it, `.instance`
    ///     and the number of this process follow.
    ///   - onState: Receives the state of the connection, on the bus's thread.
    package init(
        name: String, number: Int32, state: PlayerState, on address: BusAddress, loop: BusLoop,
        onState: @escaping @Sendable (BusConnection.State) -> Void = { _ in }, perform: @escaping Perform
    ) {
        self.state = Mutex(State(interface: PlayerInterface(state)))
        (self.perform, self.onState) = (perform, onState)
        let full = Self.namePrefix + name
        let handlers = BusConnection.Handlers(
            call: { [weak self] in
                self?.handle($0) ?? .now(.failure(BusFailure(.failed, "The player is gone.")))
            },
            signals: { [weak self] in self?.takeSignals() ?? [] },
            state: { [weak self] in self?.connectionDidChange($0) })
        let made = BusConnection(
            to: address, names: [full, "\(full).instance\(number)"], loop: loop, handlers: handlers)
        connection.withLock { $0 = made }
    }

    /// The state that the desktop sees.
    package var current: PlayerState { state.withLock { $0.interface.state } }

    /// Shows a new state.
    package func update(_ new: PlayerState) {
        let isChange = state.withLock { state in
            guard state.interface.setState(new) else { return false }
            return state.announcer != nil
        }
        if isChange { connection.withLock { $0 }?.setHasSignals() }
    }

    /// Leaves the bus. Idempotent.
    package func close() { connection.withLock { $0.take() }?.close() }

    // MARK: On the bus's thread

    private func connectionDidChange(_ new: BusConnection.State) {
        state.withLock { state in
            if case .ready = new {
                state.announcer = PlayerAnnouncer(state.interface.state, at: .now)
            } else {
                state.announcer = nil
            }
        }
        onState(new)
    }

    private func takeSignals() -> [BusSignal] {
        state.withLock { state in state.announcer?.announce(state.interface.state, at: .now) ?? [] }
    }

    private func handle(_ call: BusCall) -> BusResponse {
        switch state.withLock({ $0.interface.handle(call, at: .now) }) {
        case .reply(let reply): .now(reply)
        case .perform(let command): .later { [perform] in perform(command, $0) }
        }
    }
}
