import Testing
import TuttiMediaTime
import TuttiPTP
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiClockService

@Suite("Messages of the clock server")
struct ClockServerTests {
    static let peer = IPAddress(192, 0, 2, 10)
    static let requester = PTPPortIdentity(clock: ClockIdentity(rawValue: 0xABCD), port: 7)

    private func count(_ messages: [SentMessage], _ type: PTPMessageType) -> Int {
        messages.count { $0.message.header.type == type }
    }

    @Test("everything is sent at once on arrival, densely for 1.2 s, then at the profile's pace")
    func pace() {
        var network = SimulatedNetwork()
        let start = network.now
        _ = network.server.addPeer(Self.peer, at: start)
        network.run(for: .zero)
        #expect(network.sent.map(\.message.header.type) == [.announce, .sync, .followUp, .signaling])
        network.run(until: start.advanced(by: .milliseconds(1190)))
        let dense = network.messages(to: Self.peer)
        #expect(count(dense, .sync) == 48 && count(dense, .followUp) == 48)
        let announces = dense.filter { $0.message.header.type == .announce }.map {
            $0.time.since(start).wholeNanoseconds / 1_000_000
        }
        #expect(announces == [0, 30, 80, 170, 250, 400])
        network.run(until: start.advanced(by: .milliseconds(1500)))
        let calm = network.now
        network.run(for: .seconds(10))
        let later = network.messages(to: Self.peer, since: calm.advanced(by: .microseconds(100)))
        #expect(count(later, .sync) == 80 && count(later, .announce) == 10 && count(later, .signaling) == 10)
    }

    @Test("after their dense starts, all peers are served at the same eight instants a second")
    func commonInstants() {
        var network = SimulatedNetwork()
        for host in 10..<20 {
            _ = network.server.addPeer(IPAddress(192, 0, 2, UInt8(host)), at: network.now)
            network.run(for: .milliseconds(37))
        }
        network.run(for: .seconds(2))
        let calm = network.now
        network.run(for: .seconds(10))
        let later = network.sent.filter { $0.time > calm }
        #expect(count(later, .sync) == 800 && count(later, .announce) == 100)
        // The datagrams of one wake-up leave one after the other, some microseconds apart.
        let wakes = Set(later.map { $0.time.nanoseconds / 1_000_000 })
        #expect(wakes.count == 80)
    }

    @Test("messages have the recorded ports, order, sequence numbers and bytes")
    func wire() throws {
        let file = try Vectors.dictionary("airplay/ptp-messages.json")
        let identity = try #require((file["clock_id"] as? String).flatMap { UInt64($0, radix: 16) })
        let recorded = try #require(file["messages"] as? [[String: Any]])
        var server = ClockServer(configuration: .init(identity: ClockIdentity(rawValue: identity)))
        let now = HostTime(nanoseconds: 1_003_271_802_099_809)
        _ = server.addPeer(Self.peer, localAddress: IPAddress(192, 0, 2, 1), at: now)
        var datagram = ClockDatagram()
        for entry in recorded {
            let isMore = server.nextDatagram(into: &datagram, at: now)
            #expect(isMore)
            #expect(datagram.carriesDeparture == (entry["name"] as? String == "Follow_Up"))
            datagram.stamp(at: NetworkTime(nanoseconds: now.nanoseconds))
            #expect(datagram.bytes == Vectors.bytes(hex: try #require(entry["hex"] as? String)))
            #expect(datagram.port == (entry["udp_port"] as? Int == 319 ? .event : .general))
            #expect(datagram.destination == Self.peer)
            #expect(datagram.source == IPAddress(192, 0, 2, 1))
        }
        let isMore = server.nextDatagram(into: &datagram, at: now)
        #expect(!isMore)
    }

    @Test("a Follow_Up carries its Sync's number and its own departure time")
    func stamps() {
        var network = SimulatedNetwork()
        _ = network.server.addPeer(Self.peer, at: network.now)
        network.run(for: .seconds(3))
        var lastSync: UInt16?
        for sent in network.sent {
            switch sent.message {
            case .sync(let sync): lastSync = sync.header.sequence
            case .followUp(let followUp):
                #expect(followUp.header.sequence == lastSync)
                #expect(followUp.preciseOriginTimestamp.networkTime.nanoseconds == sent.time.nanoseconds)
            default: break
            }
        }
        #expect(lastSync != nil)
    }

