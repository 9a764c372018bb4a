import Testing
import TuttiMediaTime
import TuttiRTP

@testable import AirPlaySender

@Suite("Audio that a speaker holds, as far as its sender knows")
struct SpeakerContentsTests {
    private static let now = HostTime(nanoseconds: 0)
    private static let line = FrameLine(frame: 3520, host: now, sampleRate: .hz44100)

    /// Returns the contents of a speaker that was sent 100 packets from frame 3520 on.
    private static func sent() -> SpeakerContents {
        var contents = SpeakerContents()
        contents.restart(for: 3520)
        contents.begin(at: 3520)
        for number in 0..<100 {
            contents.append(
                SentPackets.Entry(
                    frame: 3520 + Int64(number) * 352, frameCount: 352,
                    sequence: SequenceNumber(truncating: UInt32(number)), byteCount: 100))
        }
        return contents
    }

    /// The end frame of the last sent packet.
    private static let end: Int64 = 3520 + 35_200

    private static let cases: [(String, @Sendable (inout SpeakerContents) -> Void, Int64, holds: Bool)] = [
        ("fresh", { _ in }, 3520, true),
        ("fresh, later", { _ in }, 20_000, true),
        ("fresh, earlier", { _ in }, 3519, false),
        ("fresh, soon to be sent", { _ in }, end + 22_050, true),
        ("fresh, far ahead", { _ in }, end + 22_050 + 1, false),
        ("playing", { $0.play(along: line, at: now) }, 3520, false),
        ("stopped, nothing known of it", { stop(&$0) }, 5000, false),
        ("stopped and kept", { stop(&$0, keeps: 5000) }, 5000, true),
        ("stopped and kept, before that", { stop(&$0, keeps: 5000) }, 4999, false),
        ("kept from before the first frame", { stop(&$0, keeps: 0) }, 3519, false),
        ("not trusted", { $0.distrust() }, 3520, false),
        ("flushed for another start", { $0.restart(for: 99) }, 99, true),
        ("flushed for another start, elsewhere", { $0.restart(for: 99) }, 100, false),
        ("flushed", { $0.restart() }, 3520, false),
    ]

    private static func stop(_ contents: inout SpeakerContents, keeps frame: Int64? = nil) {
        contents.play(along: line, at: now)
        _ = contents.stop(at: now)
        if let frame { contents.keep(from: frame) }
    }

    @Test("the sender knows at which frames a start needs no flush", arguments: cases.indices)
    func holds(index: Int) {
        let (name, change, frame, holds) = Self.cases[index]
        var contents = Self.sent()
        change(&contents)
        #expect(contents.holds(frame, isFull: false) == holds, "\(name)")
    }

    @Test("a start of a full speaker needs a flush if too little of its sound is there")
    func holdsFull() {
        var contents = Self.sent()
        Self.stop(&contents, keeps: 5000)
        for (frame, holds) in [
            (5000, true), (Self.end - 4410, true), (Self.end - 4409, false), (Self.end, false),
            (Self.end + 22_050, false),
        ] {
            #expect(contents.holds(frame, isFull: true) == holds, "\(frame)")
        }
    }

    @Test("a stop returns the first unplayed frame, and forgets the played packets")
    func stopped() {
        var contents = Self.sent()
        contents.play(along: Self.line, at: Self.now)
        let frame = contents.stop(at: Self.now.advanced(by: .milliseconds(100)))
        #expect(frame == Int64(7930))
        #expect(contents.sent.first(endingAfter: 0)?.frame == Int64(7744))
        #expect(contents.line == nil)
        #expect(contents.stop(at: Self.now) == nil)
    }
}
