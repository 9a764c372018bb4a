import Testing
import TuttiMediaTime
import TuttiPTP
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiClockService

@Suite("Speakers that insist on their clock")
struct LeadingSpeakerTests {
    private static func following(driftPPM: Double = 40) -> LeadingSimulation {
        var simulation = LeadingSimulation()
        simulation.speaker.driftPPM = driftPPM
        let isTaken = simulation.yield() && simulation.addPeer(LeadingSpeaker.address)
        #expect(isTaken)
        return simulation
    }

    @Test(
        "a speaker's clock is known within a second, and to 100 µs after five, while another speaker follows ours",
        arguments: [40.0, -40, 0, 100])
    func follows(driftPPM: Double) throws {
        var simulation = Self.following(driftPPM: driftPPM)
        let isServed = simulation.addPeer(LeadingSimulation.follower)
        #expect(isServed)
        simulation.run(for: .seconds(1))
        let leader = try #require(simulation.leader)
        #expect(leader.identity == simulation.speaker.identity && leader.generation == 0)
        let settled = try #require(leader.settledSince).since(LeadingSimulation.start)
        #expect(settled > .milliseconds(100) && settled < .milliseconds(800))
        #expect(try #require(simulation.error) < .milliseconds(1))
        simulation.run(for: .seconds(4))
        #expect(try #require(simulation.error) <= .microseconds(100))
        simulation.run(for: .seconds(25))
        #expect(try #require(simulation.error) <= .microseconds(5))
        #expect(abs(try #require(simulation.leader).mapping.rateRatio - 1 - driftPPM * 1e-6) < 1e-6)
        #expect(simulation.worstStep < 2_000, "no message moves the line noticeably")
        // The speaker never heard our clock, but its own requests were answered.
        #expect(simulation.speaker.offerCount == 0 && simulation.speaker.answerCount >= 29)
        #expect(
            simulation.clock.server.status(of: LeadingSpeaker.address, at: simulation.now)?.role
                == .timeReceiver)
        #expect(simulation.toFollower[.sync, default: 0] > 200)
        #expect(
            simulation.clock.server.status(of: LeadingSimulation.follower, at: simulation.now)?.role
                == .timeTransmitter)
    }

    @Test(
        "a speaker that has heard our clock leads once it is offered no longer, and loses it again afterwards"
    )
    func late() throws {
        var simulation = LeadingSimulation()
        let isServed = simulation.addPeer(LeadingSpeaker.address)
        #expect(isServed)
        simulation.run(for: .seconds(2))
        #expect(simulation.speaker.offerCount > 0 && simulation.leader == nil)
        let isFollowed = simulation.yield()
        #expect(isFollowed)
        let offers = simulation.speaker.offerCount
        simulation.run(for: .seconds(6))
        #expect(simulation.speaker.offerCount == offers)
        #expect(try #require(simulation.error) <= .microseconds(100))
        let isEnded = simulation.apply(.endYield(LeadingSpeaker.address))
        #expect(isEnded)
        simulation.run(for: .seconds(1))
        #expect(simulation.speaker.offerCount > offers)
    }

    @Test("messages queued for a speaker are not sent any more once it leads")
    func queued() {
        var simulation = LeadingSimulation()
        let isTaken = simulation.addPeer(LeadingSpeaker.address) && simulation.yield()
        #expect(isTaken)
        simulation.run(for: .seconds(1))
        #expect(simulation.speaker.offerCount == 0)
    }

    @Test("a session that ends with a speaker that leads leaves no linger in which our clock is offered")
    func ends() {
        var simulation = Self.following()
        simulation.run(for: .seconds(1))
        let isEnded =
            simulation.apply(.removePeer(LeadingSpeaker.address))
            && simulation.apply(.endYield(LeadingSpeaker.address))
        #expect(isEnded)
        simulation.run(for: .seconds(2))
        #expect(simulation.speaker.offerCount == 0 && simulation.clock.server.isIdle)
    }

    @Test("two sessions with one speaker: it leads until both have ended")
    func counted() {
        var simulation = Self.following()
        let isTaken = simulation.yield()
        #expect(isTaken)
        simulation.run(for: .seconds(1))
        let isEnded = simulation.apply(.endYield(LeadingSpeaker.address))
        #expect(isEnded)
        simulation.run(for: .seconds(1))
        #expect(simulation.speaker.offerCount == 0 && simulation.leader != nil)
        let (isLast, isTooMuch) = (
            simulation.apply(.endYield(LeadingSpeaker.address)),
            simulation.apply(.endYield(LeadingSpeaker.address))
        )
        #expect(isLast && !isTooMuch)
        simulation.run(for: .seconds(1))
        #expect(simulation.speaker.offerCount > 0)
    }

    // MARK: Speakers that fall silent or restart

    @Test("the last line goes on while a speaker is silent")
    func silent() throws {
        var simulation = Self.following()
        simulation.run(for: .seconds(30))
        simulation.speaker.isSilent = true
        simulation.run(for: .seconds(20))
        let leader = try #require(simulation.leader)
        #expect(simulation.now.since(try #require(leader.lastHeard)) > .seconds(19))
        #expect(try #require(simulation.error) < .microseconds(50))
        simulation.speaker.isSilent = false
        simulation.run(for: .seconds(5))
        #expect(try #require(simulation.error) < .microseconds(50))
        #expect(simulation.leader?.generation == 0)
    }

    @Test(
        "a restarted speaker with a new epoch or a new identity is followed anew",
        arguments: [0x27, 0x28] as [UInt64])
    func restarted(identity: UInt64) throws {
        var simulation = Self.following()
        simulation.run(for: .seconds(10))
        let before = try #require(simulation.leader)
        simulation.speaker.isSilent = true
        simulation.run(for: .seconds(3))
        simulation.speaker.isSilent = false
        simulation.speaker.epoch -= 300_000_000_000
        simulation.speaker.identity = ClockIdentity(rawValue: identity)
        simulation.run(for: .seconds(2))
        let after = try #require(simulation.leader)
        #expect(after.identity == ClockIdentity(rawValue: identity))
        #expect(after.generation > before.generation)
        simulation.run(for: .seconds(5))
        #expect(try #require(simulation.error) <= .microseconds(100))
        #expect(simulation.clock.follower.followed.count == 1)
    }

    @Test("no message of a speaker ends in a trap, a loop or growth")
    func hostile() throws {
        var generator = SeededGenerator(seed: 9)
        var simulation = Self.following()
        simulation.run(for: .seconds(1))
        let seconds: [UInt64] = [0, 1, 1 << 31, (1 << 48) - 1]
        for round in 0..<4000 {
            let source = PTPPortIdentity(
                clock: ClockIdentity(
                    rawValue: [0x27, 0x28, 0x0A, 0, .max].randomElement(using: &generator) ?? 0),
                port: 1)
            let sequence = UInt16(round & 3)
            let stamp = try PTPTimestamp(
                seconds: seconds.randomElement(using: &generator) ?? 0,
                nanoseconds: UInt32.random(in: 0..<1_000_000_000, using: &generator))
            var announce = PTPAnnounce(source: source, sequence: sequence)
            announce.grandmaster = ClockIdentity(rawValue: UInt64.random(in: 0...3, using: &generator))
            var followUp = PTPFollowUp(source: source, sequence: sequence, preciseOriginTimestamp: stamp)
            followUp.header.correction = PTPCorrection(
                rawValue: Int64.random(in: .min ... .max, using: &generator))
            let asked = PTPDelayRequest(
                source: PTPPortIdentity(clock: ClockIdentity(rawValue: 0x0A), port: 0x8005),
                sequence: UInt16(round & 255))
            let messages: [PTPMessage] = [
                .announce(announce), .sync(PTPSync(source: source, sequence: sequence)), .followUp(followUp),
                .delayResponse(PTPDelayResponse(to: asked.header, source: source, receiveTimestamp: stamp)),
            ]
            guard let message = messages.randomElement(using: &generator) else { continue }
            simulation.inject(message.encoded, on: message.header.type.isEvent ? .event : .general)
            if round % 16 == 0 { simulation.run(for: .milliseconds(5)) }
            _ = simulation.leader
        }
        #expect(simulation.clock.follower.followed.count == 1)
        // The true speaker is followed again a while after the noise.
        simulation.run(for: .seconds(12))
        #expect(try #require(simulation.error) <= .milliseconds(1))
    }

    // MARK: Speakers that should lead

    @Test("a served speaker that keeps announcing its own clock is reported")
    func insists() {
        var simulation = LeadingSimulation()
        let isServed = simulation.addPeer(LeadingSpeaker.address)
        #expect(isServed)
        func claimed() -> ClockIdentity? {
            simulation.clock.server.status(of: LeadingSpeaker.address, at: simulation.now)?.insistsOn
        }
        simulation.run(for: .seconds(15))
        #expect(claimed() == nil)
        simulation.run(for: .seconds(30))
        #expect(claimed() == simulation.speaker.identity)
        // A speaker that leads is not reported.
        let isFollowed = simulation.yield()
        #expect(isFollowed && claimed() == nil)
    }

    private static let serving = HostTime(nanoseconds: 0)
    private static let claims: [(String, announces: [Double], at: Double, insists: Bool)] = [
        ("no Announce", [], 60, false),
        ("three at the beginning", [0.1, 0.3, 0.4], 60, false),
        ("one late", [20], 21, false),
        ("two late", [20, 40], 41, true),
        ("two of one burst", [20, 20.2], 21, false),
        ("often", [6, 7, 8.5], 9, true),
        ("then no more", [20, 40], 101, false),
        ("again after a long pause", [20, 90], 91, false),
    ]

    @Test("Announces after the first seconds that go on make a claim", arguments: claims.indices)
    func claim(index: Int) {
        let (name, announces, at, insists) = Self.claims[index]
        func time(_ seconds: Double) -> HostTime { HostTime(nanoseconds: Int64(seconds * 1e9)) }
        let identity = ClockIdentity(rawValue: 0x27)
        var claim = LeadershipClaim()
        for announce in announces { claim.announced(identity, servedSince: Self.serving, at: time(announce)) }
        #expect((claim.insists(at: time(at)) == identity) == insists, "\(name)")
        var unserved = LeadershipClaim()
        for announce in announces { unserved.announced(identity, servedSince: nil, at: time(announce)) }
        #expect(unserved.insists(at: time(at)) == nil)
    }
}
