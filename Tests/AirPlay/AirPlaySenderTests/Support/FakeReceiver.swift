import AirPlayMessages
import Synchronization
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlaySender

/// A receiver of buffered audio that plays nothing. Answers as a speaker does, over loopback TCP, and
/// records the requests and packets that it receives.
final class FakeReceiver: Sendable {
    typealias Situation = ReceiverState.Situation

    let address: SocketAddress
    private let state: ReceiverState
    private let listener: TCPListener
    private let controls = Mutex<[FakeControl]>([])

    /// - Parameter host: The last byte of the address, because each speaker of a group has its own.
    init(_ situation: Situation = .standard, name: String = "Kitchen", host: UInt8 = 1) throws {
        state = ReceiverState(situation, name: name)
        listener = try TCPListener(at: SocketAddress(IPAddress(127, 0, 0, host), port: 0))
        address = listener.address
        listener.start { [weak self] connection in
            guard let self else { return connection.close() }
            let number = self.state.log.update { log in
                log.controlConnections += 1
                return log.controlConnections
            }
            let control = FakeControl(connection, number: number, receiver: self.state)
            self.controls.withLock { $0.append(control) }
            control.start()
        }
    }

    deinit { listener.close() }

    var name: String { state.name }
    var log: Recorder<ReceiverLog> { state.log }
    var info: ReceiverInfo { state.info }

    func target(password: String? = nil) -> SpeakerTarget {
        SpeakerTarget(name: name, addresses: [address], password: password)
    }

    /// Sends the held answers to `step`, and holds no further ones.
    func release(_ step: Step) {
        change { $0.held.remove(step) }
        for control in controls.withLock({ $0 }) { control.release(step) }
    }

    func change(_ body: (inout Situation) -> Void) { state.use(body) }

    /// Sends a command on the newest event connection.
    func press(_ command: EventCommand) { controls.withLock { $0.last }?.press(command) }

    /// Reads the audio that a stalled receiver has left in its socket.
    func readAudio() {
        for control in controls.withLock({ $0 }) { control.readAudio() }
    }

    /// Closes the newest control connection.
    func drop() { controls.withLock { $0.last }?.drop() }

    func wait(
        for step: Step, times: Int = 1, limit: Duration = .seconds(60)
    ) async throws -> ReceiverLog.Entry {
        try await log.wait(for: "\(step.rawValue) number \(times)", limit: limit) { log in
            let entries = log.entries(step)
            return entries.count >= times ? entries[times - 1] : nil
        }
    }

    /// Waits for at least `count` packets, and returns all that have arrived.
    func waitForPackets(_ count: Int) async throws -> [ReceiverLog.Packet] {
        try await log.wait(for: "\(count) packets") { $0.packets.count >= count ? $0.packets : nil }
    }
}
