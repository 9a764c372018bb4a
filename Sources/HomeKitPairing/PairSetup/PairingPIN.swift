import Cryptography

/// The number that an accessory shows and a user types.
public enum PairingPIN {
    /// Digits of a PIN, as AirPlay's senders ask for them.
    public static let digitCount = 4

    /// A new unpredictable one; one for each attempt, so that no guess helps the next.
    public static func random() -> String {
        var generator = SecureRandomGenerator()
        return (0..<digitCount).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
    }
}
