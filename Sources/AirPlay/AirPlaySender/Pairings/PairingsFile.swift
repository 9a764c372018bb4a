import HomeKitPairing
import TuttiCryptography
import TuttiSystemIO

/// The stored form of an identity and the speakers that have paired with it: human-readable JSON.
struct PairingsFile: Codable, Equatable {
    struct Controller: Codable, Equatable {
        let pairingID: String
        let deviceID: String
        let dacpID: String
        /// The private key, 64 hexadecimal digits: the secret of the file.
        let privateKey: String
    }

    struct Speaker: Codable, Equatable {
        let id: String
        let name: String
        /// Both are missing for an Apple TV before HomeKit.
        let identifier: String?
        let publicKey: String?

        /// The peer, or `nil` for none; `nil` in all if only one of the two is there, or it is invalid.
        var accessory: PairedPeer?? {
            guard identifier != nil || publicKey != nil else { return .some(nil) }
            guard let identifier = identifier.flatMap(Hex.bytes), let bytes = publicKey.flatMap(Hex.bytes),
                let key = try? Ed25519VerifyingKey(bytes)
            else { return nil }
            return PairedPeer(identifier: identifier, key: key)
        }
    }

    /// The limit of speakers, so that the file stays below ``PrivateFile/byteLimit``.
    static let speakerLimit = 64

    var version = 1
    let controller: Controller
    let speakers: [Speaker]

    init(_ identity: ControllerIdentity, _ speakers: [PairedSpeaker]) {
        controller = Controller(
            pairingID: String(decoding: identity.pairing.identifier, as: UTF8.self),
            deviceID: identity.deviceID, dacpID: identity.dacpID,
            privateKey: Hex.text(identity.pairing.key.bytes))
        self.speakers = speakers.map {
            Speaker(
                id: $0.id, name: $0.name, identifier: $0.accessory.map { Hex.text($0.identifier) },
                publicKey: $0.accessory.map { Hex.text($0.key.bytes) })
        }
    }

    /// - Returns: `nil` if a field is invalid or the version is unknown.
    var content: SpeakerPairings.Content? {
        let (id, limit) = (controller.pairingID, PairedPeer.identifierByteLimit)
        guard version == 1, speakers.count <= Self.speakerLimit, (1...limit).contains(id.utf8.count),
            let bytes = Hex.bytes(controller.privateKey), let key = try? Ed25519SigningKey(bytes)
        else { return nil }
        let paired = speakers.compactMap { speaker -> PairedSpeaker? in
            guard let accessory = speaker.accessory else { return nil }
            return PairedSpeaker(id: speaker.id, name: speaker.name, accessory: accessory)
        }
        guard paired.count == speakers.count else { return nil }
        let identity = ControllerIdentity(
            pairing: PairingIdentity(identifier: id, key: key), deviceID: controller.deviceID,
            dacpID: controller.dacpID)
        return SpeakerPairings.Content(identity: identity, speakers: paired)
    }
}
