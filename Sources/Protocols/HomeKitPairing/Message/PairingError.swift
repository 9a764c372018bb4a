import TuttiWire

/// An error that ends a pairing procedure.
///
/// After any of these the connection is unusable; the next attempt needs a new one (*observed*).
package enum PairingError: Error, Equatable, Sendable {
    /// The password or PIN is wrong: one side's proof did not match the other's.
    case authenticationFailed
    /// The accessory did not prove that it knows the password, whatever it claims: a broken accessory, or an
    /// impostor.
    case accessoryNotAuthentic
    /// Too many recent attempts; the next is allowed after this many seconds, `nil` if the peer named no time.
    case backOff(seconds: UInt64?)
    /// The accessory has no room for another paired controller.
    case tooManyPeers
    /// Too many wrong attempts; the accessory accepts no more until it is restarted.
    case tooManyTries
    /// The accessory does not offer this procedure, or not now. An accessory with access control refuses
    /// transient pairing this way.
    case unavailable
    /// Another controller is pairing.
    case busy
    /// The peer's error code is unknown here.
    case refused(code: UInt8)
    /// A body without any bytes, which some receivers send for a failed step (*observed*).
    case emptyBody
    /// The body is not a list of typed values, or a value has an impossible length.
    case malformed(WireError)
    /// A message lacks a required value.
    case missing(TLV8Tag)
    /// The message is not the one expected in the procedure; `received` is `nil` when it has no number.
    case unexpectedState(expected: UInt8, received: UInt64?)
    /// An SRP public key that no honest peer sends.
    case invalidPublicKey
    /// The controller asks for a procedure that this accessory does not support.
    case unsupportedProcedure(method: UInt64, flags: UInt64)
    /// The procedure is over, or has not begun.
    case notInProgress
}
