import Testing
import TuttiMediaTime

@testable import AirPlayReceiver

@Suite("Counts of outages")
struct OutageCounterTests {
    enum Step: Sendable {
        /// Mixing begins at a position.
        case start(Int64)
        /// Mixing begins at a position while packets wait to be decoded.
        case startWithMore(Int64)
        case mix(Int64, Int64)
        case decode(Int64, Int64, mixed: Int64)
        case takeBack(Int64)
        case demand(Int64)
        case permitJump
        case forgetPositions
    }

    /// Sound from 0 to 1000, in which the packet of 400 to 500 is missing.
    private static let timeline: DecodedTimeline = {
        var timeline = DecodedTimeline()
        for (sequence, start) in [Int64(0), 400, 500].enumerated() {
            let count: Int64 = start == 500 ? 500 : start == 400 ? 100 : 400
            timeline.append(
                SoundBlock(
                    position: start, frameCount: count, sequence: Int64(sequence), rate: .hz44100,
                    samples: [],
                    isMissing: start == 400))
        }
        return timeline
    }()

    static let cases: [(String, [Step], missing: Int64, underruns: Int)] = [
        ("sound without a gap", [.start(0), .mix(0, 300)], 0, 0),
        ("a missing packet", [.start(0), .mix(0, 300), .mix(300, 450), .mix(450, 600)], 100, 0),
        (
            "a packet is counted once",
            [.start(0), .mix(0, 600), .takeBack(100), .start(100), .mix(100, 600)], 100, 0
        ),
        ("a late start of the line", [.start(0), .mix(0, 100), .start(300)], 200, 0),
        ("a start that rounds", [.start(0), .mix(0, 100), .start(101)], 0, 0),
        (
            "a late start before sound was taken back",
            [.start(0), .mix(0, 300), .takeBack(100), .start(300)], 200, 0
        ),
        ("a jump of the sender", [.start(0), .mix(0, 100), .permitJump, .start(300)], 0, 0),
        ("a flush", [.start(0), .mix(0, 100), .forgetPositions, .start(300)], 0, 0),
        ("a late line after a flush", [.forgetPositions, .demand(100), .start(350)], 250, 0),
        ("beyond the sound that has arrived", [.start(0), .mix(0, 900), .start(1300)], 100 + 100, 0),
        ("with sound still to decode", [.start(0), .mix(0, 100), .startWithMore(1300)], 1200, 0),
        ("sound that came after its frames", [.start(0), .decode(500, 800, mixed: 700)], 200, 0),
        ("sound before the start", [.start(600), .decode(500, 800, mixed: 700)], 100, 0),
        ("sound in time", [.start(0), .decode(500, 800, mixed: 400)], 0, 0),
        ("sound that has run out just now", [.start(0), .mix(900, 1100), .mix(1100, 1200)], 0, 0),
        ("an underrun", [.start(0), .mix(900, 1100), .mix(1100, 1200), .mix(500, 600)], 0, 1),
        (
            "two underruns",
            [.start(0), .mix(900, 1100), .mix(500, 600), .mix(900, 1200), .mix(500, 600)], 0, 2
        ),
        (
            "an end that the sender knows",
            [.start(0), .mix(900, 1100), .permitJump, .mix(500, 600)], 0, 0
        ),
        (
            "a cut is counted while it lasts, once",
            [
                .start(0), .mix(900, 5000), .mix(5000, 6001), .mix(6001, 7000),
                .decode(1000, 9000, mixed: 8000),
            ],
            7000, 1
        ),
        (
            "frames that are mixed again during a cut",
            [.start(0), .mix(900, 7000), .takeBack(6500), .mix(6500, 7500)], 6500, 1
        ),
    ]

    @Test("missing frames and underruns are counted once", arguments: cases)
    func counts(name: String, steps: [Step], missing: Int64, underruns: Int) {
        var counter = OutageCounter()
        for step in steps {
            switch step {
            case .start(let position):
                counter.start(at: position, second: 44_100, timeline: Self.timeline, hasMore: false)
            case .startWithMore(let position):
                counter.start(at: position, second: 44_100, timeline: Self.timeline, hasMore: true)
            case .mix(let from, let to):
                counter.mix(from: from, to: to, timeline: Self.timeline, patience: 5000)
            case .decode(let due, let end, let mixed): counter.decode(from: due, to: end, mixed: mixed)
            case .takeBack(let position): counter.takeBack(from: position)
            case .demand(let position): counter.demand(position)
            case .permitJump: counter.permitJump()
            case .forgetPositions: counter.forgetPositions()
            }
        }
        #expect(counter.missingFrames == missing)
        #expect(counter.underrunCount == underruns)
    }
}
