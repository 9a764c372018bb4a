import Testing
import TuttiMediaTime
import TuttiPTP
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiClockService

@Suite("A speaker follows our sender")
struct ClockFollowerTests {
    static let peer = IPAddress(192, 0, 2, 10)
    static let identity = ClockIdentity(rawValue: 0x1234_5678_9ABC_DEF0)

    /// A serving sender, and a speaker that does not follow yet.
    private func network(_ link: SimulatedLink, driftPPM: Double = 0) -> SimulatedNetwork {
        var network = SimulatedNetwork(identity: Self.identity)
        network.links[Self.peer] = link
        network.followers[Self.peer] = FollowingSpeaker(driftPPM: driftPPM)
        _ = network.server.addPeer(Self.peer, pathDelay: link.there, at: network.now)
        return network
    }

    private func change(
        _ network: inout SimulatedNetwork, _ body: (inout ClockFollower, HostTime) -> Void
    ) {
        guard var speaker = network.followers[Self.peer] as? FollowingSpeaker else { return }
        body(&speaker.follower, speaker.ownTime(at: network.now))
        network.followers[Self.peer] = speaker
    }

    private func follow(_ network: inout SimulatedNetwork) {
        change(&network) { $0.follow(FollowingSpeaker.sender, at: $1) }
    }

    private func speaker(_ network: SimulatedNetwork) throws -> FollowingSpeaker {
        try #require(network.followers[Self.peer] as? FollowingSpeaker)
    }

    private func error(_ network: SimulatedNetwork) throws -> Double? {
        try speaker(network).error(of: Self.identity, at: network.now)?.inSeconds
    }

    static let links: [(SimulatedLink, Duration)] = [
        (SimulatedLink(there: .microseconds(15), back: .microseconds(15)), .milliseconds(1)),
        (
            SimulatedLink(there: .milliseconds(2), back: .milliseconds(2), jitter: .microseconds(200)),
            .milliseconds(8)
        ),
        (
            SimulatedLink(there: .milliseconds(10), back: .milliseconds(10), jitter: .milliseconds(1)),
            .milliseconds(40)
        ),
    ]

    @Test(
        "the follower knows the time after the first answer, and the sender knows that it does",
        arguments: links)
    func coldStart(link: SimulatedLink, limit: Duration) throws {
        var network = network(link, driftPPM: 30)
        network.run(for: .milliseconds(30))
        network.server.setBehaviour(.tutti, of: Self.peer, at: network.now)
        network.run(for: .milliseconds(37))
        #expect(try error(network) == nil)
        follow(&network)
        let followed = network.now
        network.run(for: limit)
        #expect(abs(try #require(try error(network))) < 0.002)
        network.run(until: followed.advanced(by: limit + .milliseconds(5)))
        #expect(network.server.status(of: Self.peer, at: network.now)?.state == .ready)
    }

    @Test("with every third datagram lost the time is known within a quarter of a second", arguments: 0..<8)
    func lossyStart(skipped: Int) throws {
        var network = network(
            SimulatedLink(there: .milliseconds(1), back: .milliseconds(1), loss: 0.33), driftPPM: -30)
        network.server.setBehaviour(.tutti, of: Self.peer, at: network.now)
        // Each run loses other datagrams.
        network.run(for: .milliseconds(7 + 25 * skipped))
        follow(&network)
        network.run(for: .milliseconds(250))
        #expect(abs(try #require(try error(network))) < 0.000_1)
        #expect(network.server.status(of: Self.peer, at: network.now)?.state == .ready)
    }

    @Test("the follower keeps time with loss, jitter and drift", arguments: [-40.0, 0, 40])
    func keeps(driftPPM: Double) throws {
        var network = network(
            SimulatedLink(
                there: .milliseconds(1), back: .milliseconds(1), jitter: .microseconds(100), loss: 0.1),
            driftPPM: driftPPM)
        network.server.setBehaviour(.tutti, of: Self.peer, at: network.now)
        follow(&network)
        network.run(for: .seconds(3))
        for _ in 0..<60 {
            #expect(abs(try #require(try error(network))) < 0.000_1)
            network.run(for: .seconds(1))
        }
        #expect(abs(try #require(try error(network))) < 0.000_02)
        let now = network.now
        let status = try #require(
            try speaker(network).follower.status(
                of: FollowingSpeaker.sender, at: try speaker(network).ownTime(at: now)))
        #expect(status.grandmaster == Self.identity && status.source == Self.identity && status.isUsable)
        #expect(abs(try #require(status.pathDelay).inSeconds - 0.001) < 0.000_1)
        #expect(abs(status.drift + driftPPM) < 0.5 && status.restartCount == 0)
        #expect(try #require(status.age) < .seconds(1) && status.answerCount > 90)
        // The follower is never silent for so long that a sender would treat it as lost.
        #expect(network.changes.map(\.change.state) == [.ready])
    }

    @Test("on one machine the sender's own timestamps give well below 10 µs")
    func loopback() throws {
        var network = network(
            SimulatedLink(there: .microseconds(12), back: .microseconds(12), jitter: .microseconds(3)))
        network.server.setBehaviour(.tutti, of: Self.peer, at: network.now)
        follow(&network)
        network.run(for: .seconds(2))
        for _ in 0..<60 {
            #expect(abs(try #require(try error(network))) < 0.000_005)
            network.run(for: .seconds(1))
        }
    }

    @Test("the clock holds for minutes of silence, and is recognized in the sender's next session")
    func sessions() throws {
        var network = network(SimulatedLink(there: .microseconds(50), back: .microseconds(50)), driftPPM: 20)
        network.server.setBehaviour(.tutti, of: Self.peer, at: network.now)
        follow(&network)
        network.run(for: .seconds(60))
        network.server.removePeer(Self.peer, at: network.now)
        network.run(for: .seconds(180))
        #expect(abs(try #require(try error(network))) < 0.000_05)
        change(&network) { $0.unfollow(FollowingSpeaker.sender, at: $1) }
        network.run(for: .seconds(5))
        _ = network.server.addPeer(Self.peer, at: network.now)
        network.server.setBehaviour(.tutti, of: Self.peer, at: network.now)
        follow(&network)
        #expect(abs(try #require(try error(network))) < 0.000_05)
        network.run(for: .milliseconds(10))
        #expect(network.server.status(of: Self.peer, at: network.now)?.state == .ready)
        change(&network) { $0.unfollow(FollowingSpeaker.sender, at: $1) }
        network.run(for: .seconds(11))
        #expect(try error(network) == nil)
        #expect(try speaker(network).follower.isIdle && speaker(network).nextQuestion == nil)
    }

    @Test("the number of users is counted")
    func counted() {
        var follower = ClockFollower(identity: Self.identity)
        let now = HostTime(nanoseconds: 0)
        follower.follow(Self.peer, at: now)
        follower.follow(Self.peer, at: now)
        follower.unfollow(Self.peer, at: now)
        #expect(follower.status(of: Self.peer, at: now) != nil && follower.statuses(at: now).count == 1)
        follower.unfollow(Self.peer, at: now)
        follower.unfollow(Self.peer, at: now)
        #expect(follower.status(of: Self.peer, at: now) == nil && follower.statuses(at: now).isEmpty)
        for index in 0..<100 {
            let isFollowed = follower.follow(IPAddress(10, 0, 0, UInt8(index)), at: now)
            // The lingering peer gives up its slot.
            #expect(isFollowed == (index < ClockFollower.mostFollowed))
        }
    }
}
