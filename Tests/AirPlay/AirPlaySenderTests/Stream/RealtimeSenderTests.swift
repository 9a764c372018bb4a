import AirPlayMessages
import Synchronization
import Testing
import TuttiCryptography
import TuttiMediaTime
import TuttiRTP
import TuttiTestSupport

@testable import AirPlaySender

@Suite("The packets of a realtime stream, without sockets")
struct RealtimeSenderTests {
    @Test(
        "with AirPlay 1's encryption each packet is encrypted from the same vector; a resent one is the same")
    func encrypted() throws {
        let key = try AirPlay1Key(key: Array(1...16), iv: Array(101...116))
        let store = PacketStore()
        let payloads = [40, 15, 48].map { [UInt8](repeating: 0x5A, count: $0) }
        for (index, payload) in payloads.enumerated() {
            payload.withUnsafeBytes {
                store.append(frame: Int64(index) * 352, frameCount: 352, format: .alac44100x16, payload: $0)
            }
        }
        var sender = RealtimeSender(
            RealtimeTraits(format: .alac44100x16, clock: .ntp), coding: .blocks(try key.cipher()),
            numbers: HandshakeRun.numbers, stamp: RealtimeRig.stamp)
        var sent: [[UInt8]] = []
        let line = FrameLine(
            frame: 0, host: RealtimeRig.begin.advanced(by: .milliseconds(1500)), sampleRate: .hz44100)
        sender.start(line, from: 0)
        sender.pump(at: RealtimeRig.begin, from: store) { port, bytes in
            if port == .data { sent.append(Array(bytes)) }
        }
        #expect(sent.map { $0.count - 12 } == payloads.map(\.count))
        // AES-128-CBC of 0x5A by openssl enc -nopad.
        let blocks = Vectors.bytes(
            hex:
                "319c43098f8696a1a9e2ebc81fdc4ced8314adb1360c80cf3a80eaa23e23d1d53852d9631709b21acc9c570914ad49c2"
        )
        #expect(Array(sent[0][12...]) == Array(blocks[..<32]) + payloads[0][32...])
        #expect(Array(sent[1][12...]) == payloads[1])
        #expect(Array(sent[2][12...]) == blocks)
        var again: [UInt8] = []
        sender.resend(.init(first: 5, count: 1), to: .control, at: RealtimeRig.begin) { again = Array($1) }
        #expect(Array(again.dropFirst(4)) == sent[0])
    }

    @Test("a start sends the line first, then packets in a pace that receivers can take")
    func startUp() {
        var rig = RealtimeRig()
        rig.append(packets: 0..<1000)
        rig.start(0, after: .milliseconds(250))
        #expect(rig.sent.first?.port == .control)
        rig.run(for: .seconds(1))
        let data = rig.data()
        #expect(data.map(\.sequence) == (0..<UInt16(data.count)).map { $0 + 5 })
        #expect(data.first?.time == 9 && data.dropFirst().first?.time == 9 + 352)
        #expect(data.first?.bytes[1] == 0xE0 && data.dropFirst().allSatisfy { $0.bytes[1] == 0x60 })
        // A burst of four with copies, then no more than one in a millisecond.
        for (index, packet) in rig.all().enumerated() {
            let least = Duration.milliseconds(max(0, index - 3 * SendPace.burst))
            #expect(packet.at.since(RealtimeRig.begin) >= least)
        }
        // After a second all is sent that is heard within the lead.
        let end = rig.sender.sentEnd ?? 0
        let ahead = Double(end) / 44_100 + 0.25 - 1
        #expect(ahead > 1.70 && ahead < 1.77)
    }

    @Test("in the long run packets leave in groups, a fixed time before they are heard")
    func steady() {
        var rig = RealtimeRig()
        rig.append(packets: 0..<2000)
        rig.start(0, after: .milliseconds(250))
        rig.run(for: .seconds(5))
        let before = rig.data().count
        rig.run(for: .seconds(5))
        let wakes = Set(rig.data().dropFirst(before).map(\.at)).count
        #expect(abs(rig.data().count - before - 626) <= 4)
        #expect(wakes <= 160)
    }

    @Test("sync packets come each second, and tell one line: the time at which a frame is heard")
    func sync() {
        var rig = RealtimeRig()
        rig.append(packets: 0..<2000)
        rig.start(0, after: .milliseconds(250))
        rig.run(for: .milliseconds(5500))
        let controls = rig.controls()
        // The first is told three times, because a receiver plays nothing without it.
        #expect(controls.count == 8)
        for (index, control) in controls.enumerated() {
            guard case .sync(let sync) = control else {
                Issue.record("not a sync packet: \(control)")
                continue
            }
            #expect(sync.isFirst == (index == 0) && sync.addsLatency)
            // The receiver plays the frame 11,025 frames after the stamp.
            let heard = sync.networkTime.nanoseconds + SampleRate.hz44100.nanoseconds(of: 11_025)
            let due =
                RealtimeRig.begin.nanoseconds + 250_000_000
                + SampleRate.hz44100.nanoseconds(of: Int64(Int32(bitPattern: sync.frame.rawValue &- 9)))
            #expect(abs(heard - due) < 2)
        }
    }

