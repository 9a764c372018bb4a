import AirPlayMessages
import HomeKitPairing
import Synchronization
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

/// The connection on which a speaker sends requests to us: its volume, its buttons.
///
/// The channel answers every request at once with a minimal 200: speakers end the session after half a minute
/// without an answer, and one kind stays silent when the answer has more than it needs (*reported*, HomePod).
final class EventChannel: Sendable {
    private let connection: TCPConnection
    private let machine: Mutex<RTSPServerConnection>
    private let budget: Mutex<ButtonBudget>
    private let clock: any HostClock
    private let onCommand: @Sendable (EventCommand) -> Void

    init(
        connection: TCPConnection, cipher: any RTSPCipher, clock: any HostClock,
        onCommand: @escaping @Sendable (EventCommand) -> Void
    ) {
        self.connection = connection
        (self.clock, self.onCommand) = (clock, onCommand)
        budget = Mutex(ButtonBudget(at: clock.now))
        machine = Mutex(RTSPServerConnection(style: .minimal, cipher: cipher, at: clock.now))
        connection.start(
            onBytes: { [weak self] bytes in self?.receive(bytes) },
            // Ignore the end of this connection: only the control connection keeps the session alive.
            onClose: { _ in })
    }

    func close() { connection.close() }

    private func receive(_ bytes: [UInt8]) {
        var commands: [EventCommand] = []
        let (outputs, isOver): ([[UInt8]], Bool) = machine.withLock { machine in
            var (outputs, isOver): ([[UInt8]], Bool) = ([], false)
            for event in machine.receive(bytes, at: clock.now) {
                guard case .request(let id, let request) = event else { continue }
                // An unknown command is answered like the others: see the type.
                if let command = try? EventCommand(body: request.body) { commands.append(command) }
                machine.respond(to: id, with: RTSPResponse(.ok))
            }
            while let output = machine.nextOutput() {
                switch output {
                case .send(let bytes): outputs.append(bytes)
                case .close: isOver = true
                case .wake: break
                }
            }
            return (outputs, isOver)
        }
        for output in outputs { connection.send(output) }
        if isOver { connection.close() }
        let now = clock.now
        for command in commands where budget.withLock({ $0.take(command, at: now) }) { onCommand(command) }
    }
}
