import AirPlayMessages

/// The form of the sound that an AirPlay 1 speaker takes from this sender, as its mDNS record announces it.
struct AirPlay1Sound: Hashable, Sendable {
    /// The protection of the packets.
    enum Encryption: Hashable, Sendable {
        /// Packets in the clear.
        case none
        /// AES with a key that is encrypted with the speakers' RSA key: `et=1`.
        case rsa
    }

    /// The reasons for which this sender cannot play to a speaker.
    enum Obstacle: Error, Hashable {
        /// The speaker takes only encryptions that need keys of Apple's; the numbers of its `et`.
        case encryption([Int])
        /// The speaker takes neither ALAC nor PCM; the numbers of its `cn`.
        case codecs([Int])
    }

    var encryption = Encryption.none
    var format = AudioWireFormat.alac44100x16

    /// Chooses for a speaker with this record. Without one, or without the fields, takes what nearly all speakers
    /// play: ALAC in the clear.
    ///
    /// - Parameter chosen: The user's format; one that AirPlay 1 does not have changes nothing.
    init(_ record: RAOPTXTRecord?, _ chosen: SessionChoice.RealtimeFormat? = nil) throws(Obstacle) {
        if let types = record?.encryptionTypes, !types.isEmpty, !types.contains(0) {
            guard types.contains(1) else { throw .encryption(types) }
            encryption = .rsa
        }
        switch chosen {
        case .alac44100x16: return
        case .pcm:
            format = .pcm44100x16
            return
        case .alac44100x24, .alac48000x24, nil: break
        }
        if let codecs = record?.codecs, !codecs.isEmpty, !codecs.contains(1) {
            guard codecs.contains(0) else { throw .codecs(codecs) }
            format = .pcm44100x16
        }
    }

    /// The coding in the announcement of the stream.
    var coding: StreamAnnouncement.Coding {
        format.codec == .pcm
            ? .pcm(sampleRate: UInt32(format.sampleRate.hertz), channelCount: UInt32(format.channelCount))
            : .alac(StreamAnnouncement.ALACParameters())
    }
}

extension HandshakeRefusals {
    /// Returns the failure of a speaker that this sender has no form of sound for.
    func airPlay1(_ obstacle: AirPlay1Sound.Obstacle) -> SpeakerFailure {
        let message =
            switch obstacle {
            case .encryption(let types):
                "\(target.name) accepts AirPlay 1 sound only with \(Self.names(ofEncryptions: types)), which needs keys that only Apple has"
            case .codecs(let codecs):
                "\(target.name) accepts neither ALAC nor PCM by AirPlay 1 (its codecs: \(codecs.map { "\($0)" }.joined(separator: ", ")))"
            }
        return SpeakerFailure(.unsupported, message)
    }

    private static func names(ofEncryptions types: [Int]) -> String {
        types.map { type in
            switch type {
            case 3: "FairPlay"
            case 4: "MFi-SAP"
            case 5: "FairPlay SAP 2.5"
            default: "encryption \(type)"
            }
        }
        .joined(separator: " or ")
    }
}
