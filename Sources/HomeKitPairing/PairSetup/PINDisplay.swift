import TuttiCryptography

/// The PIN that an accessory shows, shared by all its connections.
///
/// Senders differ: some ask for a PIN to be shown (`/pair-pin-start`), let the user type it and only then
/// send the first message of pair-setup; some send both at once; some send no such request (*observed*). So
/// the PIN is valid until an attempt with it has ended, or ``lifetime`` has passed.
public struct PINDisplay: Sendable, Redacted {
    /// The time for which an unused PIN is shown.
    public static let lifetime = Duration.seconds(300)

    private var shown: (pin: String, until: Duration)?

    /// Creates a display without a PIN.
    public init() {}

    /// Returns the valid PIN. Call it for `/pair-pin-start` and for the first message of pair-setup.
    ///
    /// - Parameter time: The time since any fixed instant, on a monotonic clock.
    /// - Returns: The PIN, and whether it is a new PIN that has to be shown.
    public mutating func pin(at time: Duration) -> (pin: String, isNew: Bool) {
        if let shown, time < shown.until { return (shown.pin, false) }
        let pin = PairingPIN.random()
        shown = (pin, time + Self.lifetime)
        return (pin, true)
    }

    /// Invalidates the PIN after an attempt, right or wrong; the accessory may hide it.
    public mutating func end() { shown = nil }
}
