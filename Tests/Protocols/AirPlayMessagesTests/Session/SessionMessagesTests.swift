import AirPlayMessages
import Testing
import TuttiTestSupport

@Suite("TEARDOWN, /feedback and events")
struct SessionMessagesTests {
    @Test("the recorded TEARDOWN forms round-trip")
    func teardown() throws {
        let stream = try RecordedBodies.bytes("request: TEARDOWN", 0)
        #expect(try Teardown(body: stream) == .stream(.buffered, streamID: nil))
        #expect(Teardown.stream(.buffered, streamID: nil).body == stream)
        let session = try RecordedBodies.bytes("request: TEARDOWN", 1)
        #expect(try Teardown(body: session) == .session)
        #expect(Teardown.session.body == session)
        let numbered = Teardown.stream(.realtime, streamID: 4)
        #expect(try Teardown(body: numbered.body) == numbered)
    }

    @Test("the recorded feedback and an empty one are read")
    func feedback() throws {
        let response = try FeedbackResponse(body: RecordedBodies.bytes("response: POST /feedback"))
        #expect(response.streams == [FeedbackResponse.Stream(kind: .buffered, sampleRate: 44_100)])
        #expect(try FeedbackResponse(body: response.body) == response)
        #expect(try FeedbackResponse(body: []).streams.isEmpty)
        #expect(throws: MessageError.malformedPropertyList(.noSignature)) { try FeedbackResponse(body: [1]) }
        #expect(try FeedbackResponse(propertyList: ["streams": [5, ["sr": 1]]]).streams.isEmpty)
    }

    @Test("the recorded event is an update of /info")
    func recordedEvent() throws {
        let frames = try #require(
            try Vectors.dictionary("airplay/event-channel-frames.json")["frames"] as? [[String: Any]])
        let bytes = frames.filter { $0["dir"] as? String == "in" }
            .flatMap { Vectors.bytes(hex: $0["plaintext"] as? String ?? "") }
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: "bplist00".utf8) })
        guard case .updateInfo(let info) = try EventCommand(body: Array(bytes[start...])) else {
            Issue.record("another event")
            return
        }
        #expect(info.name == "Golden 1")
        #expect(info.statusFlags == [.audioCableAttached, .supportsRelay])
        let event = EventCommand.updateInfo(info)
        #expect(try EventCommand(body: event.body) == event)
    }

    @Test(
        "button events are read",
        arguments: [("paus", .pause), ("play", .play), ("nitm", .nextItem), ("pitm", .previousItem)]
            as [(String, MediaRemoteCommand)])
    func buttons(letters: String, command: MediaRemoteCommand) throws {
        let event = try EventCommand(propertyList: [
            "type": "sendMediaRemoteCommand", "value": .string(letters),
        ])
        #expect(event == .mediaRemote(command))
        #expect(try EventCommand(body: event.body) == event)
    }

    @Test("other events are kept")
    func others() throws {
        let event = EventCommand.other(type: "updateTimingPeerInfo", value: ["a": 1])
        #expect(try EventCommand(body: event.body) == event)
        #expect(try EventCommand(propertyList: ["type": "x"]) == .other(type: "x", value: nil))
        #expect(throws: MessageError.missing(key: "type")) { try EventCommand(propertyList: [:]) }
        #expect(
            try EventCommand(propertyList: ["type": "updateInfo"]) == .other(type: "updateInfo", value: nil))
        let odd: PropertyList = ["type": "sendMediaRemoteCommand", "value": 3]
        #expect(try EventCommand(propertyList: odd) == .other(type: "sendMediaRemoteCommand", value: 3))
    }
}