    @Test("restarting the service starts over; a late call does not catch up")
    func restartServing() {
        var network = SimulatedNetwork()
        _ = network.server.addPeer(Self.peer, at: network.now)
        network.run(for: .milliseconds(5050))
        let restarted = network.now
        network.server.restartServing(Self.peer, at: restarted)
        network.run(for: .milliseconds(500))
        let after = network.messages(to: Self.peer, since: restarted)
        #expect(after.first?.message.header.type == .announce)
        #expect(count(after, .announce) == 6)
        #expect(count(after, .sync) >= 20)
        network.now = network.now.advanced(by: .seconds(60))
        let before = network.sent.count
        network.run(for: .zero)
        #expect(network.sent.count - before <= 4)
    }

    @Test("a removed peer is served for 0.6 s more, then forgotten")
    func linger() throws {
        var network = SimulatedNetwork()
        _ = network.server.addPeer(Self.peer, at: network.now)
        network.run(for: .seconds(5))
        let removed = network.now
        network.server.removePeer(Self.peer, at: removed)
        #expect(network.server.status(of: Self.peer, at: removed) == nil)
        #expect(!network.server.isIdle)
        network.run(for: .seconds(5))
        let after = network.messages(to: Self.peer, since: removed.advanced(by: .microseconds(100)))
        #expect(count(after, .followUp) >= 4)
        #expect(try #require(after.last).time <= removed.advanced(by: .milliseconds(601)))
        #expect(network.server.isIdle && network.server.nextDeadline == nil)
    }

    @Test("with two sessions to one receiver, the first to leave does not take the clock away")
    func twoSessions() {
        var network = SimulatedNetwork()
        _ = network.server.addPeer(Self.peer, at: network.now)
        _ = network.server.addPeer(Self.peer, at: network.now)
        network.server.removePeer(Self.peer, at: network.now)
        network.run(for: .seconds(5))
        #expect(network.server.status(of: Self.peer, at: network.now) != nil)
        network.server.removePeer(Self.peer, at: network.now)
        network.server.removePeer(Self.peer, at: network.now)
        network.run(for: .milliseconds(300))
        // A session that starts during the linger continues without a gap.
        _ = network.server.addPeer(Self.peer, at: network.now)
        network.run(for: .seconds(5))
        #expect(network.server.status(of: Self.peer, at: network.now) != nil)
        let syncs = network.sent.filter { $0.message.header.type == .sync }
        let gaps = zip(syncs.dropFirst(), syncs).map { $0.time.since($1.time) }
        #expect(gaps.allSatisfy { $0 <= .milliseconds(126) })
        network.server.removePeer(Self.peer, at: network.now)
        network.run(for: .seconds(1))
        #expect(network.server.isIdle)
    }

    @Test("a delay request is answered to the requester, with arrival time and correction copied")
    func delayResponse() throws {
        var network = SimulatedNetwork()
        _ = network.server.addPeer(Self.peer, behaviour: .thirdParty, at: network.now)
        network.run(for: .seconds(2))
        var request = PTPDelayRequest(source: Self.requester, sequence: 0xBEEF)
        request.header.correction = PTPCorrection(rawValue: 0x55_1234)
        let before = network.sent.count
        network.inject(PTPMessage.delayRequest(request).encoded, from: Self.peer)
        #expect(network.sent.count == before + 1)
        let answer = try #require(network.sent.last)
        guard case .delayResponse(let response) = answer.message else {
            Issue.record("not a Delay_Resp")
            return
        }
        #expect(answer.port == .general && answer.destination == Self.peer)
        #expect(answer.message.encoded.count == 54)
        #expect(response.header.sequence == 0xBEEF && response.requester == Self.requester)
        #expect(response.header.correction == request.header.correction)
        #expect(response.header.flags.rawValue == 0x0608)
        #expect(response.receiveTimestamp.networkTime.nanoseconds == network.now.nanoseconds)
        network.inject(PTPMessage.delayRequest(request).encoded, from: Self.peer, on: .general)
        #expect(network.sent.count == before + 1)
    }

    @Test("the first request of a peer just found to measure is answered with the plain time")
    func plainFirstAnswer() throws {
        var network = SimulatedNetwork()
        _ = network.server.addPeer(
            Self.peer, behaviour: .unknown, pathDelay: .microseconds(400), at: network.now)
        network.run(for: .milliseconds(100))
        network.server.setBehaviour(.tutti, of: Self.peer, at: network.now)
        let question = PTPDelayRequest(source: Self.requester, sequence: 1)
        let before = network.sent.count
        network.inject(PTPMessage.delayRequest(question).encoded, from: Self.peer)
        guard case .delayResponse(let response) = network.sent[before].message else {
            Issue.record("not a Delay_Resp")
            return
        }
        #expect(response.receiveTimestamp.networkTime.nanoseconds == network.now.nanoseconds)
    }

