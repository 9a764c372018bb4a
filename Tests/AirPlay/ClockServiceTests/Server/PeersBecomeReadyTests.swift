import Testing
import TuttiMediaTime
import TuttiPTP
import TuttiSystemIO

@testable import TuttiClockService

@Suite("Readiness of a peer")
struct PeersBecomeReadyTests {
    static let peer = IPAddress(192, 0, 2, 10)

    /// A network with one peer that sends requests from `firstQuestion` on.
    private func network(
        _ behaviour: ClockPeerBehaviour, firstQuestion: Duration?
    ) -> (SimulatedNetwork, start: HostTime) {
        var network = SimulatedNetwork()
        network.dispatchLatency = .zero
        let start = network.now
        if let firstQuestion {
            network.followers[Self.peer] = AskingFollower(
                firstQuestion: start.advanced(by: firstQuestion), interval: .milliseconds(200))
        }
        _ = network.server.addPeer(Self.peer, behaviour: behaviour, at: start)
        return (network, start)
    }

    private func states(_ network: SimulatedNetwork, since start: HostTime) -> [(Int, PeerClockState)] {
        network.changes.map { (Int($0.time.since(start).wholeNanoseconds / 1_000_000), $0.change.state) }
    }

    static let table: [(String, ClockPeerBehaviour, Duration?, Int?)] = [
        ("Sonos: 2.3 s after its first question", .thirdParty, .milliseconds(1040), 3340),
        ("Apple: 250 ms after its third", .apple, .milliseconds(1000), 1650),
        ("ours: at once after its first", .tutti, .milliseconds(60), 65),
        ("shairport-sync: 1 s", .shairportSync, nil, 1000),
        ("unknown, asks", .unknown, .milliseconds(500), 2800),
        ("unknown, does not ask", .unknown, nil, 2500),
        ("unknown, asks only when it counts as ready: stays", .unknown, .milliseconds(2600), 2500),
        ("should ask and does not: never ready", .apple, nil, nil),
    ]

    @Test("the ready time depends on the kind", arguments: table)
    func kinds(name: String, behaviour: ClockPeerBehaviour, firstQuestion: Duration?, milliseconds: Int?) {
        var (network, start) = network(behaviour, firstQuestion: firstQuestion)
        #expect(network.server.status(of: Self.peer, at: start)?.state == .waiting)
        network.run(for: .milliseconds(4900))
        let states = states(network, since: start)
        #expect(states.map(\.1) == (milliseconds == nil ? [] : [.ready]))
        #expect(states.first?.0 == milliseconds)
    }

    @Test("a peer that never asks is heard once its clock follower announces itself, anew in a later session")
    func heard() {
        var (network, start) = network(.shairportSync, firstQuestion: nil)
        network.run(for: .seconds(2))
        #expect(network.server.status(of: Self.peer, at: network.now)?.isHeard == false)
        let poke = PTPAnnounce(
            source: PTPPortIdentity(clock: ClockIdentity(rawValue: 0x55AA), port: 0x8008), sequence: 1)
        network.inject(PTPMessage.announce(poke).encoded, from: Self.peer, on: .general)
        #expect(network.server.status(of: Self.peer, at: network.now)?.isHeard == true)
        network.server.restartServing(Self.peer, at: network.now)
        #expect(network.server.status(of: Self.peer, at: network.now)?.isHeard == true)
        network.server.removePeer(Self.peer, at: network.now)
        _ = network.server.addPeer(Self.peer, behaviour: .shairportSync, at: network.now)
        #expect(network.server.status(of: Self.peer, at: network.now)?.isHeard == false)
        #expect(network.now > start)
    }