    @Test("every packet that is sent late is sent three times, the latest at once; the rest once")
    func copies() {
        var rig = RealtimeRig()
        rig.append(packets: 0..<1000)
        rig.start(0, after: .milliseconds(250))
        rig.run(for: .seconds(3))
        var counts: [UInt16: Int] = [:]
        for packet in rig.all() { counts[packet.sequence, default: 0] += 1 }
        for packet in rig.data() {
            let heard = RealtimeRig.begin.advanced(by: .milliseconds(250))
                .advanced(by: .nanoseconds(SampleRate.hz44100.nanoseconds(of: Int64(packet.time) - 9)))
            let isUrgent = heard.since(packet.at) < .milliseconds(1200)
            #expect(counts[packet.sequence] == (isUrgent ? 3 : 1), "\(packet.sequence)")
        }
    }

    @Test("with PTP the same line is told in the form for it, with the receiver's own addition")
    func timeAnnounce() throws {
        var traits = RealtimeTraits(
            format: .alac44100x16, clock: .ptp, addedFrames: 11_035)
        traits.source = 3
        var rig = RealtimeRig(traits)
        rig.append(packets: 0..<100)
        rig.start(0, after: .milliseconds(250))
        guard case .timeAnnounce(let announce)? = rig.controls().first else {
            Issue.record("no time announce")
            return
        }
        #expect(announce.isFirst && announce.clock == ClockIdentity(rawValue: 0x42))
        #expect(announce.nextFrame.frames(since: announce.frame) == 77_175)
        let heard = announce.networkTime.nanoseconds + SampleRate.hz44100.nanoseconds(of: 11_035)
        let due =
            RealtimeRig.begin.nanoseconds + 250_000_000
            + SampleRate.hz44100.nanoseconds(of: Int64(Int32(bitPattern: announce.frame.rawValue &- 9)))
        #expect(abs(heard - due) < 2)
    }

    /// A receiver's clock that is fast by 40 ppm, with an epoch of its own that a test may change.
    private final class LeadingClock: Sendable {
        struct State {
            var epoch: Int64 = -7_000_000_000
            var identity = ClockIdentity(rawValue: 0x27)
            var generation = 0
            var isKnown = true
        }
        let state = Mutex(State())

        func time(at host: HostTime) -> Int64 {
            let elapsed = host.nanoseconds - RealtimeRig.begin.nanoseconds
            return host.nanoseconds + state.withLock(\.epoch) + Int64((Double(elapsed) * 40e-6).rounded())
        }

        func stamp(at host: HostTime) -> ClockStamp? {
            let state = state.withLock { $0 }
            guard state.isKnown else { return nil }
            return ClockStamp(
                time: NetworkTime(nanoseconds: time(at: host)), clock: state.identity,
                generation: state.generation)
        }
    }

    private static var leading: RealtimeTraits {
        RealtimeTraits(format: .alac44100x16, clock: .ptp, addedFrames: 11_035)
    }

    private static func announces(_ rig: borrowing RealtimeRig) -> [RealtimeControlPacket.TimeAnnounce] {
        rig.controls().compactMap { if case .timeAnnounce(let announce) = $0 { announce } else { nil } }
    }

    @Test("sync packets on a receiver's own clock follow its slope: each frame is due at one host time")
    func followsSlope() {
        let clock = LeadingClock()
        var rig = RealtimeRig(Self.leading) { clock.stamp(at: $0) }
        rig.append(packets: 0..<8000)
        rig.start(0, after: .milliseconds(250))
        rig.run(for: .seconds(30))
        let announces = Self.announces(rig)
        #expect(announces.count >= 30)
        for announce in announces {
            #expect(announce.clock == ClockIdentity(rawValue: 0x27))
            // Frame 0, with RTP time 9, is heard at one host time; the added frames are frames of that clock.
            let frames = Int64(Int32(bitPattern: announce.frame.rawValue &- 9))
            let host =
                RealtimeRig.begin.advanced(by: .milliseconds(250)).nanoseconds
                + SampleRate.hz44100.nanoseconds(of: frames - 11_035)
            #expect(abs(announce.networkTime.nanoseconds - clock.time(at: HostTime(nanoseconds: host))) < 3)
        }
        #expect(announces.filter(\.isFirst).count == 1)
    }

