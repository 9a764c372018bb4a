import Cryptography

/// The number that an accessory shows and a user types: four digits, as AirPlay's senders ask for them.
public enum PairingPIN {
    /// A new unpredictable one; ``PINDisplay`` says when it is time for it.
    ///
    /// It does not begin with 0: pyatv takes a PIN as a number (*observed*, 0.18).
    public static func random() -> String {
        var generator = SecureRandomGenerator()
        return String(Int.random(in: 1000...9999, using: &generator))
    }
}
