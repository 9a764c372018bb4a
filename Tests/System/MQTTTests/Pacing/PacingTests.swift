import Testing

@testable import TuttiMQTT

@Suite("The time between attempts to connect")
struct ReconnectDelayTests {
    @Test("the delay doubles from a second to a minute")
    func doubling() {
        var delay = ReconnectDelay()
        let delays = (0..<8).map { _ in delay.next(after: nil, jitter: 0) }
        #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60].map { Duration.seconds($0) })
    }

    @Test("jitter shortens the delay by up to a quarter")
    func jitter() {
        for (jitter, milliseconds) in [(0.0, 1_000), (0.5, 875), (1.0, 750), (7, 750), (-1, 1_000)] {
            var delay = ReconnectDelay()
            #expect(delay.next(after: nil, jitter: jitter) == .milliseconds(milliseconds))
        }
    }

    @Test("a connection that lasted starts the delay anew, a short one does not")
    func reset() {
        var delay = ReconnectDelay()
        for _ in 0..<3 { _ = delay.next(after: nil, jitter: 0) }
        #expect(delay.next(after: .seconds(29), jitter: 0) == .seconds(8))
        #expect(delay.next(after: .seconds(30), jitter: 0) == .seconds(1))
        #expect(delay.next(after: nil, jitter: 0) == .seconds(2))
    }
}

@Suite("A limit of events in time")
struct TokenBucketTests {
    @Test("so many are allowed at once, and so many a second later")
    func rate() {
        let begin = ContinuousClock.now
        var bucket = TokenBucket(rate: 50, burst: 50)
        let first = (0..<100).filter { _ in bucket.take(at: begin) }.count
        let second = (0..<100).filter { _ in bucket.take(at: begin + .milliseconds(500)) }.count
        #expect(first == 50 && second == 25)
        let waits = [500, 9_000].map { bucket.wait(at: begin + .milliseconds($0)) }
        #expect(waits[0] > .zero && waits[1] == .zero)
        // A clock that goes back gives nothing.
        for _ in 0..<50 { _ = bucket.take(at: begin + .seconds(9)) }
        let another = bucket.take(at: begin)
        #expect(!another)
    }
}
