import Testing

@testable import VideoWindow

@Suite("Deadlines of a window")
struct DeadlineTests {
    private let millisecond: Int64 = 1_000_000

    @Test("a change is drawn at once while no pictures flow")
    func atOnce() {
        var schedule = RedrawSchedule()
        #expect(schedule.deadline == nil)
        schedule.noteChange(at: 5)
        #expect(schedule.deadline == 5)
        schedule.noteDrawing(isPicture: false, at: 6)
        #expect(schedule.deadline == nil)
        schedule.noteChange(at: 7)
        #expect(schedule.deadline == 7)
    }

    @Test("a change waits for the next picture while pictures flow, for a limited time")
    func joins() {
        var schedule = RedrawSchedule()
        schedule.noteDrawing(isPicture: true, at: 0)
        schedule.noteChange(at: 40 * millisecond)
        schedule.noteChange(at: 50 * millisecond)
        #expect(schedule.deadline == 100 * millisecond)
        schedule.noteDrawing(isPicture: true, at: 55 * millisecond)
        #expect(schedule.deadline == nil)
        schedule.noteChange(at: 200 * millisecond)
        #expect(schedule.deadline == 200 * millisecond)
    }

    @Test("the cursor disappears after two seconds and returns with a movement")
    func cursor() {
        var timer = CursorTimer(at: 0)
        let deadline = timer.deadline
        #expect(deadline == 2000 * millisecond)
        let isEarly = timer.handleTimeout(at: 1999 * millisecond)
        #expect(!isEarly)
        let returnsFromNothing = timer.noteMovement(at: 1000 * millisecond)
        #expect(!returnsFromNothing)
        let hides = timer.handleTimeout(at: 3000 * millisecond)
        #expect(hides)
        #expect(timer.deadline == nil)
        let hidesAgain = timer.handleTimeout(at: 9000 * millisecond)
        #expect(!hidesAgain)
        let returns = timer.noteMovement(at: 10_000 * millisecond)
        #expect(returns)
        #expect(timer.deadline == 12_000 * millisecond)
    }
}
