import Testing
import TuttiMediaTime

@Suite("Token bucket")
struct TokenBucketTests {
    private func time(_ milliseconds: Int) -> HostTime {
        HostTime(nanoseconds: Int64(milliseconds) * 1_000_000)
    }

    @Test("a bucket grants a burst, then its rate, and returns the wait for the next token")
    func burst() {
        var bucket = TokenBucket(burst: 5, perSecond: 2, at: time(0))
        let taken = (0..<10_000).count { bucket.take(at: time($0)) }
        #expect((24...25).contains(taken))
        _ = bucket.take(at: time(10_000))
        let wait = bucket.wait(at: time(10_000))
        #expect(wait > .zero && wait <= .milliseconds(500))
        #expect(bucket.wait(at: time(20_000)) == .zero)
    }

    @Test("a bucket with a penalty grants nothing after the burst until the caller pauses")
    func penalty() {
        var bucket = TokenBucket(burst: 5, perSecond: 2, penalty: 10, at: time(0))
        let taken = (0..<60_000).count { bucket.take(at: time($0)) }
        #expect(taken == 5)
        let soon = bucket.take(at: time(61_000))
        let later = bucket.take(at: time(68_000))
        #expect(!soon && later)
    }
}
