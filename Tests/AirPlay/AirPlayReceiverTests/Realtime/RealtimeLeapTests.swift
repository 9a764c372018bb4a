import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiRTP

@testable import AirPlayReceiver

/// A sender of AirPlay 1 and our speaker in virtual time, joined by the datagrams of the wire.
private final class LeapingSender {
    /// One stream of sound: its first frame is heard `lead` frames after it is sent.
    struct Stream {
        var rtpTime: UInt32
        /// Host time of its beginning, in frames.
        var begin: Int64
        var seed: Int64
        var lead: Int64
        var sent = 0

        func rtpTime(_ packet: Int) -> RTPTime { RTPTime(rawValue: rtpTime &+ UInt32(packet * 352)) }
    }

    /// The order of the first sync packet and the first packet of sound, or the lack of the former's mark.
    enum Order: CaseIterable { case syncFirst, soundFirst, soundFarAhead, unmarked }

    let speaker: ManualSpeaker
    let sink: StreamPlayout
    private var intake: RealtimeIntake
    private var sequence: UInt16 = 65_500
    private(set) var heard: [Float] = []
    /// Numbers of packets, over all streams, that are lost on their way.
    var lost: Set<Int> = []
    private var count = 0
    /// Whether a packet has ended a pause.
    private(set) var hasResumed = false

    init() throws {
        speaker = try ManualSpeaker()
        sink = speaker.speaker.makeSink(configuration: .realtime(isNTP: true))
        intake = RealtimeIntake(
            reader: try RealtimeReader(key: nil), reading: .airPlay1, sampleRate: .hz44100,
            at: HostTime(nanoseconds: 0))
    }

    private var now: HostTime { HostTime(nanoseconds: SampleRate.hz44100.nanoseconds(of: speaker.frame)) }

    private func sync(_ stream: Stream, isFirst: Bool) throws {
        // The frame that is heard now, as receivers of AirPlay 1 count.
        let frame = speaker.frame - stream.begin - stream.lead + 11_025
        let packet = RealtimeControlPacket.sync(
            .init(
                isFirst: isFirst, frame: RTPTime(rawValue: stream.rtpTime).advanced(by: frame),
                ntpTime: UInt64((Double(now.nanoseconds) * 0x1p32 / 1e9).rounded(.up)),
                nextFrame: stream.rtpTime(stream.sent)))
        let line = intake.receive(try RealtimeControlPacket(parsing: packet.encoded[...]), at: now)
        if let line { sink.play(along: line) }
    }

    private func send(_ stream: inout Stream, ahead: Int64 = 0) {
        while Int64(stream.sent * 352) <= speaker.frame - stream.begin + ahead {
            let sound = TestPackets.pcm(
                0, rtpTime: stream.rtpTime(stream.sent), position: Int64(stream.sent * 352), seed: stream.seed
            )
            let packet = RealtimePacket(
                sequenceNumber: sequence, rtpTime: sound.rtpTime, isFirst: stream.sent == 0,
                payload: sound.payload)
            (sequence, stream.sent) = (sequence &+ 1, stream.sent + 1)
            defer { count += 1 }
            if lost.contains(count) { continue }
            let (ready, resumes) = intake.receive(packet.plain()[...], at: now)
            hasResumed = hasResumed || resumes
            for packet in ready { sink.append(packet, in: .pcm44100x16) }
        }
    }

    func flush(before time: UInt32) {
        intake.flush(before: RTPTime(rawValue: time))
        sink.flush(before: RTPTime(rawValue: time))
    }

    private func expireHoles() {
        let line = intake.line
        let (ready, _) = intake.handleTime(now) { time in
            guard let anchor = line.anchor(near: time) else { return nil }
            let network = AnchoredTimeline(anchor: anchor, sampleRate: .hz44100).networkTime(of: time)
            return HostTime(nanoseconds: network.nanoseconds)
        }
        for packet in ready { sink.append(packet, in: .pcm44100x16) }
    }

