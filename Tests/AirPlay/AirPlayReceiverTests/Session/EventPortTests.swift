import AirPlayMessages
import HomeKitPairing
import Synchronization
import Testing
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlayReceiver

@Suite("Events to the sender", .tags(.machine))
struct EventPortTests {
    /// The sender's end of the event connection.
    private final class Listener: Sendable {
        let connection: TCPConnection
        let commands = Recorder<[EventCommand]>([])
        private let machine: Mutex<RTSPServerConnection>

        init(_ connection: TCPConnection, secret: SharedSecret) {
            self.connection = connection
            machine = Mutex(
                RTSPServerConnection(
                    style: .minimal, cipher: ChannelCipher(secret.eventKeys(for: .controller)),
                    at: SystemClock.now))
            connection.start(onBytes: { [weak self] in self?.receive($0) }, onClose: { _ in })
        }

        private func receive(_ bytes: [UInt8]) {
            let commands = machine.withLock { machine in
                var commands: [EventCommand] = []
                for case .request(let id, let request) in machine.receive(bytes, at: SystemClock.now) {
                    if let command = try? EventCommand(body: request.body) { commands.append(command) }
                    machine.respond(to: id, with: RTSPResponse(.ok))
                }
                while let output = machine.nextOutput() {
                    if case .send(let bytes) = output { connection.send(bytes) }
                }
                return commands
            }
            self.commands.update { $0 += commands }
        }
    }

    @Test("the speaker sends its identity first, then its buttons and its volume")
    func events() async throws {
        let stage = try SpeakerStage()
        let sender = try await HandSender(stage.address)
        try await sender.pair()
        let secret = try #require(sender.secret)
        let answer = try await sender.ask(.setup, SessionSetupRequest.stage())
        let port = try SessionSetupResponse(body: answer.body).eventPort
        let listener = Listener(
            try await TCPConnection.connect(
                to: SocketAddress(.loopbackV4, port: port), from: nil, options: TCPOptions(),
                timeout: .seconds(60)), secret: secret)
        let first = try await listener.commands.wait(for: "the greeting") { $0.first }
        guard case .updateInfo(let info) = first else {
            Issue.record("\(first)")
            return
        }
        #expect(info.name == "Stage")
        #expect(info.statusFlags?.contains(.sessionActive) == true)

        stage.server.press(.nextItem)
        stage.server.setVolume(Volume(decibels: -4))
        let rest = try await listener.commands.wait(for: "three") { $0.count == 3 ? $0.dropFirst() : nil }
        #expect(rest.first == .mediaRemote(.nextItem))
        guard case .updateInfo(let changed)? = rest.last else {
            Issue.record("\(rest)")
            return
        }
        #expect(changed.initialVolume == Volume(decibels: -4))
    }
}
