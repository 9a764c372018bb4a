import Testing
import TuttiMediaTime

@testable import TuttiWeb

@Suite("A reader's wait")
struct ReaderWaitTests {
    private static let start = HostTime(nanoseconds: 5_000_000_000)
    private static let limits = WebLimits()

    private static func at(_ seconds: Int) -> HostTime { start.advanced(by: .seconds(seconds)) }

    enum Step: Sendable {
        case begin(Int)
        case read(Int)
        case receive(Int, Int)
        case end
        case forgive
        case reset
    }

    /// Steps, the second of the latest progress, and the seconds of the two failures.
    static let cases: [(String, [Step], progress: Int, silent: Int?, slow: Int?)] = [
        ("no wait, no failure", [], 0, nil, nil),
        ("a wait counts from its start", [.begin(4)], 0, 19, 34),
        ("bytes move the silence, not the supply", [.begin(4), .receive(10, 6)], 6, 21, 34),
        ("enough bytes start the supply over", [.begin(4), .receive(3840, 9)], 9, 24, 39),
        ("a second beginning changes nothing", [.begin(4), .begin(8)], 0, 19, 34),
        ("a reader that reads at once starves on", [.begin(4), .read(6), .begin(7)], 6, 22, 34),
        ("a reader that was away starts over", [.begin(4), .read(6), .begin(12)], 6, 27, 42),
        ("enough bytes without a wait end it", [.begin(4), .end, .receive(3840, 9), .begin(10)], 9, 25, 40),
        ("a new request forgives the supply", [.begin(4), .forgive, .begin(8)], 0, 19, 38),
        ("a seek forgets both", [.begin(4), .reset, .begin(8)], 0, 23, 38),
        ("an ended wait has no failure", [.begin(4), .end], 0, nil, nil),
    ]

    @Test("a wait fails by silence or by too few bytes", arguments: cases)
    func failures(name: String, steps: [Step], progress: Int, silent: Int?, slow: Int?) {
        var wait = ReaderWait()
        for step in steps {
            switch step {
            case .begin(let second): wait.begin(at: Self.at(second), limits: Self.limits)
            case .read(let second): wait.read(at: Self.at(second))
            case .receive(let count, let second):
                wait.receive(count, at: Self.at(second), limits: Self.limits)
            case .end: wait.end()
            case .forgive: wait.forgive()
            case .reset: wait.reset()
            }
        }
        let failures = wait.failures(progress: Self.at(progress), limits: Self.limits)
        #expect(failures.map(\.at) == [silent, slow].compactMap { $0.map(Self.at) })
    }
}
