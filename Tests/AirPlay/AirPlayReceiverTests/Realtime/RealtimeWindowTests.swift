import Testing
import TuttiMediaTime
import TuttiRTP
import TuttiTestSupport

@testable import AirPlayReceiver

@Suite("Realtime packet window")
struct RealtimeWindowTests {
    static func packet(_ number: Int) -> RealtimePacket {
        RealtimePacket(
            sequenceNumber: UInt16(truncatingIfNeeded: number),
            rtpTime: RTPTime(rawValue: UInt32(truncatingIfNeeded: number * 352)), payload: [1])
    }

    static func time(_ milliseconds: Int) -> HostTime {
        HostTime(nanoseconds: Int64(milliseconds) * 1_000_000)
    }

    private func numbers(_ packets: [RealtimePacket]) -> [UInt16] { packets.map(\.sequenceNumber) }

    @Test("packets in order pass straight through, also across the wrap")
    func straight() {
        var window = RealtimeWindow()
        for number in 65_530..<65_545 {
            let ready = window.receive(Self.packet(number), at: Self.time(number))
            #expect(numbers(ready) == [UInt16(truncatingIfNeeded: number)])
        }
        #expect(window.nextDeadline { _ in nil } == nil)
    }

    @Test("the next deadline is a resend request's, or that of a hole that expires first")
    func deadlines() {
        var window = RealtimeWindow()
        _ = window.receive(Self.packet(1), at: Self.time(0))
        _ = window.receive(Self.packet(3), at: Self.time(0))
        #expect(window.nextDeadline { _ in Self.time(2000) } == Self.time(100))
        #expect(window.nextDeadline { _ in Self.time(150) } == Self.time(50))
        _ = window.handleTime(Self.time(1300)) { _ in nil }
        #expect(window.nextDeadline { _ in nil } == Self.time(1500))
    }

    @Test("a late packet comes out in order, a duplicate not at all")
    func reordered() {
        var window = RealtimeWindow()
        var out: [UInt16] = []
        for number in [10, 12, 13, 12, 11, 11, 14, 10] {
            out += numbers(window.receive(Self.packet(number), at: Self.time(0)))
        }
        #expect(out == [10, 11, 12, 13, 14])
        #expect(window.refusedCount == 3)
        #expect(window.waitingCount == 0)
    }

    @Test("a hole is requested after 100 ms and every 250 ms, together with its neighbours")
    func requests() {
        var window = RealtimeWindow()
        _ = window.receive(Self.packet(1), at: Self.time(0))
        _ = window.receive(Self.packet(4), at: Self.time(0))
        _ = window.receive(Self.packet(6), at: Self.time(10))
        func ask(_ milliseconds: Int) -> [RealtimeControlPacket.ResendRequest] {
            window.handleTime(Self.time(milliseconds)) { _ in Self.time(2000) }.requests
        }
        #expect(ask(99) == [])
        #expect(ask(100) == [.init(first: 2, count: 2)])
        #expect(ask(110) == [.init(first: 5, count: 1)])
        #expect(ask(349) == [])
        #expect(ask(360) == [.init(first: 2, count: 2), .init(first: 5, count: 1)])
        #expect(numbers(window.receive(Self.packet(2), at: Self.time(370))) == [2])
        #expect(numbers(window.receive(Self.packet(3), at: Self.time(371))) == [3, 4])
    }

    @Test("a hole is given up 100 ms before it is due")
    func givenUp() {
        var window = RealtimeWindow()
        _ = window.receive(Self.packet(1), at: Self.time(0))
        _ = window.receive(Self.packet(3), at: Self.time(0))
        let early = window.handleTime(Self.time(899)) { _ in Self.time(1000) }
        #expect(early.ready.isEmpty)
        let late = window.handleTime(Self.time(900)) { _ in Self.time(1000) }
        #expect(numbers(late.ready) == [3])
        #expect(late.requests.isEmpty)
        #expect(window.lostCount == 1)
        #expect(window.receive(Self.packet(2), at: Self.time(901)).isEmpty)
    }

