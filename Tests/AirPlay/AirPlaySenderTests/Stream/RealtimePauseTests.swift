import AirPlayMessages
import Synchronization
import Testing
import TuttiCryptography
import TuttiMediaTime
import TuttiRTP
import TuttiTestSupport

@testable import AirPlaySender

@Suite("Pauses and edits of a realtime stream, without sockets")
struct RealtimePauseTests {
    @Test("after a stop a start begins a new run, whose RTP times are later than all before")
    func restart() throws {
        var rig = RealtimeRig()
        rig.append(packets: 0..<1000)
        rig.start(0, after: .milliseconds(250))
        rig.run(for: .seconds(1))
        let point = rig.sender.flushPoint
        rig.sender.stop()
        rig.pump()
        #expect(rig.sender.deadline == nil)
        let before = rig.data().count
        rig.run(for: .seconds(1))
        #expect(rig.data().count == before)
        rig.start(3520, after: .milliseconds(250))
        let first = try #require(rig.data().dropFirst(before).first)
        #expect(first.sequence == point.sequence && first.bytes[1] == 0xE0)
        #expect(first.time > point.time.rawValue && Array(first.bytes.dropFirst(12)) == [10, 0, 0, 0])
        guard case .sync(let sync)? = rig.controls().last else { return }
        #expect(sync.isFirst)
    }

    @Test("a gap between two packets of the store is filled with silence of the same length")
    func gap() {
        var rig = RealtimeRig()
        rig.append(packets: 0..<3)
        rig.append(packets: 5..<10)
        rig.start(0, after: .milliseconds(250))
        rig.run(for: .milliseconds(100))
        let times = rig.data().map { $0.time }
        #expect(times == (0..<10).map { 9 + UInt32($0) * 352 })
        #expect(rig.data()[3].bytes.count == 12 + ALACSilence.byteCount(frames: 352, bits: 16))
    }

    @Test("packets that can no longer be heard are not sent, and take no number")
    func late() {
        var rig = RealtimeRig()
        rig.append(packets: 0..<3)
        rig.start(0, after: .milliseconds(250))
        rig.run(for: .seconds(2))
        rig.append(packets: 3..<1000)
        rig.pump()
        let data = rig.data()
        // The sound of two seconds has no packets any more, nor silence in their place.
        #expect(data[3].time - data[2].time > 200 * 352)
        #expect(data[3].sequence == data[2].sequence + 1)
        #expect(data.last.map { Int64($0.time) - 9 >= 44_100 * 17 / 10 } == true)
    }

