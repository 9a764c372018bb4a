import AirPlayMessages
import Foundation
import Testing
import TuttiRTSP
import TuttiTestSupport

@testable import AirPlayReceiver

/// Replays a whole session, recorded with another receiver, against our receiver.
@Suite("A recorded session")
struct TranscriptTests {
    struct Exchange {
        let request: RTSPRequest
        let status: Int
        let answer: PropertyList?
    }

    static func exchanges() throws -> [Exchange] {
        let list = try #require(try Vectors.json("airplay/session-transcript.json") as? [[String: Any]])
        return try list.map { entry in
            let method = try #require(entry["method"] as? String)
            let target = try #require(entry["uri"] as? String)
            var request = RTSPRequest(RTSPMethod(rawValue: method), target)
            for (name, value) in entry["request_headers"] as? [String: Any] ?? [:] {
                request.headers[name] = "\(value)"
            }
            request.body = bytes(entry["request_body_b64"])
            let status = try #require((entry["status"] as? String)?.split(separator: " ").dropFirst().first)
            let body = bytes(entry["response_body_b64"])
            return Exchange(
                request: request, status: try #require(Int(status)), answer: try? PropertyList(parsing: body))
        }
    }

    private static func bytes(_ value: Any?) -> [UInt8] {
        (value as? String).flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? []
    }

    @Test("every request gets the recorded status, with the keys that senders read")
    func replay() throws {
        var run = try SessionRun.paired()
        run.status = StreamStatus()
        run.status?.sampleRate = .hz44100
        var count = 0
        for exchange in try Self.exchanges() where exchange.request.path != "/pair-setup" {
            let answers = run.ask(exchange.request)
            #expect(answers.count == 1, "\(exchange.request.method)")
            let answer = try #require(answers.first)
            #expect(answer.status.rawValue == exchange.status, "\(exchange.request.method)")
            count += 1
            guard let expected = exchange.answer?.dictionaryValue else { continue }
            let given = try #require(try PropertyList(parsing: answer.body).dictionaryValue)
            // Our answers may have more keys, not fewer.
            let optional: Set<String> = [
                "supportedFormats", "receiverHDRCapability", "featuresEx", "txtAirPlay", "senderAddress",
            ]
            let missing = Set(expected.keys).subtracting(given.keys).subtracting(optional)
            #expect(missing.isEmpty, "\(exchange.request.method) lacks \(missing)")
        }
        #expect(count >= 18)
        #expect(run.commands.count == 4)
        #expect(run.volume == Volume(decibels: -15))
        let hasTitle = run.events.contains { event in
            if case .metadata(let text, _) = event { text.artist == "Artist" } else { false }
        }
        #expect(hasTitle)
        guard case .endSession? = run.others.last else {
            Issue.record("the session goes on")
            return
        }
    }
}
