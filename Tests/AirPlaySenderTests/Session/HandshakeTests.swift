import AirPlayMessages
import RTSP
import SystemIO
import Testing

@testable import AirPlaySender

@Suite("opening a session", .timeLimit(.minutes(2)))
struct HandshakeTests {
    @Test("the requests come in the one order that every receiver takes")
    func order() async throws {
        let stage = try Stage(.standard)
        try await stage.wait(for: .waitingForClock)
        let log = stage.receiver.log.value
        #expect(
            log.steps == [.info, .pairSetup, .pairSetup, .setUpSession, .record, .setPeers, .setUpStream])
        #expect(log.controlConnections == 1)
        #expect(log.eventConnections == 1)
        #expect(log.complaints.isEmpty)
        await stage.group.close()
    }
}