    @Test("sound can be held back and replaced up to what was sent")
    func hold() {
        var rig = RealtimeRig()
        rig.append(packets: 0..<1000)
        rig.start(0, after: .milliseconds(250))
        rig.run(for: .seconds(1))
        let end = rig.sender.sentEnd ?? 0
        #expect(!rig.sender.hold(from: end - 1) && rig.sender.hold(from: end))
        rig.pump()
        let count = rig.data().count
        rig.run(for: .milliseconds(300))
        #expect(rig.data().count == count)
        rig.store.truncate(at: end)
        for number in Int64(0)..<500 {
            withUnsafeBytes(of: UInt32(7_000_000)) {
                rig.store.append(
                    frame: end + number * 352, frameCount: 352, format: .alac44100x16, payload: $0)
            }
        }
        rig.sender.resume(from: rig.store.index(holding: end, leading: 0))
        rig.pump()
        #expect(
            Array(rig.data()[count].bytes.dropFirst(12))
                == withUnsafeBytes(of: UInt32(7_000_000)) { Array($0) })
        #expect(rig.data()[count].time == 9 + UInt32(end))
    }

    /// The numbers that the packets carry as their sound; greater ones are silence.
    private static func soundNumbers(_ rig: borrowing RealtimeRig) -> [Int64] {
        rig.data().map { packet in
            packet.bytes.dropFirst(12).reversed().reduce(0) { $0 << 8 | Int64($1) }
        }.filter { $0 < 10_000_000 }
    }

    @Test(
        "a start while sound is being replaced sends nothing of it, before and behind a stop",
        arguments: [false, true])
    func startDuringEdit(isStopped: Bool) {
        var rig = RealtimeRig()
        rig.append(packets: 0..<1000)
        rig.start(0, after: .milliseconds(250))
        rig.run(for: .seconds(1))
        let cut = ((rig.sender.sentEnd ?? 0) / 352 + 31) * 352
        let isAhead = rig.sender.hold(from: cut)
        #expect(isAhead)
        if isStopped { rig.sender.stop() }
        rig.start(cut - 352 * 10, after: .milliseconds(250))
        rig.run(for: .seconds(1))
        #expect(Self.soundNumbers(rig).max() == cut / 352 - 1)
        rig.sender.resume(from: rig.store.index(holding: cut, leading: 0))
        rig.run(for: .milliseconds(300))
        #expect(Self.soundNumbers(rig).max() ?? 0 > cut / 352 + 10)
    }

    @Test(
        "an edit leaves the sound before it as it is, however long it takes", arguments: [false, true],
        [0, 5, 200])
    func editAhead(keepsLine: Bool, milliseconds: Int) {
        var traits = RealtimeTraits(format: .alac44100x16, clock: .ptp)
        if keepsLine { (traits.keepsLine, traits.lead) = (true, .milliseconds(600)) }
        for offset in 0..<8 {
            var rig = RealtimeRig(traits)
            rig.append(packets: 0..<1000)
            rig.start(0, after: .milliseconds(650))
            rig.run(for: .milliseconds(2000 + offset * 4))
            let cut = ((rig.sender.sentEnd ?? 0) / 352 + 31) * 352 + 100
            let isAhead = rig.sender.hold(from: cut)
            #expect(isAhead)
            rig.pump()
            rig.run(for: .milliseconds(milliseconds))
            rig.store.truncate(at: cut)
            let edited = cut / 352
            for number in edited..<edited + 200 {
                withUnsafeBytes(of: UInt32(7_000_000 + number)) {
                    rig.store.append(frame: number * 352, frameCount: 352, format: .alac44100x16, payload: $0)
                }
            }
            rig.sender.resume(from: rig.store.index(holding: cut, leading: 0))
            rig.pump()
            rig.run(for: .milliseconds(500))
            let packets = Self.soundNumbers(rig)
            let numbers = Int64(packets.count)
            #expect(numbers > edited && packets.prefix(Int(edited)).elementsEqual(0..<edited))
            #expect(packets.dropFirst(Int(edited)).elementsEqual((edited..<numbers).map { 7_000_000 + $0 }))
        }
    }

    @Test("a receiver that must not be flushed hears silence in a pause, on one line from first to last")
    func keptLine() {
        var traits = RealtimeTraits(format: .alac44100x16, clock: .ptp)
        (traits.keepsLine, traits.lead) = (true, .milliseconds(600))
        var rig = RealtimeRig(traits)
        rig.append(packets: 0..<2000)
        rig.start(0, after: .milliseconds(250))
        rig.run(for: .seconds(2))
        rig.sender.stop()
        rig.pump()
        rig.run(for: .seconds(1))
        rig.start(35_200, after: .milliseconds(700))
        rig.run(for: .seconds(2))
        let data = rig.data()
        // Without a hole: each packet begins where the one before ends, in number and in time.
        var (next, isFirst) = (data[0].time, true)
        for (index, packet) in data.enumerated() {
            #expect(packet.sequence == 5 + UInt16(index) && (packet.bytes[1] == 0xE0) == isFirst)
            #expect(packet.time == next)
            isFirst = false
            let isSilence = packet.bytes.count > 100
            let frames = isSilence ? (packet.bytes.count - 12 - 8) / 4 : 352
            next = packet.time + UInt32(frames)
        }
        // The sound of the second start is heard when it was asked for.
        let second = data.last { Array($0.bytes.dropFirst(12)) == [100, 0, 0, 0] }
        let heard = Int64((second?.time ?? 0) &- 9) * 1_000_000_000 / 44_100 + 250_000_000
        #expect(abs(heard - 3_700_000_000) < 30_000)
        let firsts = rig.controls().filter {
            if case .timeAnnounce(let one) = $0 { one.isFirst } else { false }
        }
        #expect(firsts.count == 1)
    }

    @Test(
        "the last packets before an end are repeated twice; packets that follow end the repetition",
        arguments: [false, true])
    func tail(goesOn: Bool) {
        var rig = RealtimeRig(RealtimeTraits(format: .alac44100x16, clock: .ntp, lead: .seconds(2)))
        rig.append(packets: 0..<400)
        rig.start(0, after: .seconds(3))
        rig.run(for: .milliseconds(2300))
        let first = rig.all().count
        // The store is empty from the time on at which the last packet is sent, 2 s before it is heard.
        #expect(first < 400)
        rig.run(for: .milliseconds(1900))
        #expect(rig.data().count == 400)
        let last = rig.data().last?.sequence ?? 0
        if goesOn {
            let isDrained = rig.sender.isDrained
            #expect(isDrained)
            rig.append(packets: 400..<430)
            rig.pump()
        }
        rig.run(for: .seconds(1))
        let counts = (0..<32).map { back in rig.all().count { $0.sequence == last &- UInt16(back) } }
        #expect(counts == [Int](repeating: goesOn ? 1 : 3, count: 24) + [Int](repeating: 1, count: 8))
    }
}
