import Foundation
import HomeKitPairing
import TuttiCryptography
import TuttiSystemIO

/// The persistent identity of a speaker, the same in every run.
///
/// Its description shows the device ID only, not the key.
package struct SpeakerIdentity: Sendable, Equatable {
    /// Hardware address in lower case, e.g. `02:1b:5c:88:01:ee`; random and marked as locally administered,
    /// because several speakers may run on one machine.
    package let deviceID: String
    /// `pi`, a UUID: the speaker's identifier in pairing.
    package let publicID: String
    /// `psi`, a UUID.
    package let publicSystemID: String
    /// The long-term signing key; its public half is `pk`.
    package let key: Ed25519SigningKey

    /// Creates a new random identity.
    ///
    /// - Parameter machine: Random numbers of the identifiers; those of the key are the system's.
    package init(machine: any Machine) {
        var random = MachineRandom(machine)
        var bytes = (0..<6).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        bytes[0] = bytes[0] & 0xFC | Self.locallyAdministered
        deviceID = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
        publicID = random.uuid().lowercased()
        publicSystemID = random.uuid().lowercased()
        do {
            key = try Ed25519SigningKey()
        } catch {
            // Fails only if libcrypto is out of memory or lacks the algorithm.
            preconditionFailure("cannot make a key: \(error)")
        }
    }

    /// Restores a stored identity. Accepts any hardware address, not only a locally administered one.
    ///
    /// - Returns: `nil` if a part does not have the form that ``init(machine:)`` gives it.
    package init?(deviceID: String, publicID: String, publicSystemID: String, key: Ed25519SigningKey) {
        let pairs = deviceID.split(separator: ":", omittingEmptySubsequences: false)
        guard pairs.count == 6,
            pairs.allSatisfy({ $0.utf8.count == 2 && UInt8($0, radix: 16) != nil && !$0.hasPrefix("+") }),
            UUID(uuidString: publicID) != nil, UUID(uuidString: publicSystemID) != nil
        else { return nil }
        self.deviceID = deviceID.lowercased()
        self.publicID = publicID
        self.publicSystemID = publicSystemID
        self.key = key
    }

    /// The bit that marks a hardware address as locally administered.
    private static let locallyAdministered: UInt8 = 0x02

    /// The public half of ``key``, 32 bytes.
    package var publicKey: [UInt8] { key.verifyingKey.bytes }

    /// The speaker's identity in pair-setup with a PIN and in pair-verify.
    package var pairing: PairingIdentity { PairingIdentity(identifier: publicID, key: key) }

    /// Compares all parts, including the key.
    package static func == (left: SpeakerIdentity, right: SpeakerIdentity) -> Bool {
        (left.deviceID, left.publicID, left.publicSystemID)
            == (right.deviceID, right.publicID, right.publicSystemID)
            && constantTimeEqual(left.key.bytes, right.key.bytes)
    }
}

extension SpeakerIdentity: CustomStringConvertible, CustomReflectable {
    /// A description without the key.
    package var description: String { "SpeakerIdentity(\(deviceID))" }

    /// A mirror without the key.
    package var customMirror: Mirror { Mirror(self, children: ["deviceID": deviceID]) }
}
