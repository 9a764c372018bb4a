import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlayReceiver

@Suite("Remote commands to a sender", .tags(.machine))
struct SenderRemoteTests {
    @Test(
        "only an id together with a token is valid",
        arguments: [
            (nil, "1"), ("00AA", nil), ("", "1"), ("00AA00AA00AA00AA0", "1"), ("00 AA", "1"), ("00AA", "-1"),
            ("00AA", "4294967296"), ("00AA", "1\r\nHost: x"), ("0A\r\n", "1"), ("é", "1"),
        ] as [(String?, String?)])
    func refused(id: String?, token: String?) {
        #expect(SenderRemote(dacpID: id, activeRemote: token) == nil)
    }

    @Test("the request reaches the listener, with the token")
    func request() async throws {
        let remote = try #require(SenderRemote(dacpID: "00AA00AA00AA00AA", activeRemote: "0042"))
        let listener = try TCPListener(at: SocketAddress(.loopbackV4, port: 0))
        let received = Recorder<[UInt8]>([])
        let kept = Recorder<[TCPConnection]>([])
        listener.start { connection in
            kept.update { $0.append(connection) }
            connection.start(
                onBytes: { [weak connection] bytes in
                    received.update { $0 += bytes }
                    connection?.send(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))
                }, onClose: { _ in })
        }
        await SenderRemote.deliver(
            remote.request(.preventPlayback(true), host: "phone:1"), to: listener.address,
            machine: SystemMachine())
        let text = String(decoding: received.value, as: UTF8.self)
        #expect(
            text == """
                GET /ctrl-int/1/setproperty?dmcp.device-prevent-playback=1 HTTP/1.1\r
                Host: phone:1\r
                Active-Remote: 42\r
                Connection: close\r
                \r\n
                """)
        #expect(remote.request(.preventPlayback(false), host: "h").contains("prevent-playback=0 "))
        listener.close()
    }
}
