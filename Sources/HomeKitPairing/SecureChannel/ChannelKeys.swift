import Cryptography

/// The two keys of one encrypted connection, from one end's view.
///
/// Source: the salts and infos are *observed* with AirPlay receivers; HKDF-SHA-512, 32 bytes.
public struct ChannelKeys: Sendable, Equatable {
    /// Seals what this end sends.
    public let sending: SymmetricKey
    /// Opens what this end receives.
    public let receiving: SymmetricKey

    /// Keys that are known already; ``SharedSecret`` derives them otherwise.
    public init(sending: SymmetricKey, receiving: SymmetricKey) {
        self.sending = sending
        self.receiving = receiving
    }

    /// The keys as the other end has them.
    public var reversed: ChannelKeys { ChannelKeys(sending: receiving, receiving: sending) }
}

extension SharedSecret {
    /// Keys of the control connection, on which RTSP runs.
    public func controlKeys(for role: PairingRole) -> ChannelKeys {
        keys(
            for: role, salt: "Control-Salt", fromController: "Control-Write-Encryption-Key",
            fromAccessory: "Control-Read-Encryption-Key")
    }

    /// Keys of the event connection, on which the accessory sends the requests: what the control
    /// connection calls "write" is there the accessory's direction.
    public func eventKeys(for role: PairingRole) -> ChannelKeys {
        keys(
            for: role, salt: "Events-Salt", fromController: "Events-Read-Encryption-Key",
            fromAccessory: "Events-Write-Encryption-Key")
    }

    /// Keys of a data stream (stream type 130).
    ///
    /// - Parameter seed: The number from the stream's SETUP.
    public func dataStreamKeys(seed: UInt64, for role: PairingRole) -> ChannelKeys {
        keys(
            for: role, salt: "DataStream-Salt\(seed)",
            fromController: "DataStream-Output-Encryption-Key",
            fromAccessory: "DataStream-Input-Encryption-Key")
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
