import Testing
import TuttiMediaTime
import TuttiSystemIO

@testable import TuttiClockService

@Suite("Followers keep our time")
struct FollowersKeepTimeTests {
    static let peer = IPAddress(192, 0, 2, 10)

    /// A session as the sender runs it: serving since the connection, a stream SETUP that resets, a restart.
    private func session(
        _ link: SimulatedLink, pathDelay: Duration, behaviour: ClockPeerBehaviour = .shairportSync,
        driftPPM: Double = 0
    ) -> SimulatedNetwork {
        var network = SimulatedNetwork()
        network.links[Self.peer] = link
        network.followers[Self.peer] = ListeningFollower(driftPPM: driftPPM)
        _ = network.server.addPeer(Self.peer, behaviour: behaviour, pathDelay: pathDelay, at: network.now)
        network.run(for: .milliseconds(700))
        wipe(&network)
        network.server.restartServing(Self.peer, at: network.now)
        return network
    }

    private func wipe(_ network: inout SimulatedNetwork) {
        guard var follower = network.followers[Self.peer] as? ListeningFollower else { return }
        follower.wipe()
        network.followers[Self.peer] = follower
    }

    private func listener(_ network: SimulatedNetwork, _ address: IPAddress = peer) throws
        -> ListeningFollower
    {
        try #require(network.followers[address] as? ListeningFollower)
    }

    @Test("a known path delay hides 20 ms of network")
    func corrected() throws {
        var network = session(
            SimulatedLink(there: .milliseconds(20), back: .milliseconds(20)), pathDelay: .milliseconds(20))
        network.run(for: .milliseconds(650))
        #expect(try listener(network).isUsable(at: network.now))
        for _ in 0..<60 {
            let error = try #require(try listener(network).error(at: network.now))
            #expect(abs(error.inSeconds) < 0.000_1)
            network.run(for: .seconds(1))
        }
    }

    @Test("an unknown path delay makes the receiver late by the delay")
    func uncorrected() throws {
        var network = session(
            SimulatedLink(there: .milliseconds(20), back: .milliseconds(20)), pathDelay: .zero)
        network.run(for: .seconds(5))
        let error = try #require(try listener(network).error(at: network.now))
        #expect(abs(error.inSeconds + 0.020) < 0.000_1)
    }

    @Test(
        "jitter of 1 ms, 5 % loss and 30 ppm of drift for three minutes stay under a millisecond",
        arguments: [-30.0, 30])
    func realistic(driftPPM: Double) throws {
        var network = session(
            SimulatedLink(
                there: .milliseconds(3), back: .milliseconds(3), jitter: .milliseconds(1), loss: 0.05),
            pathDelay: .milliseconds(3), driftPPM: driftPPM)
        network.run(for: .milliseconds(900))
        for _ in 0..<180 {
            let error = try #require(try listener(network).error(at: network.now))
            #expect(abs(error.inSeconds) < 0.001)
            network.run(for: .seconds(1))
        }
    }

    @Test(
        "a restarted receiver is usable by its ready time, also with every second datagram lost",
        arguments: [0.0, 0.5])
    func readyInTime(loss: Double) throws {
        var network = session(
            SimulatedLink(there: .milliseconds(2), back: .milliseconds(2), loss: loss),
            pathDelay: .milliseconds(2))
        let ready = try #require(network.server.status(of: Self.peer, at: network.now)?.readyTime)
        #expect(ready == network.now.advanced(by: .milliseconds(1000)))
        network.run(until: ready)
        #expect(try listener(network).isUsable(at: network.now))
        #expect(network.server.status(of: Self.peer, at: network.now)?.state == .ready)
        #expect(abs(try #require(try listener(network).error(at: network.now)).inSeconds) < 0.000_1)
    }

