import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiRTP
import TuttiTestSupport

@testable import AirPlaySender

/// A receiver as shairport-sync is (*observed*, 5.1): it gives sound to its output some time before it is heard, and passes over a packet that
/// is missing then as soon as a later one is there. It asks for a missing packet after 0.1 s and then each 0.25 s, for 0.9 s, but only when a
/// packet comes.
private struct OutputReceiver {
    private struct Missing {
        var since: HostTime
        var asked: HostTime?
    }

    /// The time at which the first packet is heard.
    let begin: HostTime
    /// The time before it is heard at which sound is given to the output.
    let output: Duration
    private var next = Int(HandshakeRun.numbers.firstSequence.rawValue)
    private var end: Int
    private var held: Set<Int> = []
    private var missing: [Int: Missing] = [:]
    /// The number of packets that the output lacks.
    private(set) var passedOver = 0

    init(begin: HostTime, output: Duration) {
        (self.begin, self.output, end) = (begin, output, next)
    }

    /// Takes a packet; returns the numbers that it asks for then.
    mutating func receive(_ number: Int, at now: HostTime) -> [Int] {
        guard number >= next else { return [] }
        if number >= end {
            for other in end..<number { missing[other] = Missing(since: now) }
            end = number + 1
        }
        missing[number] = nil
        held.insert(number)
        play(at: now)
        let due = missing.keys.sorted().filter { other in
            guard let entry = missing[other] else { return false }
            let age = now.since(entry.since)
            guard age >= .milliseconds(100), age < .milliseconds(900) else { return false }
            return entry.asked.map { now.since($0) >= .milliseconds(250) } ?? true
        }
        for other in due { missing[other]?.asked = now }
        return due
    }

    /// Gives the output what is due to it.
    mutating func play(at now: HostTime) {
        while next < end {
            if held.contains(next) {
                let packets = Int64(next) - Int64(HandshakeRun.numbers.firstSequence.rawValue)
                let frames = SampleRate.hz44100.nanoseconds(of: packets * 352)
                guard begin.advanced(by: .nanoseconds(frames) - output) <= now else { return }
                held.remove(next)
            } else {
                missing[next] = nil
                passedOver += 1
            }
            next += 1
        }
    }
}

@Suite("A realtime stream over a link that loses packets, in virtual time")
struct RealtimeLossTests {
    /// Plays over a link that loses 5 % of the packets to the receiver; returns the number of those that are not heard.
    private static func lost(lead: Duration, output: Duration, seconds: Int, seed: UInt64) -> Int {
        var rig = RealtimeRig()
        rig.append(packets: 0..<Int64(seconds * 44_100 / 352))
        var random = SeededGenerator(seed: seed)
        var receiver = OutputReceiver(begin: rig.now.advanced(by: lead), output: output)
        var taken = 0
        rig.start(0, after: lead)
        for _ in 0..<(seconds + 1) * 1000 {
            while taken < rig.sent.count {
                let datagram = rig.sent[taken]
                taken += 1
                guard datagram.port == .data, Int.random(in: 0..<20, using: &random) > 0 else { continue }
                let now = rig.now
                let asked = receiver.receive(Int(datagram.sequence), at: now)
                if asked.isEmpty { continue }
                var answers: [RealtimeRig.Sent] = []
                for number in asked {
                    let request = RealtimeControlPacket.ResendRequest(first: UInt16(number), count: 1)
                    rig.sender.resend(request, to: .data, at: now) { port, bytes in
                        answers.append(RealtimeRig.Sent(at: now, port: port, bytes: Array(bytes)))
                    }
                }
                rig.sent += answers
                rig.pump()
            }
            receiver.play(at: rig.now)
            rig.run(for: .milliseconds(1))
        }
        return receiver.passedOver
    }

    /// With copies that follow some packets later, each start lacked four packets.
    @Test("a start by AirPlay 1 is heard whole by an output that takes sound a second ahead")
    func start() {
        let lost = (1...20).map { seed in
            Self.lost(lead: .milliseconds(600), output: .seconds(1), seconds: 3, seed: UInt64(seed))
        }
        #expect(lost.reduce(0, +) <= 3, "\(lost)")
    }

    /// Without repeated answers 1 packet of 400 was lost, six in each run.
    @Test("a receiver that has time to ask only once lacks next to nothing")
    func oneRequest() {
        let lost = (1...4).map { seed in
            Self.lost(
                lead: .milliseconds(1750), output: .milliseconds(1510), seconds: 20, seed: UInt64(seed))
        }
        #expect(lost.reduce(0, +) <= 6, "\(lost)")
    }

    @Test("nothing is lost with time for three requests")
    func threeRequests() {
        let lost = (1...2).map { seed in
            Self.lost(lead: .milliseconds(1750), output: .seconds(1), seconds: 20, seed: UInt64(seed))
        }
        #expect(lost == [0, 0])
    }

    @Test("an answer is sent a second time 20 ms later, as the deadline says, and not a third time")
    func repeated() {
        var rig = RealtimeRig()
        rig.append(packets: 0..<1000)
        rig.start(0, after: .milliseconds(1750))
        rig.run(for: .seconds(1))
        let (wanted, asked) = (rig.data()[20], rig.now)
        var answers = 0
        rig.sender.resend(.init(first: wanted.sequence, count: 1), to: .control, at: asked) { _, _ in
            answers += 1
        }
        #expect(answers == 1)
        rig.pump()
        rig.run(for: .seconds(1))
        let again = rig.sent.filter { $0.port == .control && $0.bytes[1] == 0xD6 }
        #expect(again.map(\.at) == [asked.advanced(by: RealtimeRepeats.pause)])
        #expect(again.first.map { Array($0.bytes.dropFirst(4)) } == wanted.bytes)
    }

    @Test("a request for everything is repeated in a small part, and a stop ends repetitions")
    func bounded() {
        var rig = RealtimeRig()
        rig.append(packets: 0..<1000)
        rig.start(0, after: .milliseconds(1750))
        rig.run(for: .seconds(2))
        rig.sender.resend(.init(first: 5, count: .max), to: .control, at: rig.now) { _, _ in }
        rig.pump()
        rig.run(for: .milliseconds(100))
        let count = rig.sent.count { $0.port == .control && $0.bytes[1] == 0xD6 }
        #expect(count == RealtimeRepeats.capacity)
        rig.sender.resend(.init(first: 5, count: 10), to: .control, at: rig.now) { _, _ in }
        rig.sender.stop()
        rig.pump()
        #expect(rig.sender.deadline == nil)
    }

    @Test("while a stream catches up, the copies of a packet come before the next packet")
    func inOrder() {
        var rig = RealtimeRig()
        rig.append(packets: 0..<1000)
        rig.start(0, after: .milliseconds(600))
        rig.run(for: .milliseconds(200))
        let sequences = rig.all().map(\.sequence)
        #expect(sequences.count > 150 && sequences == sequences.sorted())
    }
}
