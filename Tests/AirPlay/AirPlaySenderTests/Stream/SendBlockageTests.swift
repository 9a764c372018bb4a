import Testing
import TuttiMediaTime

@testable import AirPlaySender

@Test("a blocked connection counts from the first look that finds it full to the last one")
func sendBlockage() {
    var blockage = SendBlockage()
    func time(_ milliseconds: Int) -> HostTime { HostTime(nanoseconds: Int64(milliseconds) * 1_000_000) }
    blockage.end()
    #expect(blockage.total == .zero)
    blockage.note(at: time(10))
    #expect(blockage.total == .zero)
    blockage.note(at: time(20))
    blockage.note(at: time(35))
    #expect(blockage.total == .milliseconds(25))
    blockage.end()
    blockage.note(at: time(100))
    blockage.note(at: time(110))
    #expect(blockage.total == .milliseconds(35))
}

@Test("a task that waits for sound to be written is told how long the connection took none meanwhile")
func writeWaiters() async {
    func time(_ milliseconds: Int) -> HostTime { HostTime(nanoseconds: Int64(milliseconds) * 1_000_000) }
    for (isInTime, told) in [(true, Duration.milliseconds(25)), (false, .zero)] {
        let blocked = await withCheckedContinuation { continuation in
            var waiters = WriteWaiters()
            waiters.blockage.note(at: time(0))
            waiters.blockage.note(at: time(10))
            let waiter = waiters.add(continuation, for: 100)
            waiters.blockage.note(at: time(30))
            waiters.resume(to: 99)
            waiters.blockage.note(at: time(35))
            waiters.blockage.end()
            if isInTime { waiters.resume(to: 100) } else { waiters.timeOut(waiter) }
        }
        #expect(blocked == told)
    }
}
