import Synchronization
import Testing

@testable import TuttiHouse

@Suite("Tasks of a house")
struct HouseTasksTests {
    /// A house that keeps the jobs it is given.
    private final class Recorder: HouseJobRunning {
        private let record = Mutex<[String]>([])

        var jobs: [String] { record.withLock { $0 } }

        func run(_ job: HouseJob) async { record.withLock { $0.append("\(job)") } }
    }

    private let tasks = HouseTasks()
    private let recorder = Recorder()

    init() { tasks.connect(to: recorder) }

    @Test("a job is carried out by the house, at once or after a time")
    func jobs() async {
        await tasks.begin(.tick).value
        await tasks.begin(.stepFades, after: .zero).value
        #expect(recorder.jobs == ["tick", "stepFades"])
    }

    @Test("a job whose task is cancelled before its time is not carried out")
    func cancelled() async {
        let task = tasks.begin(.tick, after: .seconds(3600))
        task.cancel()
        await task.value
        #expect(recorder.jobs.isEmpty)
    }

    @Test("jobs that begin together are all over when the wait ends")
    func together() async {
        await tasks.runTogether([.tick, .stepFades, .checkAlarms])
        #expect(recorder.jobs.sorted() == ["checkAlarms", "stepFades", "tick"])
    }

    @Test("a house stops once, and its timers are not set any more")
    func stop() {
        let timer = HouseTimer(.tick, tasks)
        timer.set(after: 3600)
        #expect(timer.isSet && !tasks.isStopping)
        timer.set(after: nil)
        #expect(!timer.isSet)
        timer.set(after: 3600)
        let stops = [tasks.stop(), tasks.stop()]
        #expect(stops == [true, false] && tasks.isStopping)
        timer.set(after: 3600)
        #expect(!timer.isSet)
    }
}