    @Test("one of our followers gets everything it needs after its first answer, and only then")
    func quickFollower() {
        var network = SimulatedNetwork()
        _ = network.server.addPeer(Self.peer, behaviour: .tutti, at: network.now)
        network.run(for: .milliseconds(130))
        for expected: [PTPMessageType] in [[.delayResponse, .announce, .sync, .followUp], [.delayResponse]] {
            let before = network.sent.count
            let question = PTPDelayRequest(source: Self.requester, sequence: 1)
            network.inject(PTPMessage.delayRequest(question).encoded, from: Self.peer)
            #expect(network.sent[before...].map(\.message.header.type) == expected)
        }
    }

    @Test(
        "a measuring peer's Follow_Up has its Sync's departure, another peer's has its own")
    func whoseDeparture() {
        for (behaviour, isSync) in [(ClockPeerBehaviour.tutti, true), (.shairportSync, false)] {
            var network = SimulatedNetwork()
            _ = network.server.addPeer(Self.peer, behaviour: behaviour, at: network.now)
            network.run(for: .seconds(2))
            var syncDeparture: HostTime?
            for sent in network.sent {
                if case .sync = sent.message { syncDeparture = sent.time }
                guard case .followUp(let followUp) = sent.message else { continue }
                let time = followUp.preciseOriginTimestamp.networkTime
                #expect(time.nanoseconds == (isSync ? syncDeparture : sent.time)?.nanoseconds)
            }
            #expect(syncDeparture != nil)
        }
    }

    @Test("requests under our own identity are answered: another process of this machine shares it")
    func twin() {
        var network = SimulatedNetwork()
        _ = network.server.addPeer(Self.peer, behaviour: .thirdParty, at: network.now)
        network.run(for: .seconds(2))
        let twin = PTPPortIdentity(clock: network.server.configuration.identity, port: 1)
        let before = network.sent.count
        network.inject(
            PTPMessage.delayRequest(PTPDelayRequest(source: twin, sequence: 1)).encoded, from: Self.peer)
        #expect(network.sent.count == before + 1)
        network.inject(
            PTPMessage.announce(PTPAnnounce(source: twin, sequence: 1)).encoded, from: Self.peer, on: .general
        )
        #expect(network.server.status(of: Self.peer, at: network.now)?.announceCount == 0)
    }

    @Test("a link delay request is answered by two messages on two ports")
    func peerDelay() throws {
        var network = SimulatedNetwork()
        _ = network.server.addPeer(Self.peer, behaviour: .thirdParty, at: network.now)
        network.run(for: .seconds(2))
        let request = PTPPeerDelayRequest(source: Self.requester, sequence: 3)
        network.inject(PTPMessage.peerDelayRequest(request).encoded, from: Self.peer)
        let answers = network.sent.suffix(2)
        #expect(answers.map(\.port) == [.event, .general])
        #expect(answers.map(\.message.header.type) == [.peerDelayResponse, .peerDelayResponseFollowUp])
        guard case .peerDelayResponse(let first)? = answers.first?.message,
            case .peerDelayResponseFollowUp(let second)? = answers.last?.message
        else { return }
        #expect(first.requestReceiptTimestamp.networkTime.nanoseconds == network.now.nanoseconds)
        #expect(second.responseOriginTimestamp.networkTime.nanoseconds == answers.last?.time.nanoseconds)
        #expect(first.requester == Self.requester && second.requester == Self.requester)
    }

    @Test("a negotiation is granted")
    func negotiation() throws {
        var network = SimulatedNetwork()
        _ = network.server.addPeer(Self.peer, at: network.now)
        network.run(for: .seconds(2))
        let request = PTPSignaling(
            source: Self.requester, sequence: 5, target: .zero, flags: [.unicast], logInterval: 0x7F,
            tlvs: [.unicastRequest(PTPUnicastRequest(messageType: 0xB, logInterval: 0, durationSeconds: 60))])
        network.inject(PTPMessage.signaling(request).encoded, from: Self.peer, on: .general)
        guard case .signaling(let grant)? = network.sent.last?.message else {
            Issue.record("no grant")
            return
        }
        #expect(grant.header.sequence == 5 && grant.target == Self.requester)
        let count = network.sent.count
        network.inject(
            PTPMessage.signaling(.periodic(source: Self.requester, sequence: 6)).encoded, from: Self.peer,
            on: .general)
        #expect(network.sent.count == count)
    }