    /// Plays a stream of so many periods of 10 ms, then nothing for others.
    ///
    /// - Returns: Its sound, and the device frame at which that should be heard.
    func play(
        rtpTime: UInt32, seed: Int64, periods: Int, pause: Int, lead: Int64 = 11_025,
        order: Order = .syncFirst
    ) throws -> (sound: [Float], at: Int64) {
        var stream = Stream(rtpTime: rtpTime, begin: speaker.frame, seed: seed, lead: lead)
        if order == .syncFirst { try sync(stream, isFirst: true) }
        for period in 0..<periods + pause {
            if period < periods { send(&stream, ahead: order == .soundFarAhead ? 3520 : 0) }
            if period == 0, order != .syncFirst { try sync(stream, isFirst: order != .unmarked) }
            if period % 100 == 50, period < periods { try sync(stream, isFirst: false) }
            expireHoles()
            heard += speaker.run(1, sink)
        }
        // The device plays its frame 0 one latency late.
        let delay = speaker.latency * 44_100 / 1_000_000_000
        return (
            TestPackets.samples(0..<Int64(stream.sent * 352), seed: seed), stream.begin + lead - delay
        )
    }
}

@Suite("A realtime stream that begins anew at another RTP time, without a flush")
struct RealtimeLeapTests {
    private static let first: UInt32 = 361_081_440

    /// RTP times of the second stream: as PipeWire had them, forwards, near, and around the end of their range.
    private static let second: [UInt32] = [
        180_852_046, 361_081_440, 361_081_441, first &+ 44_100, first &+ 50_000, first &+ 200_000,
        first &+ 2_000_000_000, first &- 2_000_000_000, 0xFFFF_FF00, 0,
    ]

    private func expect(_ heard: [Float], _ parts: [(sound: [Float], at: Int64)], _ words: Comment) {
        for (index, part) in parts.enumerated() {
            let start = Int(part.at) * 2
            let next = index + 1 < parts.count ? Int(parts[index + 1].at) * 2 : heard.count
            let end = min(start + part.sound.count, next)
            // A comparison inside #expect would describe a hundred thousand samples.
            let isWhole = heard[start..<end].elementsEqual(part.sound.prefix(end - start))
            #expect(isWhole, "part \(index): \(words)")
            let isSilent = heard[end..<next].allSatisfy { $0 == 0 }
            #expect(isSilent, "after part \(index): \(words)")
        }
    }

    @Test(
        "the rest of the old sound plays, then all of the new one", arguments: second,
        [0, 20, 100, 300, 400])
    func leaps(rtpTime: UInt32, pause: Int) throws {
        for lead: Int64 in [11_025, 88_200] {
            let sender = try LeapingSender()
            var parts = [
                try sender.play(rtpTime: Self.first, seed: 1, periods: 300, pause: pause, lead: lead)
            ]
            parts.append(try sender.play(rtpTime: rtpTime, seed: 2, periods: 200, pause: pause, lead: lead))
            parts.append(try sender.play(rtpTime: 5000, seed: 3, periods: 200, pause: 300, lead: lead))
            expect(sender.heard, parts, "\(pause) periods, lead \(lead)")
            let status = sender.sink.status
            #expect(status.heldBytes == 0)
            #expect(status.missingFrames == 0 && status.underrunCount == 0 && status.refusedPackets == 0)
        }
    }

    @Test(
        "sound and line may come in any order", arguments: LeapingSender.Order.allCases,
        [180_852_046, first &+ 2_000_000_000] as [UInt32])
    private func order(order: LeapingSender.Order, rtpTime: UInt32) throws {
        let sender = try LeapingSender()
        var parts = [try sender.play(rtpTime: Self.first, seed: 1, periods: 300, pause: 20, lead: 22_050)]
        parts.append(
            try sender.play(rtpTime: rtpTime, seed: 2, periods: 300, pause: 100, lead: 22_050, order: order))
        expect(sender.heard, parts, "\(order)")
    }