    @Test("a receiver's new clock or epoch begins a run of sync packets", arguments: [true, false])
    func newClock(isIdentity: Bool) {
        let clock = LeadingClock()
        var rig = RealtimeRig(Self.leading) { clock.stamp(at: $0) }
        rig.append(packets: 0..<4000)
        rig.start(0, after: .milliseconds(250))
        rig.run(for: .seconds(5))
        #expect(Self.announces(rig).filter(\.isFirst).count == 1)
        clock.state.withLock { state in
            state.epoch += 1_000_000_000_000
            if isIdentity { state.identity = ClockIdentity(rawValue: 0x28) } else { state.generation = 1 }
        }
        let (count, sent) = (Self.announces(rig).count, rig.data().count)
        rig.run(for: .seconds(2))
        let later = Self.announces(rig).dropFirst(count)
        #expect(later.first?.isFirst == true && later.filter(\.isFirst).count == 1)
        #expect(later.count >= 4, "a lost packet of the new run is made up for soon")
        #expect(rig.data().count > sent + 240, "sound goes on")
    }

    @Test("without a time there is no sync packet, and no busy loop")
    func unknownClock() {
        let clock = LeadingClock()
        clock.state.withLock { $0.isKnown = false }
        var rig = RealtimeRig(Self.leading) { clock.stamp(at: $0) }
        rig.append(packets: 0..<10)
        rig.start(0, after: .milliseconds(250))
        rig.run(for: .seconds(1))
        #expect(rig.controls().isEmpty)
        #expect(rig.sender.deadline.map { $0 > rig.now } ?? false)
        clock.state.withLock { $0.isKnown = true }
        rig.run(for: .milliseconds(200))
        #expect(Self.announces(rig).first?.isFirst == true)
    }

    @Test("a packet that is asked for again is the same, byte for byte; one not kept is said to be gone")
    func resend() throws {
        var rig = RealtimeRig()
        rig.append(packets: 0..<2000)
        rig.start(0, after: .milliseconds(250))
        rig.run(for: .seconds(2))
        let data = rig.data()
        let wanted = data[20]
        var answers: [(RealtimeSender.Port, [UInt8])] = []
        rig.sender.resend(.init(first: wanted.sequence, count: 2), to: .control, at: rig.now) {
            answers.append(($0, Array($1)))
        }
        #expect(answers.map(\.0) == [.control, .control])
        #expect(
            Array(answers[0].1.dropFirst(4)) == wanted.bytes && answers[0].1.prefix(4) == [0x80, 0xD6, 0, 1])
        #expect(Array(answers[1].1.dropFirst(4)) == data[21].bytes)
        answers = []
        rig.sender.resend(.init(first: wanted.sequence &- 5000, count: 1), to: .control, at: rig.now) {
            answers.append(($0, Array($1)))
        }
        let gone = wanted.sequence &- 5000
        #expect(
            answers.first?.1 == [0x80, 0xD6, 0, 1, UInt8(gone >> 8), UInt8(truncatingIfNeeded: gone), 0, 0])
        // However much is asked for, no more than is kept.
        answers = []
        rig.sender.resend(.init(first: 0, count: .max), to: .control, at: rig.now) {
            answers.append(($0, Array($1)))
        }
        #expect(answers.count <= RealtimeHistory.capacity)
    }

    @Test("a receiver that asks at the data port gets lost packets at its own, without a head")
    func resendToData() {
        var rig = RealtimeRig()
        rig.append(packets: 0..<100)
        rig.start(0, after: .milliseconds(250))
        var answers: [(RealtimeSender.Port, [UInt8])] = []
        rig.sender.resend(.init(first: 5, count: 1), to: .data, at: rig.now) {
            answers.append(($0, Array($1)))
        }
        #expect(answers.first?.0 == .data && answers.first?.1 == rig.data().first?.bytes)
    }

    @Test("sealed packets open at the receiver")
    func sealed() throws {
        let key = try SymmetricKey([UInt8](repeating: 3, count: 32))
        var sender = RealtimeSender(
            RealtimeTraits(format: .alac44100x16, clock: .ntp),
            coding: .sealed(try RealtimePacketSealer(key: key)),
            numbers: HandshakeRun.numbers, stamp: RealtimeRig.stamp)
        let store = PacketStore()
        for number in Int64(0)..<10 {
            withUnsafeBytes(of: UInt32(number)) {
                store.append(frame: number * 352, frameCount: 352, format: .alac44100x16, payload: $0)
            }
        }
        sender.start(
            FrameLine(
                frame: 0, host: RealtimeRig.begin.advanced(by: .milliseconds(1500)), sampleRate: .hz44100),
            from: 0)
        var datagrams: [[UInt8]] = []
        sender.pump(at: RealtimeRig.begin, from: store) { if $0 == .data { datagrams.append(Array($1)) } }
        var opener = try RealtimePacketOpener(key: key)
        let packets = try datagrams.map { try opener.open($0[...]) }
        #expect(packets.map(\.payload) == (0..<4).map { [$0, 0, 0, 0] })
    }
}
