/// The type of a value in a pairing message.
///
/// Source: HomeKit Accessory Protocol; ``flags`` with its transient bit *observed* with AirPlay.
package struct TLV8Tag: RawRepresentable, Hashable, Sendable {
    /// The byte on the wire.
    package let rawValue: UInt8

    /// Creates a tag from its byte on the wire.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The pairing procedure; see ``PairingMethod``.
    package static let method = TLV8Tag(rawValue: 0x00)
    /// The identifier of the message's sender, as text.
    package static let identifier = TLV8Tag(rawValue: 0x01)
    /// SRP salt.
    package static let salt = TLV8Tag(rawValue: 0x02)
    /// SRP, X25519 or Ed25519 public key.
    package static let publicKey = TLV8Tag(rawValue: 0x03)
    /// SRP proof.
    package static let proof = TLV8Tag(rawValue: 0x04)
    /// Ciphertext and tag of an inner list.
    package static let encryptedData = TLV8Tag(rawValue: 0x05)
    /// Number of the message in its procedure, from 1.
    package static let state = TLV8Tag(rawValue: 0x06)
    /// The error that ends the procedure; see ``PairingErrorCode``.
    package static let error = TLV8Tag(rawValue: 0x07)
    /// Seconds to wait before the next attempt.
    package static let retryDelay = TLV8Tag(rawValue: 0x08)
    /// Certificate of Apple's accessory programme.
    package static let certificate = TLV8Tag(rawValue: 0x09)
    /// Ed25519 signature.
    package static let signature = TLV8Tag(rawValue: 0x0A)
    /// The permissions of a paired controller.
    package static let permissions = TLV8Tag(rawValue: 0x0B)
    /// A part of a body that did not fit one request.
    package static let fragmentData = TLV8Tag(rawValue: 0x0D)
    /// The last part of a body that did not fit one request.
    package static let fragmentLast = TLV8Tag(rawValue: 0x0E)
    /// A name; *observed* with Apple peers, meaning not verified.
    package static let name = TLV8Tag(rawValue: 0x11)
    /// Bits that change the procedure; see ``PairingFlags``.
    package static let flags = TLV8Tag(rawValue: 0x13)
    /// An empty separator between two entries of a list.
    package static let separator = TLV8Tag(rawValue: 0xFF)
}

extension TLV8Tag: CustomStringConvertible {
    /// The number in hexadecimal, as in lists of types.
    package var description: String { "TLV type 0x\(String(rawValue, radix: 16, uppercase: true))" }
}

/// The procedure that a first message begins.
package enum PairingMethod {
    /// Pair-setup, transient or not.
    package static let pairSetup: UInt8 = 0
    /// Pair-setup with Apple's accessory authentication.
    package static let pairSetupWithAuthentication: UInt8 = 1
    /// Pair-verify.
    package static let pairVerify: UInt8 = 2
    /// Adds a controller.
    package static let addPairing: UInt8 = 3
    /// Removes a controller.
    package static let removePairing: UInt8 = 4
    /// Lists all controllers.
    package static let listPairings: UInt8 = 5
}

/// The bits of ``TLV8Tag/flags``.
package struct PairingFlags: OptionSet, Sendable {
    /// The bits on the wire.
    package let rawValue: UInt32

    /// Creates flags from their bits on the wire.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Nothing is stored on either side: four messages, and the key is valid for this connection only.
    package static let transient = PairingFlags(rawValue: 0x10)
}