    @Test("a due time of another line does not hold a hole open", arguments: [-4_000_000, 4_000_000])
    func otherLine(due: Int) {
        var window = RealtimeWindow()
        _ = window.receive(Self.packet(1), at: Self.time(0))
        _ = window.receive(Self.packet(3), at: Self.time(0))
        #expect(window.handleTime(Self.time(1499)) { _ in Self.time(due) }.ready.isEmpty)
        #expect(numbers(window.handleTime(Self.time(1500)) { _ in Self.time(due) }.ready) == [3])
    }

    @Test("without a line a hole is given up after a second and a half")
    func noLine() {
        var window = RealtimeWindow()
        _ = window.receive(Self.packet(1), at: Self.time(0))
        _ = window.receive(Self.packet(3), at: Self.time(0))
        #expect(window.handleTime(Self.time(1499)) { _ in nil }.ready.isEmpty)
        #expect(numbers(window.handleTime(Self.time(1500)) { _ in nil }.ready) == [3])
    }

    @Test("a jump in numbers is a new stream; waiting packets come out first")
    func jump() {
        var window = RealtimeWindow()
        _ = window.receive(Self.packet(1), at: Self.time(0))
        _ = window.receive(Self.packet(3), at: Self.time(0))
        #expect(numbers(window.receive(Self.packet(9000), at: Self.time(1))) == [3, 9000])
        window.flush()
        #expect(numbers(window.receive(Self.packet(5), at: Self.time(1))) == [5])
    }

    @Test(
        "each packet comes out once, in order, whatever arrives, and few are held",
        arguments: 1...20 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var window = RealtimeWindow()
        var out: [UInt16] = []
        var now = 0
        for base in 0..<2000 {
            now += 8
            let number = base - Int.random(in: 0..<20, using: &generator)
            if Int.random(in: 0..<10, using: &generator) > 0 {
                out += numbers(window.receive(Self.packet(max(0, number)), at: Self.time(now)))
            }
            let due = Self.time(now + 500)
            out += numbers(window.handleTime(Self.time(now)) { _ in due }.ready)
            #expect(window.waitingCount <= RealtimeWindow.packetLimit)
        }
        for (first, second) in zip(out, out.dropFirst()) { #expect(second > first) }
    }
}

@Suite("Presentation line of a realtime stream")
struct RealtimeLineTests {
    private func announce(_ frame: UInt32, _ milliseconds: Int64, isFirst: Bool = false)
        -> RealtimeControlPacket.TimeAnnounce
    {
        RealtimeControlPacket.TimeAnnounce(
            isFirst: isFirst, frame: RTPTime(rawValue: frame),
            networkTime: NetworkTime(nanoseconds: milliseconds * 1_000_000),
            nextFrame: RTPTime(rawValue: frame &+ 77_175), clock: ClockIdentity(rawValue: 7))
    }

    @Test("the frame that lies the fixed latency earlier plays at the given time")
    func latency() throws {
        var line = RealtimeLine(sampleRate: .hz44100)
        let found = line.receive(announce(100_000, 1000))
        let (anchor, clock) = try #require(found)
        #expect(anchor.rtpTime == RTPTime(rawValue: 100_000 - 11_035))
        #expect(anchor.networkTime == NetworkTime(nanoseconds: 1_000_000_000))
        #expect(clock == ClockIdentity(rawValue: 7))
    }

    @Test("an equal line changes nothing; a shifted one does")
    func repeated() {
        var line = RealtimeLine(sampleRate: .hz44100)
        #expect(line.receive(announce(0, 1000)) != nil)
        #expect(line.receive(announce(44_100, 2000)) == nil)
        #expect(line.receive(announce(88_200, 3001)) == nil)
        #expect(line.receive(announce(88_200, 3002)) != nil)
        line.forget()
        #expect(line.receive(announce(88_200, 3002)) != nil)
    }

    @Test("frames of the line before keep their time until the next packet")
    func previous() {
        var line = RealtimeLine(sampleRate: .hz44100)
        _ = line.receive(announce(0, 1000, isFirst: true))
        // An hour later, near the frames of then.
        _ = line.receive(announce(200_000_000, 3_601_000, isFirst: true))
        let old = RTPTime(rawValue: 158_760_000)
        #expect(line.anchor(near: old)?.rtpTime == old.advanced(by: -11_035))
        #expect(line.anchor(near: RTPTime(rawValue: 200_000_000)) == line.anchor)
        _ = line.receive(announce(200_044_100, 3_602_000))
        #expect(line.anchor(near: old) == line.anchor)
    }

