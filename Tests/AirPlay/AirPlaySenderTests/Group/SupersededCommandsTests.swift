import Testing
import TuttiMediaTime

@testable import AirPlaySender

@Suite("Commands of a group in quick succession")
struct SupersededCommandsTests {
    private static let (a, b) = (PlanRun.a, PlanRun.b)

    @Test("a start that a later command makes meaningless holds nothing up, and begins nothing")
    func superseded() {
        var run = PlanRun(open: [Self.a, Self.b])
        run.give(.start(frame: 7, wanted: nil))
        run.answer(Self.a)
        #expect(run.plan.isBusy)
        run.give(.startSuperseded)
        #expect(!run.plan.isBusy && run.plan.deadline == nil)
        run.answer(Self.b)
        run.wait(.seconds(1))
        #expect(run.requests.isEmpty && run.started.isEmpty)
        run.give(.stop(frame: 9))
        #expect(run.requests.map(\.request) == [.stop, .stop] && run.plan.isBusy)
        run.answer(Self.a)
        run.answer(Self.b)
        run.give(.start(frame: 9, wanted: nil))
        run.give(.startSuperseded)
        run.give(.start(frame: 10, wanted: nil))
        while !run.requests.isEmpty, run.starts.isEmpty { run.answer(run.requests[0].id) }
        #expect(run.starts.map(\.line.frame) == [10, 10])
        // Where nothing is being prepared, there is nothing to end.
        run.give(.startSuperseded)
        #expect(run.plan.line?.frame == 10)
    }

    /// Commands in order, and the positions of those that need not be carried out once all have come.
    private static let rows: [([GroupCommand], superseded: [Int])] = [
        ([.begin, .stop(frame: 0)], [0]), ([.begin, .begin], [0]), ([.stop(frame: 0), .begin], []),
        ([.begin, .clear, .anchorAgain], []),
        // Two seeks, and a seek before whose sound comes another one.
        ([.stop(frame: 0), .clear, .begin, .stop(frame: 1), .clear, .begin], [1, 2]),
        ([.stop(frame: 0), .clear, .stop(frame: 1), .clear], [1]),
        // A start between a stop and the next clear must find nothing of what was there before.
        ([.clear, .stop(frame: 0), .begin, .clear], []), ([.clear, .begin, .clear, .begin], [1]),
        ([.clear, .stop(frame: 0), .begin, .clear, .begin], [0, 2]),
    ]

    @Test(
        "commands that later ones make meaningless are not carried out",
        arguments: rows.indices)
    func supersededCommands(row: Int) {
        var posted = PostedCommands()
        let (commands, superseded) = Self.rows[row]
        let numbers = commands.map { posted.add($0) }
        let found = commands.indices.filter { index in
            switch commands[index] {
            case .start: posted.supersedesStart(numbers[index])
            case .clear: posted.supersedesClear(numbers[index])
            default: false
            }
        }
        #expect(found == superseded)
    }
}

extension GroupCommand {
    fileprivate static var begin: GroupCommand { .start(frame: 0, host: nil) { _ in } }
}
