import Synchronization
import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@Suite("A thread that waits for sockets", .tags(.machine))
struct SocketPollerTests {
    @Test("a passed deadline does not wait")
    func passedDeadline() throws {
        var poller = SocketPoller(sockets: [], signal: try WakeSignal())
        try poller.wait(until: SystemClock.now) { _ in Issue.record("no socket") }
        try poller.wait(until: HostTime(nanoseconds: .min)) { _ in Issue.record("no socket") }
    }

    @Test("the signal ends an endless wait, once for many wake-ups")
    func signal() throws {
        let signal = try WakeSignal()
        var poller = SocketPoller(sockets: [], signal: signal)
        for _ in 0..<5 { signal.wake() }
        try poller.wait(until: nil) { _ in }
        let before = SystemClock.now
        try poller.wait(until: before.advanced(by: .milliseconds(1))) { _ in }
        #expect(SystemClock.now.since(before) >= .milliseconds(1))
    }

    @Test("a thread runs its body with the granted priority")
    func thread() async throws {
        let priority = await withCheckedContinuation { continuation in
            do {
                try RealtimeThread.start(name: "a name that is too long", priority: 10) {
                    continuation.resume(returning: $0)
                }
            } catch {
                Issue.record(error)
                continuation.resume(returning: .ordinary)
            }
        }
        #expect([.ordinary, .realtime(10), .realtime(5), .realtime(2), .realtime(1)].contains(priority))
    }
}
