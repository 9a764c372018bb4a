import Wire

/// Why a pairing procedure ended.
///
/// After any of these the connection is spent; the next attempt needs a new one (*observed*).
public enum PairingError: Error, Equatable, Sendable {
    /// The password or PIN is wrong: one side's proof did not fit the other's.
    case authenticationFailed
    /// The accessory showed no right proof of its own. It does not know the password, whatever it
    /// says: a broken accessory, or someone in its place.
    case accessoryNotAuthentic
    /// Too many attempts lately; the next one may come after this many seconds, if it said so.
    case backOff(seconds: UInt64?)
    /// The accessory has as many paired controllers as it can hold.
    case tooManyPeers
    /// Too many wrong attempts; the accessory takes no more until it is restarted.
    case tooManyTries
    /// The accessory does not offer this procedure, or not now. One with access control refuses
    /// transient pairing so.
    case unavailable
    /// Another controller is pairing.
    case busy
    /// An error without a name here.
    case refused(code: UInt8)
    /// A body without any bytes, which some receivers send for a failed step (*observed*).
    case emptyBody
    /// A body that is not a list of typed values, or a value of an impossible length.
    case malformed(WireError)
    /// A message without a value that it must have.
    case missing(TLV8Tag)
    /// Another message of the procedure than the one that is due; `nil` when it has no number.
    case unexpectedState(expected: UInt8, received: UInt64?)
    /// An SRP public key that no honest peer sends.
    case invalidPublicKey
    /// The controller asks for a procedure that this accessory does not speak.
    case unsupportedProcedure(method: UInt64, flags: UInt64)
    /// The procedure is over, or has not begun.
    case notInProgress
}
