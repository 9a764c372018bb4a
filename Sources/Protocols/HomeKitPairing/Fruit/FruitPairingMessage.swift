/// The values of one message of ``FruitPairSetupController``; on the wire a binary property list.
public struct FruitPairingMessage: Equatable, Sendable {
    /// `method`: the kind of pairing, ``pinMethod``.
    public var method: String?
    /// `user`: the identifier of the controller.
    public var user: String?
    /// `pk`: the SRP public key of the message's sender.
    public var publicKey: [UInt8]?
    /// `salt`: the SRP salt.
    public var salt: [UInt8]?
    /// `proof`: the SRP proof of the message's sender.
    public var proof: [UInt8]?
    /// `epk`: the sealed Ed25519 public key of the message's sender.
    public var sealedKey: [UInt8]?
    /// `authTag`: the tag of ``sealedKey``.
    public var tag: [UInt8]?

    /// The only known value of ``method``.
    public static let pinMethod = "pin"

    /// Creates a message without values.
    public init() {}
}
