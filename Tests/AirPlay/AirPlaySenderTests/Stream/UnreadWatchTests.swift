import Testing
import TuttiMediaTime

@testable import AirPlaySender

@Test("a speaker that reads nothing is distinguished from a slow reader")
func unreadWatch() {
    var watch = UnreadWatch()
    func time(_ seconds: Int) -> HostTime { HostTime(nanoseconds: Int64(seconds) * 1_000_000_000) }
    for second in 0..<100 {
        let slow = watch.look(waitingBytes: 50_000 + second % 2, at: time(second))
        #expect(slow == .zero)
    }
    for second in 100..<140 {
        let unread = watch.look(waitingBytes: 65_000, at: time(second))
        #expect(unread == .seconds(second - 100))
    }
    let empty = watch.look(waitingBytes: 0, at: time(140))
    let anew = watch.look(waitingBytes: 65_000, at: time(150))
    #expect(empty == .zero && anew == .zero)
}
