import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@Suite("a wake-up", .timeLimit(.minutes(5)))
struct WakeUpTests {
    let queue = SerialQueue(label: "test")
    let calls = Recorder<[String]>([])
    let wakeUp: QueueWakeUp

    init() { wakeUp = QueueWakeUp(on: queue) }

    private func set(_ name: String, after delay: Duration = .zero) {
        wakeUp.set(after: delay) { [calls, queue] in
            queue.assertCurrent()
            calls.update { $0.append(name) }
        }
    }

    private func called(_ names: [String]) async throws {
        _ = try await calls.wait(for: "\(names)") { $0 == names ? 1 : nil }
    }

    @Test("calls once, on its queue, not before the time")
    func once() async throws {
        let start = SystemClock.now
        set("a", after: .milliseconds(5))
        try await called(["a"])
        #expect(SystemClock.now.since(start) >= .milliseconds(5))
        set("b")
        try await called(["a", "b"])
    }

    @Test("a host time that has passed is due at once")
    func passed() async throws {
        wakeUp.set(at: HostTime(nanoseconds: 0)) { [calls] in calls.update { $0.append("past") } }
        try await called(["past"])
    }

    @Test("a later call replaces a due one that has not begun")
    func replaced() async throws {
        queue.sync {
            set("old")
            for number in 0..<100 { set("\(number)") }
            set("new")
        }
        try await called(["new"])
    }

    @Test("an earlier deadline replaces a later one")
    func earlier() async throws {
        set("in an hour", after: .seconds(3600))
        set("now")
        try await called(["now"])
    }

    @Test("a later deadline replaces an earlier one")
    func later() async throws {
        queue.sync {
            set("now")
            set("in an hour", after: .seconds(3600))
        }
        // The queue has passed the time of the replaced call.
        let other = QueueWakeUp(on: queue)
        let isDue = Recorder(false)
        other.set(after: .milliseconds(1)) { isDue.update { $0 = true } }
        _ = try await isDue.wait(for: "a later call of the same queue") { $0 ? 1 : nil }
        #expect(calls.value.isEmpty)
    }

    @Test("a cancelled call never begins, and another may follow")
    func cancelled() async throws {
        queue.sync {
            set("old")
            wakeUp.cancel()
            wakeUp.cancel()
        }
        queue.sync {}
        set("new")
        try await called(["new"])
    }

    @Test("a call may set the next")
    func again() async throws {
        wakeUp.set(after: .zero) { [self] in
            calls.update { $0.append("first") }
            set("second")
        }
        try await called(["first", "second"])
    }

    @Test("releasing a wake-up releases its closure")
    func released() {
        final class Token: Sendable {}
        weak var token: Token?
        do {
            let held = Token()
            token = held
            let wakeUp = QueueWakeUp(on: queue)
            wakeUp.set(after: .seconds(3600)) { withExtendedLifetime(held) {} }
        }
        #expect(token == nil)
    }
}
