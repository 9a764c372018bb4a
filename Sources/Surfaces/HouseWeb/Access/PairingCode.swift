import TuttiCryptography

/// The code that gives a new device access: six digits, shown once by the service, and typed on the device.
///
/// A guess succeeds with a chance of 5 in a million for each code, and wrong tries become slow.
struct PairingCode: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The answer to an attempt.
    enum Outcome: Sendable, Hashable {
        case accepted
        case wrong
        /// No code is valid: none was made, it was used, it is too old, or there were too many wrong attempts.
        case needsNewCode
        /// Too little time has passed since the last wrong attempt.
        case tooFast(wait: Duration)
    }

    /// The time to walk from the screen to the device and type.
    static let lifetime = Duration.seconds(300)
    /// Wrong attempts for one code.
    static let tries = 5
    /// The longest pause after a wrong attempt; the first pause is one second, and each further one doubles it.
    static let longestPause = Duration.seconds(30)
    static let digits = 6

    private var code: [UInt8]?
    private var end = Instant.now
    private var wrongTries = 0
    private var pause = Duration.zero
    private var nextTry: Instant?

    /// Makes a code valid, instead of any earlier one.
    mutating func set(_ code: String, at now: Instant) {
        self.code = Array(code.utf8)
        (end, wrongTries) = (now.advanced(by: Self.lifetime), 0)
    }

    /// Tries a code.
    mutating func use(_ text: String, at now: Instant) -> Outcome {
        if let nextTry, now < nextTry { return .tooFast(wait: nextTry - now) }
        guard let code, now < end else {
            self.code = nil
            return .needsNewCode
        }
        if constantTimeEqual(code, Array(text.utf8)) {
            (self.code, pause, nextTry) = (nil, .zero, nil)
            return .accepted
        }
        wrongTries += 1
        pause = min(max(.seconds(1), pause * 2), Self.longestPause)
        nextTry = now.advanced(by: pause)
        if wrongTries >= Self.tries { self.code = nil }
        return .wrong
    }

    /// Makes the code invalid. The pause after a wrong attempt stays.
    mutating func cancel() { code = nil }

    /// Returns a new code from the system's random numbers.
    static func random() -> String {
        let text = String(UInt32.random(in: 0..<1_000_000))
        return String(repeating: "0", count: digits - text.count) + text
    }
}
