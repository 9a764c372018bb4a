import MediaTime
import PTP
import SystemIO
import TestSupport
import Testing

@testable import ClockService

@Suite("A speaker follows our sender")
struct ClockFollowerTests {
    static let peer = IPAddress(192, 0, 2, 10)
    static let identity = ClockIdentity(rawValue: 0x1234_5678_9ABC_DEF0)

    /// A sender that serves, and a speaker that does not follow yet.
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

    @Test("knows the time right after the first answer, and the sender knows that it does", arguments: links)
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

    @Test("every third datagram lost: the time is known within a quarter of a second", arguments: 0..<8)
    func lossyStart(skipped: Int) throws {
        var network = network(
            SimulatedLink(there: .milliseconds(1), back: .milliseconds(1), loss: 0.33), driftPPM: -30)
        network.server.setBehaviour(.tutti, of: Self.peer, at: network.now)
        // Other datagrams are lost each time.
        network.run(for: .milliseconds(7 + 25 * skipped))
        follow(&network)
        network.run(for: .milliseconds(250))
        #expect(abs(try #require(try error(network))) < 0.000_1)
        #expect(network.server.status(of: Self.peer, at: network.now)?.state == .ready)
    }

    @Test("keeps it, with loss, jitter and drift", arguments: [-40.0, 0, 40])
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
        // It is never silent for so long that a sender would take it for lost.
        #expect(network.changes.map(\.change.state) == [.ready])
    }

    @Test("on one machine, behind the sender's own stamps: well below 10 µs")
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

    @Test("holds for minutes of silence, and knows the clock again in the sender's next session")
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

    @Test("counts who wants it")
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
            // The one that lingers gives its place away.
            #expect(isFollowed == (index < ClockFollower.mostFollowed))
        }
    }
}

@Suite("Whose clock it is")
struct FollowedIdentityTests {
    static let peer = IPAddress(192, 0, 2, 10)
    static let own = ClockIdentity(rawValue: 0x0A)
    static let source = PTPPortIdentity(clock: ClockIdentity(rawValue: 0xB0B), port: 0x8005)

    private func follower(at now: HostTime, isOwn: Bool = false) -> ClockFollower {
        var follower = ClockFollower(identity: Self.own)
        follower.follow(Self.peer, isOwn: isOwn, at: now)
        return follower
    }

    private func send(
        _ messages: [PTPMessage], to follower: inout ClockFollower, at now: HostTime,
        from address: IPAddress = peer
    ) {
        for message in messages {
            follower.receive(
                message.encoded[...], from: address, on: message.header.type.isEvent ? .event : .general,
                at: now)
        }
    }

    /// A Sync in two steps whose clock is `ahead` of host time.
    private func twoStep(
        _ number: UInt16, at now: HostTime, ahead: Int64 = 1000, source: PTPPortIdentity = source,
        correction: Int64 = 0
    ) -> [PTPMessage] {
        var sync = PTPSync(source: source, sequence: number)
        sync.header.correction = PTPCorrection(nanoseconds: correction)
        var followUp = PTPFollowUp(
            source: source, sequence: number,
            preciseOriginTimestamp: PTPTimestamp(
                NetworkTime(nanoseconds: now.nanoseconds + ahead - 3 * correction)))
        followUp.header.correction = PTPCorrection(nanoseconds: 2 * correction)
        return [.sync(sync), .followUp(followUp)]
    }

    private func announce(_ grandmaster: ClockIdentity, source: PTPPortIdentity = source) -> PTPMessage {
        var announce = PTPAnnounce(source: source, sequence: 1)
        announce.grandmaster = grandmaster
        return .announce(announce)
    }

    /// Asks and answers without delay.
    private func exchange(
        _ follower: inout ClockFollower, at now: HostTime, ahead: Int64 = 1000,
        source: PTPPortIdentity = source
    ) {
        var datagram = ClockDatagram()
        while follower.nextDatagram(into: &datagram, at: now) {
            guard datagram.isQuestion, let message = try? PTPMessage(datagram: datagram.bytes) else {
                continue
            }
            follower.questionLeft(datagram, at: now)
            let response = PTPDelayResponse(
                to: message.header, source: source,
                receiveTimestamp: PTPTimestamp(NetworkTime(nanoseconds: now.nanoseconds + ahead)))
            send([.delayResponse(response)], to: &follower, at: now)
        }
    }

    private func offset(_ follower: ClockFollower, _ identity: ClockIdentity, at now: HostTime) -> Int64? {
        follower.mapping(of: identity, at: now).map { $0.networkTime(at: now).nanoseconds - now.nanoseconds }
    }

