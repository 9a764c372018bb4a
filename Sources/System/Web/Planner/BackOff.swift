/// An exponential back-off: no delay before the first attempt, then doubling delays up to a limit.
struct BackOff: Hashable {
    private let first: Duration
    private let longest: Duration
    private var following: Duration = .zero

    init(first: Duration, longest: Duration) { (self.first, self.longest) = (first, longest) }

    mutating func next() -> Duration {
        let now = following
        following = now == .zero ? min(first, longest) : min(now * 2, longest)
        return now
    }

    mutating func reset() { following = .zero }
}
