import TuttiCryptography

/// The two keys of one encrypted connection, from one end's point of view.
///
/// Source: the salts and infos are *observed* with AirPlay receivers; HKDF-SHA-512, 32 bytes.
package struct ChannelKeys: Sendable, Equatable {
    /// The key that encrypts this end's bytes.
    package let sending: SymmetricKey
    /// The key that decrypts the other end's bytes.
    package let receiving: SymmetricKey

    /// Creates keys from known ones; otherwise ``SharedSecret`` derives them.
    package init(sending: SymmetricKey, receiving: SymmetricKey) {
        self.sending = sending
        self.receiving = receiving
    }

    /// The keys from the other end's point of view.
    package var reversed: ChannelKeys { ChannelKeys(sending: receiving, receiving: sending) }
}

extension SharedSecret {
    /// Returns the keys of the control connection, which carries RTSP.
    package func controlKeys(for role: PairingRole) -> ChannelKeys {
        keys(
            for: role, salt: "Control-Salt", fromController: "Control-Write-Encryption-Key",
            fromAccessory: "Control-Read-Encryption-Key")
    }

    /// Returns the keys of the event connection, on which the accessory sends the requests: the direction
    /// that the control connection calls "write" is the accessory's there.
    package func eventKeys(for role: PairingRole) -> ChannelKeys {
        keys(
            for: role, salt: "Events-Salt", fromController: "Events-Read-Encryption-Key",
            fromAccessory: "Events-Write-Encryption-Key")
    }

    private func keys(
        for role: PairingRole, salt: String, fromController: String, fromAccessory: String
    ) -> ChannelKeys {
        func key(_ info: String) -> SymmetricKey {
            SymmetricKey(derivedFrom: bytes, salt: Array(salt.utf8), info: Array(info.utf8))
        }
        let controller = ChannelKeys(sending: key(fromController), receiving: key(fromAccessory))
        return role == .controller ? controller : controller.reversed
    }
}
