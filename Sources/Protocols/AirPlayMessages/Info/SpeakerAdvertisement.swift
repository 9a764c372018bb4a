/// The advertisement of a Tutti speaker, in its two TXT records and in `/info`.
///
/// The counterpart of ``AirPlayTXTRecord`` and ``RAOPTXTRecord``, with the values that senders of OS 17 to 27
/// accept (*observed* and *reported*).
package struct SpeakerAdvertisement: Hashable, Sendable {
    /// The access control of the speaker.
    package enum Access: Hashable, Sendable {
        /// All devices on the network.
        case everybody
        /// Senders with the password.
        case password
        /// Senders whose user has once typed the PIN that the speaker shows.
        case pin
    }

    /// The name shown to users; the instance name of `_airplay._tcp`.
    package var name: String
    /// The hardware address, in lower case.
    package var deviceID: String
    /// `pi`
    package var publicID: String
    /// `psi`
    package var publicSystemID: String
    /// Ed25519 public key, 32 bytes.
    package var publicKey: [UInt8]
    /// The access control.
    package var access = Access.everybody
    /// Whether senders may pair with a PIN, regardless of ``access``.
    package var offersPINPairing = false
    /// Whether the speaker answers `/fp-setup`. Tutti has no FairPlay.
    package var answersFairPlaySetup = false
    /// Whether a sender has a session.
    package var isInUse = false
    /// Whether audio is playing.
    package var isPlaying = false
    /// The group of the session's sender; `nil` outside a session.
    package var groupID: String?
    /// The session sender's claim that a receiver leads the group.
    package var groupContainsGroupLeader = false
    /// The model; begins with the prefix by which ``DeviceFamily`` recognizes Tutti.
    package var model = "Tutti1,1"
    /// The manufacturer.
    package var manufacturer = "Tutti"
    /// The firmware version.
    package var firmwareVersion = "1.0"

    /// The AirPlay version that our responses imitate. Senders require 354.54.6 for buffered audio and 366
    /// for PTP.
    package static let sourceVersion = "366.0"
    /// The OS version that matches ``sourceVersion``.
    package static let osVersion = "15.0"
    /// The AirPlay protocol version.
    package static let protocolVersion = "1.1"

    /// Creates the advertisement of an idle speaker.
    package init(
        name: String, deviceID: String, publicID: String, publicSystemID: String, publicKey: [UInt8]
    ) {
        self.name = name
        self.deviceID = deviceID.lowercased()
        self.publicID = publicID
        self.publicSystemID = publicSystemID
        self.publicKey = publicKey
    }

    /// The features that the speaker really has.
    package var features: AirPlayFeatures {
        var features: AirPlayFeatures = [
            .audio, .redundantAudio, .artworkMetadata, .progressMetadata, .textMetadata, .audioFormat1,
            .audioFormat2, .audioFormat3, .unencryptedAudio, .unifiedAdvertiser, .unifiedMediaControl,
            // Also with a PIN, for the encrypted connection: without this bit, senders treat the device as
            // AirPlay 1 (*observed*: OwnTone 29).
            .bufferedAudio, .ptp, .setPeers, .transientPairing,
        ]
        if access == .pin || offersPINPairing { features.insert(.homeKitPairing) }
        if answersFairPlaySetup { features.insert(.authentication4) }
        return features
    }

    /// The status flags that follow from the state.
    package var statusFlags: AirPlayStatusFlags {
        var flags: AirPlayStatusFlags = .audioCableAttached
        switch access {
        case .everybody: break
        case .password: flags.insert(.passwordRequired)
        // One-time: the speaker remembers paired senders.
        case .pin: flags.insert(.oneTimePairingRequired)
        }
        // A HomePod sets both (*observed*).
        if isInUse { flags.formUnion([.sessionActive, .supportsRelay]) }
        if isPlaying { flags.insert(.audioFlowing) }
        return flags
    }

    /// The entries of the `_airplay._tcp` TXT record, in order.
    package var airPlayEntries: [(key: String, value: String)] {
        var entries = [
            ("acl", "0"), ("deviceid", deviceID), ("fex", features.base64Text), ("features", features.text),
            ("flags", statusFlags.text), ("gid", groupID ?? publicID), ("igl", "0"),
            ("gcgl", groupContainsGroupLeader ? "1" : "0"), ("model", model), ("manufacturer", manufacturer),
            ("protovers", Self.protocolVersion), ("pi", publicID), ("psi", publicSystemID),
            ("pk", publicKeyText), ("srcvers", Self.sourceVersion), ("osvers", Self.osVersion), ("vv", "2"),
            ("fv", firmwareVersion),
            // A key of the older record; without it pyatv sends neither text nor progress (*observed*, 0.18).
            ("md", "0,1,2"),
        ]
        if access == .password { entries.append(("pw", "true")) }
        return entries.map { (key: $0.0, value: $0.1) }
    }

    /// The entries of the `_raop._tcp` TXT record, in order: PCM and ALAC at 44.1 kHz in two channels, over
    /// UDP, in the clear or with the AirPlay 2 key; text, artwork and progress.
    package var raopEntries: [(key: String, value: String)] {
        var entries = [
            ("txtvers", "1"), ("ch", "2"), ("cn", "0,1"), ("da", "true"), ("et", "0"),
            ("ft", features.text), ("fv", firmwareVersion), ("sf", statusFlags.text), ("md", "0,1,2"),
            ("am", model), ("pk", publicKeyText), ("sr", "44100"), ("ss", "16"), ("tp", "UDP"),
            ("vn", "65537"), ("vs", Self.sourceVersion), ("ov", Self.osVersion),
        ]
        if access == .password { entries.append(("pw", "true")) }
        return entries.map { (key: $0.0, value: $0.1) }
    }

    /// The prefix of the `_raop._tcp` instance name: `<12 digits of the device ID>@`.
    package var raopNamePrefix: String {
        deviceID.filter { $0 != ":" }.uppercased() + "@"
    }

    /// ``airPlayEntries`` in the form of `txtAirPlay` in `/info`.
    package var airPlayData: [UInt8] { Self.data(airPlayEntries) }

    /// Encodes each `key=value` after a length byte; cuts longer ones to 255 bytes.
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
    /// The value as hexadecimal digits after `0x`.
    package var text: String { "0x" + String(rawValue, radix: 16) }
}

extension AirPlayFeatures {
    /// The value as `fex`: eight bytes from the lowest, in base64 without padding.
    package var base64Text: String {
        AirPlayMessages.base64Text((0..<8).map { UInt8(truncatingIfNeeded: rawValue >> ($0 * 8)) })
    }
}
