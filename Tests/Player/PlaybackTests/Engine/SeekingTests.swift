import CoreMedia
import Testing
import TuttiMediaTime

@testable import Playback

@Suite("Pending seeks")
struct SeekingTests {
    private let start = HostTime(nanoseconds: 1_000_000_000)
    private let target = CMTime(value: 30, timescale: 1)

    private func request(_ value: Int) -> RequestID { RequestID(value: value) }
    private func after(_ milliseconds: Int) -> HostTime { start.advanced(by: .milliseconds(milliseconds)) }

    @Test("a single seek is due at once, begins, and ends with its request")
    func single() {
        var seeking = Seeking()
        #expect(seeking.pending == nil && seeking.end() == nil)
        #expect(seeking.ask(for: target, request(1), at: start) == nil)
        #expect(seeking.due(at: start)?.request == request(1) && seeking.landing == nil)
        seeking.begin(to: CMTime(value: 20, timescale: 1))
        #expect(seeking.due(at: start) == nil)
        #expect(seeking.landing?.target.seconds == 20)
        #expect(seeking.end() == request(1) && seeking.pending == nil)
    }

    @Test("a later seek replaces an earlier one, whether that has begun or not", arguments: [true, false])
    func replaced(hasBegun: Bool) {
        var seeking = Seeking()
        _ = seeking.ask(for: target, request(1), at: start)
        if hasBegun { seeking.begin(to: target) }
        #expect(seeking.ask(for: .zero, request(2), at: after(500)) == request(1))
        #expect(seeking.landing == nil && seeking.due(at: after(500))?.request == request(2))
    }

    @Test("a seek that has begun waits again when its item is read anew")
    func restarted() {
        var seeking = Seeking()
        seeking.restart()
        #expect(seeking.pending == nil)
        _ = seeking.ask(for: target, request(1), at: start)
        seeking.begin(to: target)
        seeking.restart()
        #expect(seeking.landing == nil && seeking.due(at: start)?.request == request(1))
    }

    /// Milliseconds of the seeks, and of the instant from which the last one may begin.
    static let bursts: [([Int], Int)] = [
        ([0], 0), ([0, 100], 100), ([0, 50], 90), ([0, 50, 80], 120), ([0, 99, 190], 199),
        ([0, 50, 90, 130], 150), ([0, 50, 90, 130, 140], 150), ([0, 50, 300], 300),
    ]

    @Test("only the last seek of a burst runs, after a quiet time but not much later", arguments: bursts)
    func burst(seeks: [Int], due: Int) {
        var seeking = Seeking()
        for (index, time) in seeks.enumerated() {
            _ = seeking.ask(for: target, request(index), at: after(time))
        }
        let earliest = seeking.deadline(after: after(-1))
        #expect(earliest == after(due))
        #expect(seeking.due(at: after(due - 1)) == nil && seeking.due(at: after(due)) != nil)
        #expect(seeking.deadline(after: after(due)) == nil)
    }
}
