import CoreMedia
import Testing

@testable import AVFoundation

@Suite("An output's delegate is told of a new picture")
struct PullNoticeTests {
    private func time(_ number: Int64) -> CMTime { CMTime(value: number, timescale: 25) }

    /// Asks for the picture of a time, and copies it.
    ///
    /// - Returns: Whether the delegate is told of a jump.
    private static func copy(_ time: CMTime, in notice: inout PullNotice) -> Bool {
        let isJump = notice.ask(at: time)
        notice.copy(time)
        return isJump
    }

    private func end(
        _ look: PullNotice.Look?, of notice: inout PullNotice, found time: CMTime?
    ) throws -> PullNotice.Outcome {
        notice.end(try #require(look), found: time)
    }

    @Test("once for each request")
    func once() throws {
        var notice = PullNotice()
        #expect(notice.look == nil)
        notice.request()
        let look = notice.look
        let outcomes = [
            try end(look, of: &notice, found: nil), try end(look, of: &notice, found: time(0)),
            try end(look, of: &notice, found: time(0)),
        ]
        #expect(outcomes == [.wait, .tell, .wait])
        #expect(notice.look == nil)
    }

    @Test("not of the picture that was copied last")
    func copied() throws {
        var notice = PullNotice()
        #expect(!Self.copy(time(3), in: &notice))
        notice.request()
        #expect(!notice.isNew(time(3)) && notice.isNew(time(4)))
        let outcomes = [
            try end(notice.look, of: &notice, found: time(3)),
            try end(notice.look, of: &notice, found: time(4)),
        ]
        #expect(outcomes == [.wait, .tell])
    }

    @Test("not by a thread that looked before the request, the copy or the jump")
    func outOfDate() throws {
        var notice = PullNotice()
        notice.request()
        let (one, other) = (notice.look, notice.look)
        var outcomes = [try end(one, of: &notice, found: time(0))]
        #expect(!Self.copy(time(0), in: &notice))
        notice.request()
        outcomes.append(try end(other, of: &notice, found: time(0)))
        let late = notice.look
        let isJump = notice.jump(to: time(33))
        outcomes.append(try end(late, of: &notice, found: time(0)))
        outcomes.append(try end(notice.look, of: &notice, found: time(33)))
        #expect(isJump && outcomes == [.tell, .lookAgain, .lookAgain, .tell])
    }

    @Test(
        "A jump is a step back, or one of more than a second",
        arguments: [(25, false), (26, true), (0, false), (-1, true)])
    func jump(_ number: Int64, _ isJump: Bool) {
        var notice = PullNotice()
        let isFirst = notice.jump(to: time(number))
        #expect(!Self.copy(.zero, in: &notice))
        let found = notice.jump(to: time(number))
        #expect(!isFirst && found == isJump)
    }

    @Test("A jump that is noticed after the next picture was copied is told by the copy")
    func lateJump() {
        var notice = PullNotice()
        var jumps = [0, 25, 60].map { Self.copy(time($0), in: &notice) }
        jumps.append(notice.jump(to: time(60)))
        jumps += [61, 0].map { Self.copy(time($0), in: &notice) }
        #expect(jumps == [false, false, true, false, false, true])
    }

    @Test("A picture that lasts for long is followed by the next one without a jump")
    func longPictures() {
        var notice = PullNotice()
        notice.copy(time(0))
        let asked = (0..<200).map { notice.ask(at: time($0)) }
        notice.copy(time(200))
        #expect(!asked.contains(true) && !notice.ask(at: time(201)))
        let jumps = [notice.ask(at: time(300)), notice.ask(at: time(301))]
        #expect(jumps == [true, false])
    }
}