    @Test("the ready time is known in advance")
    func ahead() {
        var (network, start) = network(.thirdParty, firstQuestion: .milliseconds(1000))
        network.run(for: .milliseconds(900))
        #expect(network.server.status(of: Self.peer, at: network.now)?.readyTime == nil)
        network.run(for: .milliseconds(200))
        #expect(
            network.server.status(of: Self.peer, at: network.now)?.readyTime
                == start.advanced(by: .milliseconds(3300)))
    }

    @Test("a peer that turns out to be of another kind becomes ready as that kind")
    func lateKind() {
        var (network, start) = network(.unknown, firstQuestion: .milliseconds(100))
        network.run(for: .milliseconds(350))
        network.server.setBehaviour(.tutti, of: Self.peer, at: network.now)
        network.run(for: .milliseconds(100))
        #expect(states(network, since: start).map(\.0) == [350])
        var (other, began) = self.network(.tutti, firstQuestion: .milliseconds(99))
        other.run(for: .milliseconds(100))
        other.server.setBehaviour(.apple, of: Self.peer, at: other.now)
        other.run(for: .seconds(2))
        #expect(states(other, since: began).map(\.0) == [99 + 400 + 250])
    }

    @Test("a measuring peer that is silent for 5 s is stalled")
    func neverAsked() {
        var (network, start) = network(.thirdParty, firstQuestion: nil)
        network.run(for: .seconds(10))
        #expect(states(network, since: start).map(\.1) == [.stalled])
        #expect(states(network, since: start).first?.0 == 5000)
        #expect(network.server.status(of: Self.peer, at: network.now)?.readyTime == nil)
    }

    @Test(
        "a peer that stops asking is stalled after 5 s; asking again makes it ready anew",
        arguments: [ClockPeerBehaviour.thirdParty, .unknown])
    func stops(behaviour: ClockPeerBehaviour) throws {
        var (network, start) = network(behaviour, firstQuestion: .zero)
        network.run(for: .seconds(10))
        var follower = try #require(network.followers[Self.peer] as? AskingFollower)
        follower.stopAsking()
        network.followers[Self.peer] = follower
        network.run(for: .seconds(10))
        follower.ask(again: network.now)
        network.followers[Self.peer] = follower
        network.run(for: .seconds(4))
        let states = states(network, since: start)
        #expect(
            states.map(\.1) == [.ready, .stalled, .ready]
                || states.map(\.1) == [.ready, .stalled, .waiting, .ready])
        #expect(states.map(\.0).first == 2300 && states.map(\.0).last == 22_300)
        #expect(states[1].0 == 15_000)
    }

    @Test("a gap of more than 3 s before readiness restarts the count")
    func streak() throws {
        var (network, start) = network(.apple, firstQuestion: .zero)
        network.run(for: .milliseconds(250))
        var follower = try #require(network.followers[Self.peer] as? AskingFollower)
        follower.ask(again: start.advanced(by: .milliseconds(4000)))
        network.followers[Self.peer] = follower
        network.run(for: .seconds(6))
        #expect(states(network, since: start).map(\.0) == [4650])
    }

    @Test("a restart makes a listening peer wait again, and leaves a measuring one as it is")
    func restartServing() {
        var (listening, start) = network(.shairportSync, firstQuestion: nil)
        listening.run(for: .seconds(2))
        listening.server.restartServing(Self.peer, at: listening.now)
        #expect(listening.server.status(of: Self.peer, at: listening.now)?.state == .waiting)
        listening.run(for: .seconds(2))
        #expect(states(listening, since: start).map(\.0) == [1000, 3000])
        var (asking, began) = network(.thirdParty, firstQuestion: .zero)
        asking.run(for: .seconds(3))
        asking.server.restartServing(Self.peer, at: asking.now)
        asking.run(for: .seconds(3))
        #expect(states(asking, since: began).map(\.0) == [2300])
    }

    @Test("a listening peer is never stalled, and a removed one reports nothing more")
    func quiet() {
        var (network, start) = network(.shairportSync, firstQuestion: nil)
        network.run(for: .milliseconds(600))
        network.server.removePeer(Self.peer, at: network.now)
        network.run(for: .seconds(60))
        #expect(states(network, since: start).isEmpty)
    }
}