    @Test("a stream that follows in the same line plays on without a word")
    func gap() throws {
        let sender = try LeapingSender()
        var parts = [try sender.play(rtpTime: 1000, seed: 1, periods: 200, pause: 100)]
        // 3 s on the same line.
        parts.append(
            try sender.play(rtpTime: 1000 + 132_300, seed: 2, periods: 200, pause: 100, order: .unmarked))
        expect(sender.heard, parts, "the same line")
    }

    @Test("a packet lost before the new stream holds it up no longer than its lead")
    func lost() throws {
        let sender = try LeapingSender()
        sender.lost = [370]
        let first = try sender.play(rtpTime: Self.first, seed: 1, periods: 300, pause: 0)
        let second = try sender.play(rtpTime: 180_852_046, seed: 2, periods: 300, pause: 200)
        let start = Int(second.at) * 2
        let isWhole = sender.heard[start..<start + second.sound.count].elementsEqual(second.sound)
        #expect(isWhole)
        #expect(first.at < second.at)
    }
}

@Suite("A realtime stream that leaps after a flush")
struct RealtimeLeapAfterFlushTests {
    /// Some senders flush before the packet that would have followed, others before the first of the new stream.
    @Test(
        "is heard from its first frame", arguments: [false, true], [180_852_046, 4_000_000_000] as [UInt32])
    func flushed(namesNext: Bool, rtpTime: UInt32) throws {
        let sender = try LeapingSender()
        let first = try sender.play(rtpTime: 361_081_440, seed: 1, periods: 300, pause: 50)
        sender.flush(before: namesNext ? rtpTime : 361_081_440 + UInt32(first.sound.count / 2))
        let second = try sender.play(rtpTime: rtpTime, seed: 2, periods: 200, pause: 100)
        let start = Int(second.at) * 2
        let isWhole = sender.heard[start..<start + second.sound.count].elementsEqual(second.sound)
        #expect(isWhole)
        #expect(sender.sink.status.isPlaying && sender.hasResumed)
    }
}

@Suite("Packets of a realtime stream that come after a flush")
final class RealtimeStragglerTests {
    private var intake: RealtimeIntake

    init() throws {
        intake = RealtimeIntake(
            reader: try RealtimeReader(key: nil), reading: .airPlay1, sampleRate: .hz44100,
            at: HostTime(nanoseconds: 0))
    }

    /// Returns the numbers of the packets that are in order now, and whether the stream resumes.
    private func receive(_ number: Int, frame: Int, isFirst: Bool = false) -> (ready: [Int], Bool) {
        let packet = RealtimePacket(
            sequenceNumber: UInt16(truncatingIfNeeded: number), rtpTime: RTPTime(rawValue: UInt32(frame)),
            isFirst: isFirst, payload: [1])
        let (ready, resumes) = intake.receive(packet.plain()[...], at: HostTime(nanoseconds: 0))
        return (ready.map { Int($0.sequenceNumber) }, resumes)
    }

    /// Sends packets of sound around the end of the numbers, and flushes before the packet that would follow.
    private func flush(namesNumber: Bool) -> (number: Int, frame: Int) {
        for index in 0..<40 { _ = receive(65_500 + index, frame: 1_000_000 + index * 352) }
        let end = (number: 65_540, frame: 1_000_000 + 40 * 352)
        let time = RTPTime(rawValue: UInt32(end.frame))
        intake.flush(before: time)
        if namesNumber { intake.begin(at: UInt16(truncatingIfNeeded: end.number), time) }
        return end
    }

