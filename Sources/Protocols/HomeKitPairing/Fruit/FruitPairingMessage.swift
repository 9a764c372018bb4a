/// The values of one message of ``FruitPairSetupController``; on the wire a binary property list.
package struct FruitPairingMessage: Equatable, Sendable {
    /// `method`: the kind of pairing, ``pinMethod``.
    package var method: String?
    /// `user`: the identifier of the controller.
    package var user: String?
    /// `pk`: the SRP public key of the message's sender.
    package var publicKey: [UInt8]?
    /// `salt`: the SRP salt.
    package var salt: [UInt8]?
    /// `proof`: the SRP proof of the message's sender.
    package var proof: [UInt8]?
    /// `epk`: the sealed Ed25519 public key of the message's sender.
    package var sealedKey: [UInt8]?
    /// `authTag`: the tag of ``sealedKey``.
    package var tag: [UInt8]?

    /// The only known value of ``method``.
    package static let pinMethod = "pin"

    /// Creates a message without values.
    package init() {}
}
