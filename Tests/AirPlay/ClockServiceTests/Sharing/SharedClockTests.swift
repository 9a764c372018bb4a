import Testing
import TuttiMediaTime
import TuttiPTP
import TuttiSystemIO

@testable import TuttiClockService

@Suite("Requests of programs that share a clock")
struct SharedClockTests {
    private static let own = ClockIdentity(rawValue: 0x77)
    private static let speaker = IPAddress(192, 0, 2, 9)
    private static let sender = IPAddress(192, 0, 2, 1)
    private let start = HostTime(nanoseconds: 1_000_000_000_000)

    private func add(_ address: IPAddress, _ behaviour: ClockPeerBehaviour = .unknown) -> ClockCommand {
        .addPeer(address, behaviour, pathDelay: .zero, localAddress: nil)
    }

    private func after(_ milliseconds: Int64) -> HostTime { start.advanced(by: .milliseconds(milliseconds)) }

    private func question(_ sequence: UInt16) -> [UInt8] {
        let source = PTPPortIdentity(clock: ClockIdentity(rawValue: 0x99), port: 1)
        return PTPMessage.delayRequest(PTPDelayRequest(source: source, sequence: sequence)).encoded
    }

    @Test("a peer of two programs is served until both have released it, or have ended")
    func counted() {
        var clock = SharedClock(identity: Self.own)
        #expect(clock.apply(add(Self.speaker), of: 1, at: start) == true)
        #expect(clock.apply(add(Self.speaker), of: 2, at: start) == true)
        #expect(clock.apply(add(Self.speaker), of: 2, at: start) == true)
        #expect(clock.programs(concernedBy: Self.speaker).sorted() == [1, 2])
        clock.leave(2, at: after(1))
        #expect(clock.server.status(of: Self.speaker, at: after(2)) != nil)
        #expect(clock.programs(concernedBy: Self.speaker) == [1])
        #expect(clock.apply(.removePeer(Self.speaker), of: 2, at: after(3)) == false)
        #expect(clock.apply(.removePeer(Self.speaker), of: 1, at: after(4)) == true)
        #expect(clock.server.status(of: Self.speaker, at: after(5)) == nil)
        // The peer is served a little longer, like after a session of this program.
        #expect(clock.server.isLingering)
        clock.server.handleTimeout(at: after(1000))
        #expect(clock.server.isIdle)
    }

    @Test("a program cannot change peers that it did not add")
    func foreign() {
        var clock = SharedClock(identity: Self.own)
        #expect(clock.apply(add(Self.speaker, .tutti), of: 1, at: start) == true)
        for command in [
            ClockCommand.removePeer(Self.speaker), .restartServing(Self.speaker), .unfollow(Self.speaker),
            .setBehaviour(.unknown, of: Self.speaker), .setPathDelay(.seconds(1), of: Self.speaker),
        ] {
            #expect(clock.apply(command, of: 2, at: start) == false)
        }
        #expect(clock.server.status(of: Self.speaker, at: start)?.servedPathDelay == .zero)
    }

