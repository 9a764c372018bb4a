/// An exponential average of durations in nanoseconds.
struct RunningAverage {
    /// Each value closes this part of the difference.
    private static let part: Int64 = 8

    private(set) var value: Int64 = 0
    private var isEmpty = true

    mutating func note(_ nanoseconds: Int64) {
        let nanoseconds = max(0, nanoseconds)
        value = isEmpty ? nanoseconds : value + (nanoseconds - value) / Self.part
        isEmpty = false
    }
}