    @Test("a better path delay takes effect at the next restart, and slowly without one")
    func improved() throws {
        var network = session(
            SimulatedLink(there: .milliseconds(2), back: .milliseconds(2)), pathDelay: .milliseconds(6))
        network.run(for: .seconds(2))
        network.server.setPathDelay(.milliseconds(2), of: Self.peer, at: network.now)
        network.run(for: .seconds(10))
        let slewed = try #require(network.server.status(of: Self.peer, at: network.now)).servedPathDelay
        #expect(slewed == .milliseconds(5))
        wipe(&network)
        network.server.restartServing(Self.peer, at: network.now)
        network.run(for: .seconds(1))
        #expect(network.server.status(of: Self.peer, at: network.now)?.servedPathDelay == .milliseconds(2))
        #expect(abs(try #require(try listener(network).error(at: network.now)).inSeconds) < 0.000_1)
    }

    @Test("a path delay that is known within the first second is served at once")
    func knownSoon() throws {
        var network = session(
            SimulatedLink(there: .milliseconds(2), back: .milliseconds(2)), pathDelay: .zero)
        wipe(&network)
        network.server.removePeer(Self.peer, at: network.now)
        network.run(for: .seconds(2))
        _ = network.server.addPeer(Self.peer, behaviour: .shairportSync, pathDelay: .zero, at: network.now)
        network.run(for: .milliseconds(40))
        network.server.setPathDelay(.milliseconds(2), of: Self.peer, at: network.now)
        #expect(network.server.status(of: Self.peer, at: network.now)?.servedPathDelay == .milliseconds(2))
    }

    @Test("64 receivers with paths of 0 to 20 ms agree within 0.1 ms")
    func many() throws {
        var network = SimulatedNetwork()
        let addresses = (0..<64).map { IPAddress(192, 0, 2, UInt8($0 + 1)) }
        for (index, address) in addresses.enumerated() {
            let delay = Duration.microseconds(index * 317)
            network.links[address] = SimulatedLink(there: delay, back: delay)
            network.followers[address] = ListeningFollower()
            _ = network.server.addPeer(address, behaviour: .shairportSync, pathDelay: delay, at: network.now)
            network.run(for: .milliseconds(3))
        }
        network.run(for: .seconds(3))
        for address in addresses {
            let error = try #require(try listener(network, address).error(at: network.now))
            #expect(abs(error.inSeconds) < 0.000_1)
            #expect(network.server.status(of: address, at: network.now)?.state == .ready)
        }
    }

    @Test(
        "a receiver that measures the path itself is exact, though a path delay was given",
        arguments: [Duration.milliseconds(300), .milliseconds(1040), .seconds(4)])
    func asking(firstQuestion: Duration) throws {
        var network = SimulatedNetwork()
        network.links[Self.peer] = SimulatedLink(there: .milliseconds(5), back: .milliseconds(5))
        network.followers[Self.peer] = AskingFollower(firstQuestion: network.now.advanced(by: firstQuestion))
        _ = network.server.addPeer(Self.peer, pathDelay: .milliseconds(5), at: network.now)
        network.run(for: .seconds(60))
        let follower = try #require(network.followers[Self.peer] as? AskingFollower)
        #expect(follower.offsets.count > 400)
        for exchange in follower.offsets {
            #expect(abs(exchange.offset - follower.epoch) < 60_000)
        }
        // In the end the correction is gone: the whole path is measured.
        #expect(network.server.status(of: Self.peer, at: network.now)?.servedPathDelay == .zero)
        #expect(abs(try #require(follower.offsets.last).pathDelay - 5_000_000) < 60_000)
    }

    @Test("a receiver known to measure gets plain times from the first Follow_Up")
    func knownAsker() throws {
        var network = SimulatedNetwork()
        _ = network.server.addPeer(
            Self.peer, behaviour: .thirdParty, pathDelay: .milliseconds(20), at: network.now)
        network.server.setPathDelay(.milliseconds(30), of: Self.peer, at: network.now)
        network.run(for: .seconds(1))
        for case .followUp(let followUp) in network.sent.map(\.message) {
            let time = followUp.preciseOriginTimestamp.networkTime
            #expect(network.sent.contains { $0.time.nanoseconds == time.nanoseconds })
        }
        #expect(network.server.status(of: Self.peer, at: network.now)?.servedPathDelay == .zero)
    }
}
