import Dispatch
import Glibc
import Testing
import TuttiSystemIO
import TuttiTestSupport

@Suite("Real-time threads", .tags(.machine))
struct RealtimeThreadTests {
    @Test("a thread that a real-time thread creates is ordinary")
    func children() async throws {
        let policies = Recorder<[Int32]>([])
        let priority = Recorder<[RealtimeThread.Priority]>([])
        try RealtimeThread.start(name: "parent", priority: 1) { obtained in
            priority.update { $0.append(obtained) }
            policies.update { $0.append(sched_getscheduler(0)) }
            // Priority 0 asks for nothing: the thread keeps what it is created with.
            try? RealtimeThread.start(name: "child", priority: 0) { _ in
                policies.update { $0.append(sched_getscheduler(0)) }
            }
        }
        let seen = try await policies.wait(for: "both threads") { $0.count == 2 ? $0 : nil }
        // Without the privilege both are ordinary anyway.
        let flag = Int32(bitPattern: 0x4000_0000)
        #expect(seen[0] & ~flag == (priority.value == [.realtime(1)] ? SCHED_FIFO : SCHED_OTHER))
        #expect(seen[1] == SCHED_OTHER)
    }
}
