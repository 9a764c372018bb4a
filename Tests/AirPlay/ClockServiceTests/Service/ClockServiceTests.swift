import Testing
import TuttiMediaTime
import TuttiPTP
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiClockService

@Suite("The clock service on real sockets", .tags(.machine))
struct ClockServiceTests {
    /// A peer's own two sockets on its own loopback address.
    private struct Peer {
        let event: UDPSocket
        let general: UDPSocket

        init(_ address: IPAddress, service: ClockService) throws {
            event = try UDPSocket(at: SocketAddress(address, port: service.eventPort))
            general = try UDPSocket(at: SocketAddress(address, port: service.generalPort))
        }

        /// Returns the first message that `wanted` accepts; waits two minutes at most, which only a failed test reaches.
        func next<Wanted>(
            _ wanted: (PTPMessage) -> Wanted?
        ) throws -> (value: Wanted, source: SocketAddress, time: HostTime)? {
            var poller = SocketPoller(sockets: [event, general], signal: try WakeSignal())
            let deadline = SystemClock.now.advanced(by: .seconds(120))
            while SystemClock.now < deadline {
                var ready: [Int] = []
                try poller.wait(until: deadline) { ready.append($0) }
                for index in ready {
                    var found: (Wanted, SocketAddress, HostTime)?
                    _ = try [event, general][index].receive { bytes, source, time in
                        guard let message = try? PTPMessage(datagram: bytes) else { return }
                        found = wanted(message).map { ($0, source, time) }
                    }
                    if let found { return found }
                }
            }
            return nil
        }
    }

    private func service(at address: IPAddress) throws -> ClockService {
        var configuration = ClockService.Configuration(identity: ClockIdentity(rawValue: 0x77))
        configuration.addresses = [address]
        configuration.eventPort = 0
        configuration.generalPort = 0
        return try ClockService(configuration: configuration)
    }

    @Test("the service serves a peer, answers it, reports it, and releases the ports")
    func wholeLife() async throws {
        let own = IPAddress(127, 0, 0, 21)
        let service = try service(at: own)
        let peer = try Peer(IPAddress(127, 0, 0, 22), service: service)
        let changes = service.stateChanges(of: IPAddress(127, 0, 0, 22))
        let added = SystemClock.now
        try service.addPeer(
            IPAddress(127, 0, 0, 22), behaviour: .asks(exchanges: 1, then: .zero), localAddress: own)
        let announce = try #require(
            try peer.next { if case .announce(let message) = $0 { message } else { nil } })
        #expect(announce.value.grandmaster == service.identity)
        #expect(announce.source == SocketAddress(own, port: service.generalPort))
        let followUp = try #require(
            try peer.next { if case .followUp(let message) = $0 { message } else { nil } })
        let departure = service.hostTime(of: followUp.value.preciseOriginTimestamp.networkTime)
        #expect(departure >= added.advanced(by: .milliseconds(-1)))
        #expect(departure <= followUp.time.advanced(by: .milliseconds(1)))

        let identity = PTPPortIdentity(clock: ClockIdentity(rawValue: 0x99), port: 1)
        let asked = SystemClock.now
        try peer.event.send(
            PTPMessage.delayRequest(PTPDelayRequest(source: identity, sequence: 4711)).encoded,
            to: SocketAddress(own, port: service.eventPort))
        let response = try #require(
            try peer.next { if case .delayResponse(let message) = $0 { message } else { nil } })
        #expect(response.value.header.sequence == 4711 && response.value.requester == identity)
        let arrival = service.hostTime(of: response.value.receiveTimestamp.networkTime)
        #expect(arrival >= asked.advanced(by: .milliseconds(-1)) && arrival <= SystemClock.now)
        for await change in changes {
            #expect(change == PeerStateChange(peer: IPAddress(127, 0, 0, 22), state: .ready))
            break
        }

        async let first: Void = service.close()
        async let second: Void = service.close()
        _ = await (first, second)
        #expect(throws: ClockServiceError.closed) { try service.addPeer(own) }
        for await _ in service.stateChanges() { Issue.record("nothing more comes") }
        _ = try UDPSocket(at: SocketAddress(own, port: service.eventPort))
    }

    @Test("two services share a machine on two addresses, not on one")
    func portTaken() async throws {
        let first = try service(at: IPAddress(127, 0, 0, 31))
        var configuration = ClockService.Configuration(identity: ClockIdentity(rawValue: 1))
        configuration.eventPort = first.eventPort
        configuration.generalPort = first.generalPort
        configuration.addresses = [IPAddress(127, 0, 0, 31)]
        let error = #expect(throws: ClockServiceError.self) { try ClockService(configuration: configuration) }
        guard case .portTaken(let port, let holder) = error else {
            Issue.record("not portTaken: \(String(describing: error))")
            return
        }
        #expect(port == first.eventPort && holder != nil)
        #expect(error?.description.contains("UDP \(port) is taken by") == true)
        configuration.addresses = [IPAddress(127, 0, 0, 32)]
        let second = try ClockService(configuration: configuration)
        await second.close()
        await first.close()
    }

    @Test("errors give advice")
    func words() {
        let taken = ClockServiceError.portTaken(
            port: 319, holder: PortHolder(processID: 812, program: "nqptp"))
        #expect(taken.description.hasPrefix("UDP 319 is taken by nqptp (pid 812): "))
        let forbidden = ClockServiceError.portForbidden(port: 319).description
        #expect(forbidden.contains("cap_net_bind_service=+ep") && forbidden.contains("port_start=319"))
        #expect(throws: ClockServiceError.noAddress) {
            var configuration = ClockService.Configuration(identity: ClockIdentity(rawValue: 1))
            configuration.addresses = []
            _ = try ClockService(configuration: configuration)
        }
    }
}
