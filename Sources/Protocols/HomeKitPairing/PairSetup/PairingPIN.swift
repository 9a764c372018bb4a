import TuttiCryptography

/// The PIN that an accessory shows and a user types: four digits, as AirPlay senders expect.
package enum PairingPIN {
    /// Returns a new unpredictable PIN; ``PINDisplay`` decides when to make one.
    ///
    /// The PIN does not begin with 0: pyatv parses a PIN as a number (*observed*, 0.18).
    package static func random() -> String {
        var generator = SecureRandomGenerator()
        return String(Int.random(in: 1000...9999, using: &generator))
    }
}
