import HomeKitPairing
import TuttiCryptography
import TuttiSystemIO

/// The identity under which this user's programs pair with speakers, the same in every run.
///
/// A speaker knows its paired controllers by ``pairing``. The other two identifiers go with it: they are those
/// of the host at the first pairing. Printing the value shows no key.
struct ControllerIdentity: Sendable, Redacted {
    /// Name and key in pair-setup and pair-verify.
    let pairing: PairingIdentity
    /// See ``SenderIdentity/deviceID``.
    let deviceID: String
    /// See ``SenderIdentity/dacpID``.
    let dacpID: String

    /// Creates a new identity, with the other identifiers of a sender.
    init(of sender: SenderIdentity, machine: any Machine) {
        var random = MachineRandom(machine)
        do {
            pairing = PairingIdentity(identifier: random.uuid(), key: try Ed25519SigningKey())
        } catch {
            // Fails only on a libcrypto without memory or without the algorithm.
            preconditionFailure("cannot make a key: \(error)")
        }
        (deviceID, dacpID) = (sender.deviceID, sender.dacpID)
    }

    init(pairing: PairingIdentity, deviceID: String, dacpID: String) {
        (self.pairing, self.deviceID, self.dacpID) = (pairing, deviceID, dacpID)
    }
}