    static let start = HostTime(nanoseconds: 1_000_000_000_000)

    @Test("a question is a Delay_Req of this profile")
    func question() throws {
        var follower = follower(at: Self.start)
        var datagram = ClockDatagram()
        let isMore = follower.nextDatagram(into: &datagram, at: Self.start)
        #expect(isMore && datagram.isQuestion && !datagram.carriesDeparture && !datagram.keepsDeparture)
        #expect(datagram.port == .event && datagram.destination == Self.peer)
        #expect(datagram.bytes.count == 44 && datagram.bytes[0] == 0x11 && datagram.bytes[1] == 2)
        let message = try PTPMessage(datagram: datagram.bytes)
        #expect(message.header.source == PTPPortIdentity(clock: Self.own, port: 0x8005))
        let again = follower.nextDatagram(into: &datagram, at: Self.start)
        #expect(!again && follower.nextDeadline == Self.start.advanced(by: DelayQuestions.secondAfter))
    }

    @Test("without an Announce a source is its own grandmaster; corrections count; halves in any order")
    func direct() throws {
        let now = Self.start
        for messages in [
            twoStep(1, at: now, correction: 700), twoStep(1, at: now, correction: 700).reversed(),
        ] {
            var follower = follower(at: now)
            exchange(&follower, at: now)
            send(messages, to: &follower, at: now)
            #expect(offset(follower, Self.source.clock, at: now) == 1000)
            #expect(offset(follower, ClockIdentity(rawValue: 0xFFFF), at: now) == nil)
        }
    }

    @Test("a Sync in one step")
    func oneStep() {
        var follower = follower(at: Self.start)
        exchange(&follower, at: Self.start, ahead: 5000)
        var sync = PTPSync(source: Self.source, sequence: 9)
        sync.header.flags.remove(.twoStep)
        sync.originTimestamp = PTPTimestamp(NetworkTime(nanoseconds: Self.start.nanoseconds + 4000))
        sync.header.correction = PTPCorrection(nanoseconds: 1000)
        send([.sync(sync)], to: &follower, at: Self.start)
        #expect(offset(follower, Self.source.clock, at: Self.start) == 5000)
    }

    @Test("both dialects are understood")
    func dialects() {
        var follower = follower(at: Self.start)
        exchange(&follower, at: Self.start)
        for message in twoStep(1, at: Self.start) {
            var bytes = message.encoded
            bytes[0] &= 0x0F
            follower.receive(bytes[...], from: Self.peer, on: .event, at: Self.start)
        }
        #expect(offset(follower, Self.source.clock, at: Self.start) == 1000)
    }

    @Test("the grandmaster of the Announce is whose time it is; another one is another clock")
    func grandmasters() {
        let (first, second) = (ClockIdentity(rawValue: 0x61), ClockIdentity(rawValue: 0x62))
        var now = Self.start
        var follower = follower(at: now)
        send([announce(first)], to: &follower, at: now)
        exchange(&follower, at: now)
        send(twoStep(1, at: now), to: &follower, at: now)
        #expect(offset(follower, first, at: now) == 1000)
        #expect(offset(follower, Self.source.clock, at: now) == nil)
        now = now.advanced(by: .milliseconds(100))
        send([announce(second)], to: &follower, at: now)
        #expect(offset(follower, first, at: now) == nil && offset(follower, second, at: now) == nil)
        now = now.advanced(by: .milliseconds(100))
        exchange(&follower, at: now, ahead: 77_000)
        send(twoStep(2, at: now, ahead: 77_000), to: &follower, at: now)
        #expect(offset(follower, second, at: now) == 77_000)
    }

    @Test("a poke by another clock of the same address changes nothing; a new one takes over after a silence")
    func otherSource() {
        var now = Self.start
        var follower = follower(at: now)
        exchange(&follower, at: now)
        send(twoStep(1, at: now), to: &follower, at: now)
        let other = PTPPortIdentity(clock: ClockIdentity(rawValue: 0xEE), port: 1)
        send(
            [announce(other.clock, source: other)] + twoStep(7, at: now, source: other), to: &follower,
            at: now)
        #expect(offset(follower, Self.source.clock, at: now) == 1000)
        #expect(offset(follower, other.clock, at: now) == nil)
        now = now.advanced(by: .seconds(2))
        // The first answer only says that it is there: the question had been another clock's.
        exchange(&follower, at: now, ahead: 9000, source: other)
        now = now.advanced(by: DelayQuestions.shortestInterval)
        exchange(&follower, at: now, ahead: 9000, source: other)
        send(twoStep(8, at: now, ahead: 9000, source: other), to: &follower, at: now)
        #expect(offset(follower, other.clock, at: now) == 9000)
        #expect(offset(follower, Self.source.clock, at: now) == nil)
    }