    @Test("each program has its own limits")
    func limits() {
        var clock = SharedClock(identity: Self.own)
        func address(_ index: Int) -> IPAddress { IPAddress(10, 1, UInt8(index / 256), UInt8(index % 256)) }
        for index in 0..<ClockLedger.mostPeers {
            #expect(clock.apply(add(address(index)), of: 1, at: start) == true)
        }
        #expect(clock.apply(add(address(999)), of: 1, at: start) == false)
        #expect(clock.apply(add(address(999)), of: 2, at: start) == true)
        for index in 0..<ClockLedger.mostFollowed {
            #expect(
                clock.apply(.follow(address(index), localAddress: nil, isOwn: false), of: 1, at: start)
                    == true)
        }
        #expect(
            clock.apply(.follow(address(999), localAddress: nil, isOwn: false), of: 1, at: start) == false)
        #expect(clock.apply(.follow(address(999), localAddress: nil, isOwn: false), of: 2, at: start) == true)
    }

    @Test(
        "a program that only listens knows the ready peers, and restores them in the next server")
    func readyPeersSurvive() throws {
        // The program does not serve: it receives what the owner forwards, and drops its own messages.
        var member = SharedClock(identity: Self.own)
        var datagram = ClockDatagram()
        #expect(member.apply(add(Self.speaker, .apple), of: SharedClock.here, at: start) == true)
        for index in 0..<4 {
            let now = after(Int64(125 * (index + 1)))
            member.server.handleTimeout(at: now)
            while member.nextDatagram(into: &datagram, at: now) {}
            member.receive(question(UInt16(index))[...], from: Self.speaker, on: .event, at: now)
        }
        member.server.handleTimeout(at: after(1000))
        let known = try #require(member.server.status(of: Self.speaker, at: after(1000)))
        #expect(known.state == .ready && known.delayRequestCount == 4)

        var successor = SharedClock(identity: Self.own)
        for command in member.restoration(at: after(1001)) {
            let sent = try ClockMessage(ClockMessage.command(command).encoded)
            guard case .command(let received) = sent else { continue }
            #expect(successor.apply(received, of: 1, at: after(1001)) == true)
        }
        let restored = try #require(successor.server.status(of: Self.speaker, at: after(1001)))
        #expect(restored.state == .ready && restored.readyTime == known.readyTime)
        #expect(restored.delayRequestCount == 4)
        // The peer is served at once, with numbers beyond those of the previous program.
        var sequences: [UInt16] = []
        while successor.nextDatagram(into: &datagram, at: after(1001)) {
            let message = try PTPMessage(datagram: datagram.bytes)
            if case .sync(let sync) = message { sequences.append(sync.header.sequence) }
        }
        #expect(sequences.count == 1 && sequences[0] > 256)
        // The program ends, and its peer with it.
        successor.leave(1, at: after(1100))
        successor.server.handleTimeout(at: after(2000))
        #expect(successor.server.isIdle)
    }

    @Test("a leader of one program is not offered our clock by any server, and is after the program's end")
    func leaders() throws {
        func offers(_ clock: inout SharedClock, at now: HostTime) -> Int {
            var (datagram, count) = (ClockDatagram(), 0)
            clock.server.handleTimeout(at: now)
            while clock.nextDatagram(into: &datagram, at: now) {
                guard let message = try? PTPMessage(datagram: datagram.bytes) else { continue }
                if [.announce, .sync, .followUp].contains(message.header.type) { count += 1 }
            }
            return count
        }
        var member = SharedClock(identity: Self.own)
        let commands = [ClockCommand.yield(Self.speaker, localAddress: nil, isOwn: false), add(Self.speaker)]
        for command in commands { #expect(member.apply(command, of: SharedClock.here, at: start) == true) }
        #expect(member.apply(.unfollow(Self.speaker), of: SharedClock.here, at: start) == false)
        #expect(offers(&member, at: start) == 0)

        var successor = SharedClock(identity: Self.own)
        for command in member.restoration(at: start) {
            guard case .command(let received) = try ClockMessage(ClockMessage.command(command).encoded) else {
                continue
            }
            #expect(successor.apply(received, of: 1, at: start) == true)
            #expect(offers(&successor, at: start) == 0)
        }
        #expect(successor.server.status(of: Self.speaker, at: start)?.role == .timeReceiver)
        // Another program serves the same speaker: it is offered our clock when it leads no longer.
        #expect(successor.apply(add(Self.speaker), of: 2, at: start) == true)
        #expect(offers(&successor, at: after(100)) == 0)
        #expect(successor.apply(.endYield(Self.speaker), of: 2, at: after(100)) == false)
        successor.leave(1, at: after(200))
        #expect(offers(&successor, at: after(300)) > 0)
        #expect(successor.server.status(of: Self.speaker, at: after(300))?.role == .timeTransmitter)
    }

    @Test("a followed clock's line continues in the successor, without a new estimate")
    func linesSurvive() throws {
        var serving = SharedClock(identity: Self.own)
        var member = SharedClock(identity: Self.own)
        let master = ClockIdentity(rawValue: 0x51)
        let ahead: Int64 = 5_000_000_000
        let port = PTPPortIdentity(clock: master, port: 1)
        let command = ClockCommand.follow(Self.sender, localAddress: nil, isOwn: false)
        #expect(serving.apply(command, of: 1, at: start) == true)
        #expect(member.apply(command, of: SharedClock.here, at: start) == true)
        var datagram = ClockDatagram()
        func network(_ time: HostTime) -> PTPTimestamp {
            PTPTimestamp(NetworkTime(nanoseconds: time.nanoseconds + ahead))
        }
        /// Both programs receive it, the member from the owner.
        func deliver(_ message: PTPMessage, _ clockPort: ClockPort, at time: HostTime) {
            serving.receive(message.encoded[...], from: Self.sender, on: clockPort, at: time)
            member.receive(message.encoded[...], from: Self.sender, on: clockPort, at: time)
        }
        /// One program sends requests; `other` sees the answers.
        func ask(_ asking: inout SharedClock, _ other: inout SharedClock, at now: HostTime) -> [UInt16] {
            var sequences: [UInt16] = []
            while asking.nextDatagram(into: &datagram, at: now) {
                guard datagram.isQuestion else { continue }
                asking.follower.questionLeft(datagram, at: now)
                other.follower.questionLeft(to: Self.sender, sequence: datagram.sequence, at: now)
                sequences.append(datagram.sequence)
            }
            return sequences
        }
        var last: UInt16 = 0
        for index in 0..<40 {
            let now = after(Int64(index) * 125)
            deliver(.sync(PTPSync(source: port, sequence: UInt16(index))), .event, at: now)
            let origin = network(now.advanced(by: .microseconds(-100)))
            deliver(
                .followUp(
                    PTPFollowUp(source: port, sequence: UInt16(index), preciseOriginTimestamp: origin)),
                .general, at: now)
            while member.nextDatagram(into: &datagram, at: now) {}
            for sequence in ask(&serving, &member, at: now) {
                last = sequence
                let question = PTPDelayRequest(
                    source: PTPPortIdentity(clock: Self.own, port: ClockServer.portNumber), sequence: sequence
                )
                let answer = PTPDelayResponse(
                    to: question.header, source: port,
                    receiveTimestamp: network(now.advanced(by: .microseconds(100))))
                deliver(.delayResponse(answer), .general, at: now.advanced(by: .microseconds(200)))
            }
        }
        let now = after(5000)
        let mapping = try #require(member.follower.mapping(of: master, at: now))
        #expect(mapping == serving.follower.mapping(of: master, at: now))
        #expect(abs(mapping.network.nanoseconds - now.nanoseconds - ahead) < 1000)
        // The member takes over: its next request has the next number, its line is the same.
        var gone = serving
        let next = ask(&member, &gone, at: now)
        #expect(next.first == last &+ 1 || next.isEmpty)
        #expect(member.follower.mapping(of: master, at: now) == mapping)
    }

    @Test("other programs' peers are not visible to this program")
    func visibility() {
        var clock = SharedClock(identity: Self.own)
        #expect(clock.apply(add(Self.speaker), of: 1, at: start) == true)
        #expect(!clock.isOwnPeer(Self.speaker))
        #expect(clock.apply(add(Self.speaker), of: SharedClock.here, at: start) == true)
        #expect(clock.isOwnPeer(Self.speaker) && clock.restoration(at: start).count == 1)
        clock.removeOtherPrograms(at: start)
        #expect(clock.server.status(of: Self.speaker, at: start) != nil)
        clock.leave(SharedClock.here, at: start)
        #expect(clock.restoration(at: start).isEmpty)
    }
}
