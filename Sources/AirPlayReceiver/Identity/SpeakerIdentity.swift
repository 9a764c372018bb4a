public import Cryptography
import Foundation
public import HomeKitPairing

/// Who a speaker is to every sender: the same in each run.
///
/// Printing it shows the device id only.
public struct SpeakerIdentity: Sendable, Equatable {
    /// Hardware-address form, lower case, e.g. `02:1b:5c:88:01:ee`; random and marked as locally
    /// administered, because several speakers may live on one machine.
    public let deviceID: String
    /// `pi`, a UUID: the speaker's name in pairing.
    public let publicID: String
    /// `psi`, a UUID.
    public let publicSystemID: String
    /// Signs what the speaker says of itself; its public half is `pk`.
    public let key: Ed25519SigningKey

    /// A new speaker.
    public init() {
        var bytes = SecureRandom.bytes(count: 6)
        bytes[0] = bytes[0] & 0xFC | Self.locallyAdministered
        deviceID = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
        publicID = UUID().uuidString.lowercased()
        publicSystemID = UUID().uuidString.lowercased()
        do {
            key = try Ed25519SigningKey()
        } catch {
            // Only a libcrypto without memory or without the algorithm.
            preconditionFailure("cannot make a key: \(error)")
        }
    }

    /// A speaker that was kept.
    ///
    /// - Returns: `nil` when a part has not the form that ``init()`` gives it; any hardware address will do.
    public init?(deviceID: String, publicID: String, publicSystemID: String, key: Ed25519SigningKey) {
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

    /// The bit of a hardware address that no manufacturer sets.
    private static let locallyAdministered: UInt8 = 0x02

    /// The public half of ``key``, 32 bytes.
    public var publicKey: [UInt8] { key.verifyingKey.bytes }

    /// Who the speaker is in pair-setup with a PIN and in pair-verify.
    public var pairing: PairingIdentity { PairingIdentity(identifier: publicID, key: key) }

    public static func == (left: SpeakerIdentity, right: SpeakerIdentity) -> Bool {
        (left.deviceID, left.publicID, left.publicSystemID)
            == (right.deviceID, right.publicID, right.publicSystemID)
            && constantTimeEqual(left.key.bytes, right.key.bytes)
    }
}

extension SpeakerIdentity: CustomStringConvertible, CustomReflectable {
    public var description: String { "SpeakerIdentity(\(deviceID))" }

    public var customMirror: Mirror { Mirror(self, children: ["deviceID": deviceID]) }
}