    @Test("strangers get no answer; malformed messages are counted; a follower's Announce changes nothing")
    func ignored() throws {
        var network = SimulatedNetwork()
        _ = network.server.addPeer(Self.peer, at: network.now)
        network.run(for: .seconds(2))
        let before = network.sent.count
        let question = PTPMessage.delayRequest(PTPDelayRequest(source: Self.requester, sequence: 1)).encoded
        network.inject(question, from: IPAddress(203, 0, 113, 5))
        network.inject([], from: Self.peer)
        network.inject([1, 2, 3], from: Self.peer)
        var better = PTPAnnounce(source: Self.requester, sequence: 1)
        better.priority1 = 1
        network.inject(PTPMessage.announce(better).encoded, from: Self.peer, on: .general)
        #expect(network.sent.count == before)
        #expect(network.server.strangerCount == 1 && network.server.malformedCount == 2)
        let status = try #require(network.server.status(of: Self.peer, at: network.now))
        #expect(status.announceCount == 1 && status.announcedGrandmaster == Self.requester.clock)
        #expect(status.role == .timeTransmitter)
    }

    @Test("a flood is answered within the budget and delays nobody's Sync")
    func flood() throws {
        var network = SimulatedNetwork()
        let other = IPAddress(192, 0, 2, 11)
        _ = network.server.addPeer(Self.peer, at: network.now)
        _ = network.server.addPeer(other, at: network.now)
        // Between two instants of Sync.
        network.run(for: .milliseconds(3010))
        let start = network.now
        let question = PTPMessage.delayRequest(PTPDelayRequest(source: Self.requester, sequence: 1)).encoded
        for _ in 0..<1000 {
            for _ in 0..<5 { network.inject(question, from: Self.peer) }
            network.run(for: .milliseconds(1))
        }
        let after = network.sent.filter { $0.time > start }
        #expect(count(after, .delayResponse) <= AnswerBudget.burst + AnswerBudget.perSecond + 1)
        #expect(count(after.filter { $0.destination == other }, .followUp) == 8)
        let status = try #require(network.server.status(of: Self.peer, at: network.now))
        #expect(status.refusedRequestCount > 4_800)
    }

    @Test("random bytes never trap")
    func noise() {
        var generator = SeededGenerator(seed: 11)
        var network = SimulatedNetwork()
        _ = network.server.addPeer(Self.peer, at: network.now)
        let samples: [PTPMessage] = [
            .delayRequest(PTPDelayRequest(source: Self.requester, sequence: 1)),
            .peerDelayRequest(PTPPeerDelayRequest(source: Self.requester, sequence: 1)),
            .signaling(.periodic(source: Self.requester, sequence: 1)),
            .announce(PTPAnnounce(source: Self.requester, sequence: 1)),
        ]
        for round in 0..<2000 {
            var bytes = samples[round % samples.count].encoded
            for _ in 0..<3 {
                bytes[Int.random(in: bytes.indices, using: &generator)] = .random(
                    in: 0...255, using: &generator)
            }
            network.inject(bytes, from: Self.peer, on: round % 2 == 0 ? .event : .general)
            network.run(for: .milliseconds(20))
        }
        #expect(network.server.malformedCount > 50)
    }

    @Test("the number of peers is limited")
    func limit() {
        var network = SimulatedNetwork()
        for index in 0..<ClockServer.mostPeers {
            let address = IPAddress(10, 0, UInt8(index / 256), UInt8(index % 256))
            let isAdded = network.server.addPeer(address, at: network.now)
            #expect(isAdded)
        }
        let isAdded = network.server.addPeer(Self.peer, at: network.now)
        #expect(!isAdded)
        network.run(for: .zero)
        #expect(Set(network.sent.map(\.destination)).count == ClockServer.mostPeers)
    }

    @Test("the identity is stable, has bit 63 clear, and is no other machine's")
    func identity() {
        let first = ClockIdentity.ofHost(hardwareAddress: [2, 0, 0, 0, 0, 1], machine: "a")
        #expect(first == ClockIdentity.ofHost(hardwareAddress: [2, 0, 0, 0, 0, 1], machine: "a"))
        #expect(first != ClockIdentity.ofHost(hardwareAddress: [2, 0, 0, 0, 0, 2], machine: "a"))
        #expect(first != ClockIdentity.ofHost(hardwareAddress: [2, 0, 0, 0, 0, 1], machine: "b"))
        #expect(ClockIdentity.ofThisHost() == ClockIdentity.ofThisHost())
        #expect(ClockIdentity.ofThisHost() == ClockIdentity.ofHost(SystemMachine()))
        for index in 0..<200 {
            let identity = ClockIdentity.ofHost(hardwareAddress: [], machine: "\(index)")
            #expect(Int64(bitPattern: identity.rawValue) > 0)
        }
    }
}
