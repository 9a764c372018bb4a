import Testing

@testable import VideoWindow

@Suite("A window's inbox")
struct WindowInboxTests {
    private func pending(_ due: Int64) throws -> WindowInbox.PendingPicture {
        WindowInbox.PendingPicture(
            picture: try TestPicture().make { _, _ in YCbCr(0, 128, 128) }, due: due, postedAt: 0,
            foundIdleThread: true)
    }

    private func shown(_ inbox: WindowInbox) -> Int64? {
        if case .show(let pending) = inbox.image { return pending.due }
        return nil
    }

    @Test("only the newest picture counts, and the others are counted as dropped")
    func newest() throws {
        var inbox = WindowInbox()
        for due in 1...3 as ClosedRange<Int64> { inbox.show(try pending(due)) }
        let taken = inbox.take()
        #expect(shown(taken) == 3)
        #expect(taken.droppedCount == 2)
        #expect(inbox.droppedCount == 0)
        #expect(shown(inbox) == nil)
    }

    @Test("a removal drops the picture before it, and a picture after it is shown")
    func removal() throws {
        var inbox = WindowInbox()
        inbox.show(try pending(1))
        inbox.removeImage()
        guard case .remove = inbox.image else {
            Issue.record("the picture was not removed")
            return
        }
        #expect(inbox.droppedCount == 1)
        inbox.show(try pending(2))
        #expect(shown(inbox) == 2)
        #expect(inbox.droppedCount == 1)
    }

    @Test("changes of the appearance replace each other and stay beside the picture")
    func appearance() throws {
        var inbox = WindowInbox()
        inbox.title = "A"
        inbox.show(try pending(1))
        inbox.title = "B"
        inbox.isFullScreen = true
        let taken = inbox.take()
        #expect(taken.title == "B")
        #expect(taken.isFullScreen == true)
        #expect(shown(taken) == 1)
        #expect(inbox.title == nil)
    }
}
