import Cryptography

/// Which PIN an accessory shows, over all its connections.
///
/// Senders differ: some ask for a PIN to be shown (`/pair-pin-start`), let the user type it and only then
/// send the first message of pair-setup; some send both at once; some send no such request (*observed*). So
/// the PIN that is shown counts until an attempt with it has ended, or ``lifetime`` has passed.
public struct PINDisplay: Sendable, Redacted {
    /// How long a PIN that nobody tries is shown.
    public static let lifetime = Duration.seconds(300)

    private var shown: (pin: String, until: Duration)?

    public init() {}

    /// The PIN that counts now. Call it for `/pair-pin-start` and for the first message of pair-setup.
    ///
    /// - Parameter time: Since any fixed instant, on a clock that never goes back.
    /// - Returns: The PIN, and whether it is a new one that has to be shown.
    public mutating func pin(at time: Duration) -> (pin: String, isNew: Bool) {
        if let shown, time < shown.until { return (shown.pin, false) }
        let pin = PairingPIN.random()
        shown = (pin, time + Self.lifetime)
        return (pin, true)
    }

    /// An attempt with the PIN has ended, right or wrong: it counts no more, and may be taken away.
    public mutating func end() { shown = nil }
}
