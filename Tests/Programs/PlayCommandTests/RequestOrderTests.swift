import Synchronization
import Testing
import TuttiTestSupport

@testable import TuttiPlayCommand

@Suite("The order of requests")
struct RequestOrderTests {
    @Test(
        "a volume for all follows the volume of one speaker that was given before it, however long that takes"
    )
    func order() async throws {
        let lines = ["volume Room 2 80", "volume 30", "join Bath", "volume Room 2 50", "delay Bath 20"]
        let requests = try lines.map { try PlayRequest(line: $0) }
        let isOrdered = requests.allSatisfy(\.concernsSpeakers)
        #expect(isOrdered)
        let done = Recorder<[PlayRequest]>([])
        let order = RequestOrder(report: RecordedReport()) { request in
            // Requests for one speaker take longer than those for the player.
            if case .speaker = request { for _ in 0..<100 { await Task.yield() } }
            done.update { $0.append(request) }
        }
        for request in requests { order.perform(request) }
        let running = Task { await order.run() }
        _ = try await done.wait(for: "all requests") { $0.count == requests.count ? 1 : nil }
        running.cancel()
        #expect(done.value == requests)
    }

    @Test("requests that concern no speaker wait for none")
    func others() throws {
        for line in ["pause", "resume", "next", "seek 3", "quit", "insert 0 a.flac"] {
            let request = try PlayRequest(line: line)
            #expect(!request.concernsSpeakers)
        }
    }

    @Test("requests beyond the limit are dropped with a warning")
    func limit() {
        let report = RecordedReport()
        let order = RequestOrder(report: report) { _ in }
        for _ in 0..<257 { order.perform(.volume(1)) }
        #expect(report.lines.value == ["warning busy"])
    }
}
