import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@Suite("A question to a UDP port, over loopback", .tags(.machine))
struct UDPPortProbeTests {
    /// Waits until a probe is refused; 30 s at most, which only a failed test reaches.
    private func isRefused(_ probe: UDPPortProbe) async throws -> Bool {
        let deadline = SystemClock.now.advanced(by: .seconds(30))
        while SystemClock.now < deadline {
            if probe.isRefused { return true }
            try await Task.sleep(for: .milliseconds(1))
        }
        return false
    }

    @Test(
        "a port at which nobody listens refuses, and that stays known",
        arguments: [IPAddress.loopbackV4, .loopbackV6])
    func closed(address: IPAddress) async throws {
        var socket: UDPSocket? = try UDPSocket(at: SocketAddress(address, port: 0))
        let port = try #require(socket?.address)
        socket = nil
        let probe = try UDPPortProbe(of: port, sending: [0])
        #expect(try await isRefused(probe))
        #expect(probe.isRefused)
    }

    @Test("a port at which a program listens takes the datagram, and does not refuse")
    func open() async throws {
        let listener = try UDPSocket(at: SocketAddress(.loopbackV4, port: 0))
        let probe = try UDPPortProbe(of: listener.address, sending: [7])
        var taken: [UInt8] = []
        let deadline = SystemClock.now.advanced(by: .seconds(30))
        while taken.isEmpty, SystemClock.now < deadline {
            _ = try listener.receive { bytes, _, _ in taken = Array(bytes) }
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(taken == [7] && !probe.isRefused)
    }
}
