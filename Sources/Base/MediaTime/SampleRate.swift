/// A number of frames per second.
public struct SampleRate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Frames per second, at least 1.
    public let hertz: Int

    /// Creates a rate; `nil` unless 1 ... 1,536,000.
    public init?(hertz: Int) {
        guard (1...1_536_000).contains(hertz) else { return nil }
        self.hertz = hertz
    }

    private init(known hertz: Int) { self.hertz = hertz }

    /// 44,100 Hz.
    public static let hz44100 = SampleRate(known: 44_100)
    /// 48,000 Hz.
    public static let hz48000 = SampleRate(known: 48_000)

    /// Orders rates from low to high.
    public static func < (left: SampleRate, right: SampleRate) -> Bool { left.hertz < right.hertz }

    /// Returns the nanoseconds that `frames` last, rounded toward zero and saturated at 64 bits.
    public func nanoseconds(of frames: Int64) -> Int64 {
        let (seconds, rest) = frames.quotientAndRemainder(dividingBy: Int64(hertz))
        return seconds.multipliedSaturated(by: 1_000_000_000)
            .addingSaturated(rest * 1_000_000_000 / Int64(hertz))
    }

    /// Returns the whole frames in `nanoseconds`, rounded down.
    public func frames(in nanoseconds: Int64) -> Int64 {
        var (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000_000) }
        return seconds * Int64(hertz) + rest * Int64(hertz) / 1_000_000_000
    }

    /// Returns the time that `frames` last, rounded toward zero to nanoseconds.
    public func duration(of frames: Int64) -> Duration { .nanoseconds(nanoseconds(of: frames)) }

    /// The rate in hertz, for logs and messages.
    public var description: String { "\(hertz) Hz" }
}
