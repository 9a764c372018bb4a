import Testing

@testable import TuttiSoundServers

@Suite struct RetryDelayTests {
    @Test("attempts wait longer after each failure, and at most 8 s")
    func backOff() {
        var delay = RetryDelay()
        let waits = (0..<7).map { _ in delay.afterFailure() }
        #expect(waits == [0.5, 1, 2, 4, 8, 8, 8].map { Duration.seconds($0) })
        #expect(delay.failures == 7)
        delay.reset()
        #expect(delay.afterFailure() == .milliseconds(500))
    }
}
