import Testing
import TuttiRTP
import TuttiTestSupport

@testable import AirPlaySender

@Suite("Packets sent to a speaker")
struct SentPacketsTests {
    private static func entry(_ number: Int, frame: Int64, count: Int32 = 352, bytes: Int32 = 100)
        -> SentPackets.Entry
    {
        SentPackets.Entry(
            frame: frame, frameCount: count, sequence: SequenceNumber(truncating: UInt32(number)),
            byteCount: bytes)
    }

    private static func filled(_ count: Int) -> SentPackets {
        var sent = SentPackets()
        for number in 0..<count { sent.append(entry(number, frame: Int64(number) * 352)) }
        return sent
    }

    @Test(
        "the byte count matches a model through appends, playback and withdrawals",
        arguments: [21, 22, 23] as [UInt64])
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var sent = SentPackets()
        var model: [SentPackets.Entry] = []
        var ghosts: [(until: Int64, bytes: Int)] = []
        var (number, frame, playhead): (Int, Int64, Int64) = (0x7F_FF00, 0, 0)
        for _ in 0..<6000 {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<70:
                let entry = Self.entry(
                    number, frame: frame, count: Int32.random(in: 1...1024, using: &random),
                    bytes: Int32.random(in: 39...1500, using: &random))
                sent.append(entry)
                model.append(entry)
                number += 1
                frame = entry.endFrame
            case 70..<95:
                playhead = max(playhead, Int64.random(in: playhead...playhead + 3000, using: &random))
                frame = max(frame, playhead)
                sent.played(to: playhead)
                model.removeAll { $0.endFrame <= playhead }
                ghosts.removeAll { $0.until <= playhead }
            default:
                guard let victim = model.randomElement(using: &random) else { continue }
                #expect(sent.first(endingAfter: victim.frame) == victim)
                sent.withdraw(from: victim)
                let gone = model.filter { $0.frame >= victim.frame }
                ghosts.append((victim.frame, gone.reduce(0) { $0 + Int($1.byteCount) }))
                model.removeAll { $0.frame >= victim.frame }
                frame = victim.frame
            }
            let bytes = model.reduce(0) { $0 + Int($1.byteCount) } + ghosts.reduce(0) { $0 + $1.bytes }
            #expect(sent.byteCount == bytes)
            #expect(sent.endFrame == model.last?.endFrame)
            #expect(sent.isEmpty == model.isEmpty)
        }
        sent.played(to: .max)
        #expect(sent.byteCount == 0 && sent.isEmpty)
    }

    @Test("withdrawn bytes count until the speaker's reader has reached them")
    func ghosts() throws {
        var sent = Self.filled(10)
        let victim = try #require(sent.first(endingAfter: 5 * 352))
        #expect(victim.sequence.rawValue == 5)
        sent.withdraw(from: victim)
        #expect(sent.byteCount == 1000)
        #expect(sent.endFrame == Int64(1760))
        sent.played(to: 3 * 352)
        #expect(sent.byteCount == 700)
        sent.played(to: 5 * 352)
        #expect(sent.byteCount == 0)
    }

    @Test("withdrawn bytes count until the speaker skips them, and that is when it takes more")
    func ghostsWithLead() throws {
        var sent = Self.filled(10)
        sent.withdraw(from: try #require(sent.first(endingAfter: 5 * 352)), lead: 3 * 352)
        #expect(sent.frameAfterReleasing(bytes: 400) == Int64(704))
        sent.played(to: 2 * 352)
        #expect(sent.byteCount == 300)
        var kept = Self.filled(4)
        kept.withdraw(from: try #require(kept.first(endingAfter: 0)))
        // Nothing is left to be played, yet there is something to wait for.
        #expect(kept.frameAfterReleasing(bytes: 1) == Int64(0))
    }

    @Test("a second withdrawal at an earlier frame counts only until the reader reaches that frame")
    func ghostsOutOfOrder() throws {
        var sent = Self.filled(10)
        sent.withdraw(from: try #require(sent.first(endingAfter: 8 * 352)))
        sent.append(Self.entry(10, frame: 8 * 352))
        sent.withdraw(from: try #require(sent.first(endingAfter: 4 * 352)))
        #expect(sent.byteCount == 1100)
        sent.played(to: 4 * 352)
        // The first withdrawal, two packets, counts until the reader reaches the eighth packet.
        #expect(sent.byteCount == 200)
        sent.played(to: 8 * 352)
        #expect(sent.byteCount == 0)
    }

    @Test("frameAfterReleasing returns the end frame of the packet that releases enough bytes")
    func releasing() {
        let sent = Self.filled(10)
        #expect(sent.frameAfterReleasing(bytes: 1) == 352)
        #expect(sent.frameAfterReleasing(bytes: 100) == 352)
        #expect(sent.frameAfterReleasing(bytes: 101) == 704)
        #expect(sent.frameAfterReleasing(bytes: 5000) == 3520)
        #expect(SentPackets().frameAfterReleasing(bytes: 1) == nil)
    }

    @Test("removing everything leaves no bytes, also none of earlier withdrawals")
    func removeAll() throws {
        var sent = Self.filled(3)
        sent.withdraw(from: try #require(sent.first(endingAfter: 352)))
        sent.removeAll()
        #expect(sent.byteCount == 0 && sent.isEmpty && sent.endFrame == nil)
        sent.played(to: .max)
        #expect(sent.byteCount == 0)
    }
}