    @Test("strangers, answers to others and answers given twice do not count")
    func ignored() {
        let now = Self.start
        var follower = follower(at: now)
        var datagram = ClockDatagram()
        _ = follower.nextDatagram(into: &datagram, at: now)
        follower.questionLeft(datagram, at: now)
        send(twoStep(1, at: now), to: &follower, at: now, from: IPAddress(192, 0, 2, 99))
        #expect(follower.status(of: Self.peer, at: now)?.sampleCount == 0)
        send(twoStep(1, at: now), to: &follower, at: now)
        let asked = PTPDelayRequest(
            source: PTPPortIdentity(clock: Self.own, port: 0x8005), sequence: datagram.sequence
        ).header
        var response = PTPDelayResponse(
            to: asked, source: Self.source, receiveTimestamp: PTPTimestamp(NetworkTime(nanoseconds: 1)))
        response.requester.port = 1
        send([.delayResponse(response)], to: &follower, at: now)
        response.requester.port = 0x8005
        response.header.sequence &+= 1
        send([.delayResponse(response)], to: &follower, at: now)
        #expect(follower.status(of: Self.peer, at: now)?.answerCount == 0)
        response.header.sequence &-= 1
        send([.delayResponse(response), .delayResponse(response)], to: &follower, at: now)
        #expect(follower.status(of: Self.peer, at: now)?.answerCount == 1)
    }

    @Test("our own identity is our own clock, unless a process elsewhere has the same")
    func ownIdentity() {
        let now = Self.start
        #expect(offset(ClockFollower(identity: Self.own), Self.own, at: now) == 0)
        #expect(offset(follower(at: now, isOwn: true), Self.own, at: now) == 0)
        var elsewhere = follower(at: now)
        #expect(offset(elsewhere, Self.own, at: now) == 0)
        let twin = PTPPortIdentity(clock: Self.own, port: 0x8005)
        send([announce(Self.own, source: twin)], to: &elsewhere, at: now)
        #expect(offset(elsewhere, Self.own, at: now) == nil)
        exchange(&elsewhere, at: now, ahead: 123_000, source: twin)
        send(twoStep(1, at: now, ahead: 123_000, source: twin), to: &elsewhere, at: now)
        #expect(offset(elsewhere, Self.own, at: now) == 123_000)
        var other = follower(at: now)
        exchange(&other, at: now)
        send(twoStep(1, at: now), to: &other, at: now)
        #expect(offset(other, Self.own, at: now) == 0)
    }

    @Test("questions about the link are answered, within a budget")
    func peerDelay() {
        var follower = follower(at: Self.start)
        let request = PTPPeerDelayRequest(source: Self.source, sequence: 3)
        for _ in 0..<1000 { send([.peerDelayRequest(request)], to: &follower, at: Self.start) }
        var datagram = ClockDatagram()
        var kinds: [PTPMessageType] = []
        while follower.nextDatagram(into: &datagram, at: Self.start) {
            datagram.stamp(at: NetworkTime(nanoseconds: Self.start.nanoseconds))
            guard let message = try? PTPMessage(datagram: datagram.bytes) else { continue }
            kinds.append(message.header.type)
        }
        #expect(kinds.count { $0 == .peerDelayResponse } == AnswerBudget.burst)
        #expect(kinds.count { $0 == .peerDelayResponseFollowUp } == AnswerBudget.burst)
        #expect(kinds.count { $0 == .delayRequest } == 1)
    }

    @Test("random bytes never trap")
    func noise() {
        var generator = SeededGenerator(seed: 5)
        var now = Self.start
        var follower = follower(at: now)
        for round in 0..<4000 {
            let messages =
                twoStep(UInt16(truncatingIfNeeded: round / 8), at: now) + [announce(Self.source.clock)]
            var bytes = messages[round % 3].encoded
            for _ in 0..<2 {
                bytes[Int.random(in: bytes.indices, using: &generator)] = .random(
                    in: 0...255, using: &generator)
            }
            follower.receive(bytes[...], from: Self.peer, on: round % 2 == 0 ? .event : .general, at: now)
            exchange(
                &follower, at: now, ahead: .random(in: -1_000_000_000...1_000_000_000, using: &generator))
            _ = follower.statuses(at: now)
            now = now.advanced(by: .milliseconds(20))
        }
        #expect(follower.malformedCount > 50)
    }
}
