import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlayReceiver

@Suite("Manners of a speaker's connections", .tags(.machine))
struct ConnectionMannersTests {
    /// Refuses OPTIONS, numbers answers to GET wrongly, withholds RECORD, and ends when it is told to.
    private struct Odd: ConnectionManners {
        let isOver: Recorder<Bool>
        let hasWithheld: Recorder<Bool>

        mutating func ruling(on request: RTSPRequest, at now: HostTime) -> RequestRuling {
            request.method == .options ? .answer(RTSPResponse(.badRequest)) : .handle
        }

        mutating func ruling(
            on answer: RTSPResponse, to request: RTSPRequest, at now: HostTime
        ) -> AnswerRuling {
            if request.method == .record {
                hasWithheld.update { $0 = true }
                return .withhold(answer)
            }
            return .send(answer, cSeq: request.method == .get ? "77" : nil)
        }

        mutating func eventsConnected() {}

        mutating func reasonToEnd(at now: HostTime) -> String? { isOver.value ? "told to" : nil }
    }

    @Test(
        "requests are refused, answers numbered wrongly or withheld until the event connection, and sessions ended"
    )
    func odd() async throws {
        let (isOver, hasWithheld) = (Recorder(false), Recorder(false))
        let stage = try SpeakerStage { Odd(isOver: isOver, hasWithheld: hasWithheld) }
        let sender = try await HandSender(stage.address)
        #expect(try await sender.ask(RTSPRequest(.options, "*")).status == .badRequest)
        let info = try await sender.ask(RTSPRequest(.get, "/info"))
        #expect(info.status == .ok && info.headers.cSeq == 77)
        try await sender.pair()
        let answer = try await sender.ask(.setup, SessionSetupRequest.stage())
        let setup = try SessionSetupResponse(body: answer.body)
        async let record = sender.ask(RTSPRequest(.record, "rtsp://127.0.0.1/1"))
        _ = try await hasWithheld.wait(for: "RECORD") { $0 ? true : nil }
        let events = try await TCPConnection.connect(
            to: SocketAddress(.loopbackV4, port: setup.eventPort), from: nil, options: TCPOptions(),
            timeout: .seconds(60))
        events.start(onBytes: { _ in }, onClose: { _ in })
        #expect(try await record.status == .ok)
        isOver.update { $0 = true }
        stage.server.performMaintenance(at: SystemClock.now)
        try await stage.waitForEvent("the end") { event in
            if case .sessionEnded(_, "told to") = event { true } else { false }
        }
        events.close()
    }
}
