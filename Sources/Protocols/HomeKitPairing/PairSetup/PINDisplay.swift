import TuttiCryptography

/// The PIN that an accessory shows, shared by all its connections.
///
/// Senders differ: some ask for a PIN to be shown (`/pair-pin-start`), let the user type it and only then
/// send the first message of pair-setup; some send both at once; some send no such request (*observed*). So
/// the PIN is valid until an attempt with it has ended, or ``lifetime`` has passed.
package struct PINDisplay: Sendable, Redacted {
    /// The time for which an unused PIN is shown.
    package static let lifetime = Duration.seconds(300)

    /// Wrong guesses for which a PIN stays: a user who mistypes it tries again, and a guesser gains nothing, because
    /// each guess is as good with another PIN.
    package static let guessLimit = 3

    private var shown: (pin: String, until: Duration)?
    private var wrongGuesses = 0

    /// Creates a display without a PIN.
    package init() {}

    /// Returns the valid PIN. Call it for `/pair-pin-start` and for the first message of pair-setup.
    ///
    /// - Parameter time: The time since any fixed instant, on a monotonic clock.
    /// - Returns: The PIN, and whether it is a new PIN that has to be shown.
    package mutating func pin(at time: Duration) -> (pin: String, isNew: Bool) {
        if let shown, time < shown.until { return (shown.pin, false) }
        let pin = PairingPIN.random()
        (shown, wrongGuesses) = ((pin, time + Self.lifetime), 0)
        return (pin, true)
    }

    /// Counts a wrong guess; the last one invalidates the PIN.
    package mutating func guessWrong() {
        wrongGuesses += 1
        if wrongGuesses >= Self.guessLimit { end() }
    }

    /// Invalidates the PIN; the accessory may hide it.
    package mutating func end() { shown = nil }
}
