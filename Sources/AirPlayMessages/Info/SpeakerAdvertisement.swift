/// What one of our speakers says of itself in its two TXT records and in `/info`.
///
/// The mirror image of ``AirPlayTXTRecord`` and ``RAOPTXTRecord``, with the values that senders of OS 17 to
/// 27 accept (*observed* and *reported*).
public struct SpeakerAdvertisement: Hashable, Sendable {
    /// Who may play.
    public enum Access: Hashable, Sendable {
        /// Everybody on the network.
        case everybody
        /// Who knows the password.
        case password
        /// Who once typed the PIN that the speaker shows.
        case pin
    }

    /// What users call it; the instance name of `_airplay._tcp`.
    public var name: String
    /// Hardware-address form.
    public var deviceID: String
    /// `pi`
    public var publicID: String
    /// `psi`
    public var publicSystemID: String
    /// Ed25519, 32 bytes.
    public var publicKey: [UInt8]
    public var access = Access.everybody
    /// Whether pairing with a PIN is there for those who ask, whatever ``access`` is.
    public var offersPINPairing = false
    /// Whether `/fp-setup` is answered. We have no FairPlay.
    public var answersFairPlaySetup = false
    /// A sender has a session now.
    public var isInUse = false
    /// Sound is coming out.
    public var isPlaying = false
    /// The group that the sender of the session plays to; `nil` outside a session.
    public var groupID: String?
    /// As that sender says.
    public var groupContainsGroupLeader = false
    /// Begins with what ``DeviceFamily`` knows us by.
    public var model = "Tutti1,1"
    public var manufacturer = "Tutti"
    public var firmwareVersion = "1.0"

    /// The AirPlay version that our answers look like. Senders ask for 354.54.6 for buffered sound and 366
    /// for PTP.
    public static let sourceVersion = "366.0"
    /// What goes with ``sourceVersion``.
    public static let osVersion = "15.0"
    public static let protocolVersion = "1.1"

    public init(
        name: String, deviceID: String, publicID: String, publicSystemID: String, publicKey: [UInt8]
    ) {
        self.name = name
        self.deviceID = deviceID.lowercased()
        self.publicID = publicID
        self.publicSystemID = publicSystemID
        self.publicKey = publicKey
    }

    /// What the speaker can do, and nothing else.
    public var features: AirPlayFeatures {
        var features: AirPlayFeatures = [
            .audio, .redundantAudio, .artworkMetadata, .progressMetadata, .textMetadata, .audioFormat1,
            .audioFormat2, .audioFormat3, .unencryptedAudio, .unifiedAdvertiser, .unifiedMediaControl,
            // Also with a PIN, for the encrypted connection: senders take a device without it for one of AirPlay 1
            // (*observed*: OwnTone 29).
            .bufferedAudio, .ptp, .setPeers, .transientPairing,
        ]
        if access == .pin || offersPINPairing { features.insert(.homeKitPairing) }
        if answersFairPlaySetup { features.insert(.authentication4) }
        return features
    }

    /// The state it is in.
    public var statusFlags: AirPlayStatusFlags {
        var flags: AirPlayStatusFlags = .audioCableAttached
        switch access {
        case .everybody: break
        case .password: flags.insert(.passwordRequired)
        // Once: who has paired is known from then on.
        case .pin: flags.insert(.oneTimePairingRequired)
        }
        // Both, as a HomePod has them (*observed*).
        if isInUse { flags.formUnion([.sessionActive, .supportsRelay]) }
        if isPlaying { flags.insert(.audioFlowing) }
        return flags
    }

    /// The TXT record of `_airplay._tcp`, in its order.
    public var airPlayEntries: [(key: String, value: String)] {
        var entries = [
            ("acl", "0"), ("deviceid", deviceID), ("fex", features.base64Text), ("features", features.text),
            ("flags", statusFlags.text), ("gid", groupID ?? publicID), ("igl", "0"),
            ("gcgl", groupContainsGroupLeader ? "1" : "0"), ("model", model), ("manufacturer", manufacturer),
            ("protovers", Self.protocolVersion), ("pi", publicID), ("psi", publicSystemID),
            ("pk", publicKeyText), ("srcvers", Self.sourceVersion), ("osvers", Self.osVersion), ("vv", "2"),
            ("fv", firmwareVersion),
            // A key of the older record: without it pyatv sends neither text nor progress (*observed*, 0.18).
            ("md", "0,1,2"),
        ]
        if access == .password { entries.append(("pw", "true")) }
        return entries.map { (key: $0.0, value: $0.1) }
    }

    /// The TXT record of `_raop._tcp`, in its order: PCM and ALAC at 44.1 kHz in two channels, over UDP, in
    /// the clear or with the key of AirPlay 2; text, artwork and progress.
    public var raopEntries: [(key: String, value: String)] {
        var entries = [
            ("txtvers", "1"), ("ch", "2"), ("cn", "0,1"), ("da", "true"), ("et", "0"),
            ("ft", features.text), ("fv", firmwareVersion), ("sf", statusFlags.text), ("md", "0,1,2"),
            ("am", model), ("pk", publicKeyText), ("sr", "44100"), ("ss", "16"), ("tp", "UDP"),
            ("vn", "65537"), ("vs", Self.sourceVersion), ("ov", Self.osVersion),
        ]
        if access == .password { entries.append(("pw", "true")) }
        return entries.map { (key: $0.0, value: $0.1) }
    }

    /// `<12 digits of the device id>@`, which stands before the name in the instance name of `_raop._tcp`.
    public var raopNamePrefix: String {
        deviceID.filter { $0 != ":" }.uppercased() + "@"
    }

    /// ``airPlayEntries`` as `/info` carries them in `txtAirPlay`.
    public var airPlayData: [UInt8] { Self.data(airPlayEntries) }

    /// ``raopEntries`` as `/info` carries them in `txtRAOP`.
    public var raopData: [UInt8] { Self.data(raopEntries) }

    /// Each `key=value` behind one byte of length; what is longer than that byte can say is cut.
    private static func data(_ entries: [(key: String, value: String)]) -> [UInt8] {
        entries.flatMap { entry in
            let string = "\(entry.key)=\(entry.value)".utf8.prefix(255)
            return [UInt8(string.count)] + string
        }
    }

    private var publicKeyText: String {
        publicKey.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension AirPlayStatusFlags {
    /// `0x` and hexadecimal digits.
    public var text: String { "0x" + String(rawValue, radix: 16) }
}

extension AirPlayFeatures {
    /// `fex`: the eight bytes from the lowest, in base64 without padding.
    public var base64Text: String {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: rawValue >> ($0 * 8)) }
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        return String(
            stride(from: 0, to: 64, by: 6).map { position in
                let digit = (0..<6).reduce(0) { digit, offset in
                    let bit = position + offset
                    let value = bit < 64 ? bytes[bit / 8] >> (7 - UInt8(bit % 8)) & 1 : 0
                    return digit << 1 | Int(value)
                }
                return alphabet[digit]
            })
    }
}
