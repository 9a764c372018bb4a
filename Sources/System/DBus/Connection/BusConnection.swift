import Synchronization

/// A connection to a bus that owns a name there, and comes back when the bus does. Any thread.
///
/// A bus that is not there, or dies, is tried again with growing pauses. Calls arrive at ``Handlers/call``,
/// one at a time; signals are fetched from ``Handlers/signals`` when the bus takes more, so that a slow bus
/// costs no memory.
package final class BusConnection: Sendable {
    /// The state of a connection.
    package enum State: Hashable, Sendable {
        /// An attempt is under way.
        case connecting
        /// The connection owns this name.
        case ready(name: String)
        /// The last attempt failed, or the connection was lost; the sentence says why. Another attempt
        /// follows.
        case failed(String)
    }

    /// The owner's side of a connection; all closures are called on the loop's thread and must not block.
    package struct Handlers: Sendable {
        /// Decides on a call.
        package var call: @Sendable (BusCall) -> BusResponse
        /// Returns the signals that are due, in order; called after ``BusConnection/setHasSignals()``.
        package var signals: @Sendable () -> [BusSignal]
        /// Takes a new state.
        package var state: @Sendable (State) -> Void

        /// Makes handlers.
        package init(
            call: @escaping @Sendable (BusCall) -> BusResponse,
            signals: @escaping @Sendable () -> [BusSignal] = { [] },
            state: @escaping @Sendable (State) -> Void = { _ in }
        ) {
            (self.call, self.signals, self.state) = (call, signals, state)
        }
    }

    let address: BusAddress
    let names: [String]
    let handlers: Handlers
    private let loop: BusLoop
    private let number: UInt64
    private let hasSignals = Atomic<Bool>(false)

    /// Makes a connection, and opens it on the loop's thread.
    ///
    /// - Parameter names: The wanted names, best first; a name that another program has gives way to the next
    ///   one.
    package init(to address: BusAddress, names: [String], loop: BusLoop, handlers: Handlers) {
        (self.address, self.names, self.handlers, self.loop) = (address, names, handlers, loop)
        number = loop.makeNumber()
        loop.submit(.open(number, ConnectionPlan(address, names, handlers)))
    }

    deinit { loop.submit(.close(number)) }

    /// Causes a call of ``Handlers/signals`` as soon as the bus takes more. Calls coalesce.
    package func setHasSignals() { loop.submitSignals(of: number) }

    /// Sends what is ready to be sent, gives up the name and closes. Idempotent.
    package func close() { loop.submit(.close(number)) }
}

/// The parts of a connection that the loop's thread needs.
struct ConnectionPlan: Sendable {
    let address: BusAddress
    let names: [String]
    let handlers: BusConnection.Handlers

    init(_ address: BusAddress, _ names: [String], _ handlers: BusConnection.Handlers) {
        (self.address, self.names, self.handlers) = (address, names, handlers)
    }
}