    @Test("copies of the sound before it are dropped, and begin nothing", arguments: [false, true])
    func copies(namesNumber: Bool) {
        let end = flush(namesNumber: namesNumber)
        for back in [16, 1, 38] {
            let (ready, resumes) = receive(end.number - back, frame: end.frame - back * 352)
            #expect(ready == [] && !resumes)
        }
        let (ready, resumes) = receive(end.number, frame: end.frame + 90_000, isFirst: true)
        #expect(ready == [4] && resumes)
        let late = receive(end.number - 1, frame: end.frame - 352)
        #expect(late.ready == [] && !late.1)
        #expect(receive(end.number + 1, frame: end.frame + 90_352).ready == [5])
    }

    @Test("resent packets of the sound before it, missing or not, are dropped, also after a second flush")
    func missing() {
        for index in 0..<40 where index != 20 { _ = receive(100 + index, frame: 1_000_000 + index * 352) }
        let time = RTPTime(rawValue: UInt32(1_000_000 + 40 * 352))
        intake.flush(before: time)
        #expect(receive(120, frame: 1_000_000 + 20 * 352).ready == [])
        intake.flush(before: time)
        #expect(receive(139, frame: 1_000_000 + 39 * 352).ready == [])
        #expect(receive(140, frame: 1_000_000 + 40 * 352, isFirst: true).ready == [140])
    }

    @Test(
        "later numbers are new sound, also at an earlier RTP time", arguments: [-44_100, -2_000_000, 0])
    func earlier(frames: Int) {
        let end = flush(namesNumber: true)
        #expect(receive(end.number, frame: end.frame + frames + 1_500_000, isFirst: true).ready == [4])
        let other = flush(namesNumber: true)
        let time = (other.frame + frames) & 0xFFFF_FFFF
        #expect(receive(other.number, frame: time, isFirst: true).ready == [4])
    }

    @Test("the same numbers a day later are new sound")
    func day() {
        let end = flush(namesNumber: true)
        _ = receive(end.number, frame: end.frame, isFirst: true)
        _ = receive(20_000, frame: end.frame + 3_000_000)
        _ = receive(50_000, frame: end.frame + 2_000_000_000)
        #expect(receive(65_530, frame: end.frame - 3520).ready == [65_530])
    }
}

@Suite("Sound that arrives and is not played")
struct UnheardSoundTests {
    @Test("is told once, and again only after sound was heard")
    func once() {
        var watch = UnheardSound()
        let stream = ManualTime()
        var status = StreamStatus()
        (status.isPlaying, status.heldBytes) = (true, 1000)
        var warnings: [Int] = []
        for second in 0..<60 {
            if second == 30 { status.playedFrames += 44_100 }
            let now = HostTime(nanoseconds: Int64(second) * 1_000_000_000)
            if watch.check(status, isRealtime: false, of: ObjectIdentifier(stream), at: now) {
                warnings.append(second)
            }
        }
        #expect(warnings == [10, 41])
    }

    @Test("a stream that is paused, plays or has run out is not reported as unheard")
    func none() {
        let cases: [(isPlaying: Bool, held: Int, growth: Int, played: Int64, isRealtime: Bool, Int)] = [
            (false, 1000, 100, 0, false, 0), (false, 1000, 0, 0, true, 0), (true, 1000, 100, 44_100, true, 0),
            (true, 0, 0, 0, true, 0), (false, 1000, 100, 0, true, 1), (true, 1000, 100, 0, true, 1),
        ]
        let stream = ManualTime()
        for (index, values) in cases.enumerated() {
            var watch = UnheardSound()
            var status = StreamStatus()
            (status.isPlaying, status.heldBytes) = (values.isPlaying, values.held)
            var count = 0
            for second in 0..<60 {
                let now = HostTime(nanoseconds: Int64(second) * 1_000_000_000)
                let warns = watch.check(
                    status, isRealtime: values.isRealtime, of: ObjectIdentifier(stream), at: now)
                count += warns ? 1 : 0
                status.heldBytes += values.growth
                status.playedFrames += values.played
            }
            #expect(count == values.5, "case \(index)")
        }
    }
}
