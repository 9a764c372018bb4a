import Testing

@testable import TuttiMusicLibrary

@Suite("The times of scans and updates")
struct ScanScheduleTests {
    private let start = ContinuousClock.now
    private var schedule: ScanSchedule { ScanSchedule(now: start, retryDelay: .seconds(60)) }
    private func time(_ seconds: Double) -> ContinuousClock.Instant { start.advanced(by: .seconds(seconds)) }

    @Test("a scan of everything comes first, then requests, then looks at the folders")
    func order() {
        var schedule = schedule
        schedule.want(["/a"])
        #expect(schedule.next(at: time(0)) == .everything)
        schedule.didScan(at: time(5), interval: .seconds(900))
        #expect(schedule.next(at: time(5)) == .wait(until: time(30)))
        schedule.want(["/a"])
        schedule.want(["/b"])
        #expect(schedule.next(at: time(6)) == .folders(["/a", "/b"]))
        #expect(schedule.next(at: time(30)) == .checkRoots)
        #expect(schedule.next(at: time(30)) == .wait(until: time(60)))
    }

    @Test("without an interval, only a wish scans everything again")
    func noInterval() {
        var schedule = schedule
        #expect(schedule.next(at: time(0)) == .everything)
        schedule.didScan(at: time(1), interval: nil)
        #expect(schedule.next(at: time(1_000_000)) == .checkRoots)
        schedule.wantEverything()
        #expect(schedule.next(at: time(1_000_001)) == .everything)
    }

    @Test("everything is scanned again after the interval, at once if wanted, and for very many folders")
    func everything() {
        var schedule = schedule
        #expect(schedule.next(at: time(0)) == .everything)
        schedule.didScan(at: time(1), interval: .seconds(20))
        #expect(schedule.next(at: time(1)) == .wait(until: time(21)))
        #expect(schedule.next(at: time(21)) == .everything)
        schedule.didScan(at: time(22), interval: .seconds(900))
        schedule.wantEverything()
        #expect(schedule.next(at: time(22)) == .everything)
        schedule.want(Set((0...ScanSchedule.folderLimit).map { "/\($0)" }))
        #expect(schedule.next(at: time(23)) == .everything)
    }

    @Test("after a failure nothing is tried for a minute, then everything")
    func failure() {
        var schedule = schedule
        #expect(schedule.next(at: time(0)) == .everything)
        schedule.didFail(at: time(1))
        schedule.want(["/a"])
        #expect(schedule.next(at: time(2)) == .wait(until: time(61)))
        #expect(schedule.next(at: time(61)) == .everything)
    }

    @Test("updates come at once, then at most two a second, and the last one is told")
    func throttle() {
        var throttle = UpdateThrottle()
        #expect(throttle.note(at: time(0)) == .zero)
        throttle.didPublish(at: time(0))
        #expect(throttle.note(at: time(0.1)) == .seconds(0.4) && throttle.note(at: time(0.2)) == nil)
        throttle.didPublish(at: time(0.5))
        #expect(throttle.note(at: time(9)) == .zero)
    }

    @Test("troubles are told by kind, each about one thing, and not without limit")
    func troubles() {
        var list = TroubleList(earlier: [LibraryTrouble(code: "setAside", message: "old")])
        for number in 0..<100 { list.set(.unreadable, about: "\(number)", "\(number)") }
        list.set(.database, "broken")
        #expect(list.all.count == 20 && list.all.prefix(2).map(\.message) == ["old", "broken"])
        list.clear(.unreadable) { $0 != "7" }
        #expect(list.all.map(\.message) == ["old", "broken", "7"])
        list.clear(.unreadable)
        list.set(.database, nil)
        #expect(list.all.map(\.message) == ["old"])
    }
}