    @Test("NTP lines tolerate the sender's jitter, and have a clock of their own")
    func ntp() throws {
        var line = RealtimeLine(sampleRate: .hz44100)
        func sync(_ frame: UInt32, _ milliseconds: UInt64) -> RealtimeControlPacket.NTPSync {
            let time = ((milliseconds / 1000) << 32) | (((milliseconds % 1000) << 32) / 1000)
            return .init(
                isFirst: false, frame: RTPTime(rawValue: frame), ntpTime: time,
                nextFrame: RTPTime(rawValue: frame &+ 66_150))
        }
        let found = line.receive(sync(50_000, 10_000))
        let (_, clock) = try #require(found)
        #expect(clock == RealtimeLine.ntpIdentity)
        #expect(line.receive(sync(94_100, 11_029)) == nil)
        #expect(line.receive(sync(94_100, 11_040)) != nil)
    }

    /// A sync packet of AirPlay 1 for the frame heard this many seconds after the start, with a deviation.
    private func sync(
        _ second: Int, late milliseconds: Double = 0, isFirst: Bool = false, addsLatency: Bool = true
    )
        -> RealtimeControlPacket.NTPSync
    {
        let time = Double(100 + second) + milliseconds / 1000
        return .init(
            isFirst: isFirst, addsLatency: addsLatency, frame: RTPTime(rawValue: UInt32(second) * 44_100),
            ntpTime: UInt64(time * 0x1p32), nextFrame: RTPTime(rawValue: 0))
    }

    @Test("in AirPlay 1 the frame plays the receivers' latency later, if the packet says so")
    func latencyOfAirPlay1() {
        for (addsLatency, frame) in [(true, -11_025), (false, 0)] as [(Bool, Int64)] {
            var line = RealtimeLine(sampleRate: .hz44100, reading: .airPlay1)
            let found = line.receive(sync(0, isFirst: true, addsLatency: addsLatency))
            #expect(found?.0.rtpTime == RTPTime(rawValue: 0).advanced(by: frame))
            #expect(found?.0.networkTime == NetworkTime(nanoseconds: 100_000_000_000))
        }
    }

    @Test("a sender that sends in bursts moves nothing, one that stalls moves the line at once")
    func bursts() {
        var line = RealtimeLine(sampleRate: .hz44100, reading: .airPlay1)
        #expect(line.receive(sync(0, isFirst: true)) != nil)
        for second in 1...60 {
            #expect(line.receive(sync(second, late: Double(second * 17 % 47))) == nil, "\(second)")
        }
        #expect(line.receive(sync(61, late: 100)) != nil)
        #expect(line.receive(sync(62, late: 100)) == nil)
    }

    @Test(
        "a sender whose sound runs off its clock is followed without a jump", arguments: [-100, -40, 40, 100])
    func drifts(millionths: Int) throws {
        var line = RealtimeLine(sampleRate: .hz44100, reading: .airPlay1)
        let first = line.receive(sync(0, isFirst: true))
        var anchor = try #require(first).0
        var worst = 0.0
        for second in 1...3600 {
            let late = Double(second * millionths) / 1000 + Double(second * 17 % 5)
            if let moved = line.receive(sync(second, late: late)) {
                let old = AnchoredTimeline(anchor: anchor, sampleRate: .hz44100)
                let step = moved.0.networkTime.since(old.networkTime(of: moved.0.rtpTime)).inSeconds * 1000
                #expect(abs(step) < 0.6, "a step of \(step) ms after \(second) s")
                anchor = moved.0
            }
            let now = AnchoredTimeline(anchor: anchor, sampleRate: .hz44100)
            let frame = RTPTime(rawValue: UInt32(second) * 44_100).advanced(by: -11_025)
            let heard = now.networkTime(of: frame).since(NetworkTime(nanoseconds: 0)).inSeconds
            worst = max(worst, abs(heard - Double(100 + second) - Double(second * millionths) / 1e6))
        }
        #expect(worst < 0.015, "up to \(worst) s off")
    }
}
