import TuttiMediaTime

/// The answers to a receiver's requests that are sent a second time, a moment later.
///
/// An answer may be lost as the packet was. A receiver asks again a quarter of a second later (*observed*, shairport-sync), or never
/// if the packet is due before that. Memory is taken once.
struct RealtimeRepeats: Sendable {
    /// The limit of waiting answers; beyond it an answer is sent once, so that requests for everything do not double what they cost.
    static let capacity = 64
    /// The time between an answer and its repetition, so that one disturbance of the network does not hit both.
    static let pause = Duration.milliseconds(20)

    private struct Answer: Sendable {
        var sequence: UInt16
        var port: RealtimeSender.Port
        var due: HostTime
    }

    /// A ring, in order of time.
    private var answers = [Answer?](repeating: nil, count: RealtimeRepeats.capacity)
    private var first = 0
    private var count = 0

    /// The time of the next repetition; `nil` if none waits.
    var next: HostTime? { count > 0 ? answers[first]?.due : nil }

    /// Notes an answer that was sent at `now`.
    mutating func add(_ sequence: UInt16, to port: RealtimeSender.Port, at now: HostTime) {
        guard count < Self.capacity else { return }
        let index = (first + count) % Self.capacity
        answers[index] = Answer(sequence: sequence, port: port, due: now.advanced(by: Self.pause))
        count += 1
    }

    /// Removes and returns a repetition that is due; `nil` if none is.
    mutating func take(at now: HostTime) -> (sequence: UInt16, port: RealtimeSender.Port)? {
        guard count > 0, let answer = answers[first], now >= answer.due else { return nil }
        first = (first + 1) % Self.capacity
        count -= 1
        return (answer.sequence, answer.port)
    }

    mutating func removeAll() { count = 0 }
}
