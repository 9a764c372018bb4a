import AirPlayMessages
import Synchronization
import Testing
import TuttiRTSP
import TuttiSystemIO
import TuttiTestSupport

@testable import tutti

@Suite("Request for /info", .timeLimit(.minutes(10)), .tags(.machine))
struct InfoRequestTests {
    /// A device that answers all received bytes with `answer` or, if there is none, closes the connection.
    private final class Device: Sendable {
        let address: SocketAddress
        private let listener: TCPListener
        private let connections = Mutex<[TCPConnection]>([])
        private let heard = Mutex<[UInt8]>([])

        var request: String { heard.withLock { String(decoding: $0, as: UTF8.self) } }

        init(answer: [UInt8]?) throws {
            listener = try TCPListener(at: SocketAddress(.loopbackV4, port: 0))
            address = listener.address
            listener.start { [weak self] connection in
                guard let device = self else { return }
                device.connections.withLock { $0.append(connection) }
                connection.start(
                    onBytes: { [weak device] bytes in
                        device?.heard.withLock { $0 += bytes }
                        if let answer { connection.send(answer) } else { connection.close() }
                    }, onClose: { _ in })
            }
        }
    }

    private static func answer(_ status: String, body: [UInt8] = []) -> [UInt8] {
        Array("RTSP/1.0 \(status)\r\nCSeq: 1\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    @Test("a plain GET is sent, and its answer is parsed")
    func success() async throws {
        let list: PropertyList = ["name": "Kitchen", "features": 512]
        let device = try Device(answer: Self.answer("200 OK", body: list.encoded))
        let info = try await InfoRequest.send(to: device.address, limit: .seconds(60))
        #expect(info.name == "Kitchen")
        #expect(info.features == .audio)
        #expect(device.request.hasPrefix("GET /info RTSP/1.0\r\nCSeq: 1\r\n"))
        #expect(device.request.hasSuffix("\r\n\r\n"))
    }

    static let failures: [(String, [UInt8]?, String)] = [
        ("not found", answer("404 Not Found"), "does not know /info (status 404)"),
        ("empty", answer("200 OK"), "answers /info with invalid data"),
        (
            "no property list", answer("200 OK", body: Array("<html>".utf8)),
            "answers /info with invalid data"
        ),
        (
            "an array", answer("200 OK", body: PropertyList.array([]).encoded),
            "answers /info with invalid data"
        ),
        ("SSH", Array("SSH-2.0-OpenSSH_9.2\r\n\r\n".utf8), "answers, but not in RTSP"),
        ("nothing but the end", nil, "closed the connection without an answer"),
    ]

    @Test("a device that does not speak AirPlay is reported with the reason", arguments: failures)
    func failure(name: String, answer: [UInt8]?, message: String) async throws {
        let device = try Device(answer: answer)
        let error = await #expect(throws: InfoError.self) {
            try await InfoRequest.send(to: device.address, limit: .seconds(60))
        }
        #expect(try #require(error).description.hasPrefix(message))
    }

    @Test("a port that refuses connections is reported")
    func refused() async throws {
        // Port 1, because another test may have taken a port that was free a moment ago.
        let address = SocketAddress(IPAddress(127, 64, 1, 1), port: 1)
        let error = await #expect(throws: InfoError.self) {
            try await InfoRequest.send(to: address, limit: .seconds(60))
        }
        #expect(try #require(error).description.hasPrefix("refuses connections on this port"))
    }

    @Test("a device that does not answer is reported after the time limit")
    func silence() async throws {
        let device = try Device(answer: [])
        let error = await #expect(throws: InfoError.self) {
            try await InfoRequest.send(to: device.address, limit: .milliseconds(5))
        }
        #expect(try #require(error).description == "accepted the connection but did not answer within 0 s")
    }
}
