/// The capabilities that a device announces: the bits of `features`, `ft` and `/info`.
///
/// The names are the community's; only some bits have a documented meaning.
package struct AirPlayFeatures: OptionSet, Hashable, Sendable {
    /// The bits, as advertised and sent.
    package let rawValue: UInt64

    /// Creates a set from its bits.
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    private init(bit: UInt64) { rawValue = 1 << bit }

    /// Bit 0: video.
    package static let video = AirPlayFeatures(bit: 0)
    /// Bit 1: photos.
    package static let photo = AirPlayFeatures(bit: 1)
    /// Bit 5: slideshows.
    package static let slideshow = AirPlayFeatures(bit: 5)
    /// Bit 7: screen mirroring.
    package static let screen = AirPlayFeatures(bit: 7)
    /// Required for a device to be an audio target.
    package static let audio = AirPlayFeatures(bit: 9)
    /// Bit 11: redundant audio packets.
    package static let redundantAudio = AirPlayFeatures(bit: 11)
    /// Bit 12: FairPlay authentication.
    package static let fairPlaySecureAuthentication = AirPlayFeatures(bit: 12)
    /// Bit 14: authentication type 4.
    package static let authentication4 = AirPlayFeatures(bit: 14)
    /// Bit 15: artwork as metadata.
    package static let artworkMetadata = AirPlayFeatures(bit: 15)
    /// Bit 16: progress as metadata.
    package static let progressMetadata = AirPlayFeatures(bit: 16)
    /// Bit 17: text as metadata.
    package static let textMetadata = AirPlayFeatures(bit: 17)
    /// Bit 18: audio formats, group 1.
    package static let audioFormat1 = AirPlayFeatures(bit: 18)
    /// Bit 19: audio formats, group 2.
    package static let audioFormat2 = AirPlayFeatures(bit: 19)
    /// Bit 20: audio formats, group 3.
    package static let audioFormat3 = AirPlayFeatures(bit: 20)
    /// Bit 21: audio formats, group 4.
    package static let audioFormat4 = AirPlayFeatures(bit: 21)
    /// Bit 22: unencrypted audio.
    package static let unencryptedAudio = AirPlayFeatures(bit: 22)
    /// Bit 23: RSA authentication of AirPlay 1.
    package static let rsaAuthentication = AirPlayFeatures(bit: 23)
    /// `/auth-setup` may be needed.
    package static let mfiAuthentication = AirPlayFeatures(bit: 26)
    /// Bit 27: pairing of AirPlay 1 devices.
    package static let legacyPairing = AirPlayFeatures(bit: 27)
    /// Bit 30: one advertiser for both services.
    package static let unifiedAdvertiser = AirPlayFeatures(bit: 30)
    /// Bit 32: CarPlay.
    package static let carPlay = AirPlayFeatures(bit: 32)
    /// The control connection can be paired and encrypted: AirPlay 2.
    package static let unifiedMediaControl = AirPlayFeatures(bit: 38)
    /// Bit 40: buffered audio streams.
    package static let bufferedAudio = AirPlayFeatures(bit: 40)
    /// Bit 41: PTP timing.
    package static let ptp = AirPlayFeatures(bit: 41)
    /// Bit 43: system pairing.
    package static let systemPairing = AirPlayFeatures(bit: 43)
    /// Bit 45: NTP timing.
    package static let ntp = AirPlayFeatures(bit: 45)
    /// Bit 46: HomeKit pairing.
    package static let homeKitPairing = AirPlayFeatures(bit: 46)
    /// Bit 47: `SETPEERS`.
    package static let setPeers = AirPlayFeatures(bit: 47)
    /// Bit 48: transient pairing.
    package static let transientPairing = AirPlayFeatures(bit: 48)
    /// Bit 49: video, second version.
    package static let video2 = AirPlayFeatures(bit: 49)
    /// Now-playing information by property list, instead of bits 15 to 17.
    package static let nowPlayingPropertyList = AirPlayFeatures(bit: 50)
    /// Bit 51: unified pair-setup with MFi authentication.
    package static let unifiedPairSetupWithMFi = AirPlayFeatures(bit: 51)
    /// Bit 52: `SETPEERSX`.
    package static let setPeersExtended = AirPlayFeatures(bit: 52)
    /// Bit 54: a synchronization protocol named `APSync`.
    package static let apSync = AirPlayFeatures(bit: 54)
    /// Bit 55: wake on LAN.
    package static let wakeOnLAN = AirPlayFeatures(bit: 55)
    /// Bit 56: wake on LAN, second version.
    package static let wakeOnLAN2 = AirPlayFeatures(bit: 56)
    /// Bit 58: a remote control protocol named `Hangdog`.
    package static let hangdogRemoteControl = AirPlayFeatures(bit: 58)
    /// Bit 59: `SETUP` of audio stream connections.
    package static let audioStreamConnectionSetup = AirPlayFeatures(bit: 59)
    /// Bit 60: control of audio media data.
    package static let audioMediaDataControl = AirPlayFeatures(bit: 60)
    /// Bit 61: redundancy as in RFC 2198.
    package static let rfc2198Redundancy = AirPlayFeatures(bit: 61)

    private static let known: [(bit: UInt64, name: String)] = [
        (0, "video"), (1, "photo"), (5, "slideshow"), (7, "screen mirroring"), (9, "audio"),
        (11, "redundant audio"), (12, "FairPlay SAP 2.5"), (14, "authentication type 4"),
        (15, "artwork metadata"), (16, "progress metadata"), (17, "text metadata"), (18, "audio formats 1"),
        (19, "audio formats 2"), (20, "audio formats 3"), (21, "audio formats 4"), (22, "unencrypted audio"),
        (23, "RSA authentication"), (26, "MFi authentication"), (27, "legacy pairing"),
        (30, "RAOP on the same port"), (32, "CarPlay"), (38, "unified media control"), (40, "buffered audio"),
        (41, "PTP"), (43, "system pairing"), (45, "NTP"), (46, "HomeKit pairing"), (47, "peer management"),
        (48, "transient pairing"), (49, "video 2"), (50, "now playing by property list"),
        (51, "unified pair-setup with MFi"), (52, "extended peer management"), (54, "AP sync"),
        (55, "wake on LAN"), (56, "wake on LAN 2"), (58, "hangdog remote control"),
        (59, "audio stream connection setup"), (60, "audio media data control"), (61, "RFC 2198 redundancy"),
    ]

    /// The names of the bits that are set, lowest first; `bit 33` for one without a name.
    package var names: [String] { bitNames(of: rawValue, known: Self.known) }
}

extension AirPlayFeatures {
    /// Reads `0xLOW,0xHIGH`, two halves of 32 bits, or one 64-bit number; `nil` for anything else.
    package init?(text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let low = hexNumber(first) else { return nil }
        guard parts.count == 2 else {
            self.init(rawValue: low)
            return
        }
        guard let high = hexNumber(parts[1]), low <= UInt32.max, high <= UInt32.max else { return nil }
        self.init(rawValue: high << 32 | low)
    }

    /// Reads `fex`: bytes from the lowest, in base64 with or without padding. Ignores bits from 64.
    package init?(base64 text: String) {
        guard let bytes = base64Bytes(text), !bytes.isEmpty else { return nil }
        self.init(rawValue: bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// The value as `0xLOW,0xHIGH` in upper-case digits.
    package var text: String {
        "0x\(String(rawValue & 0xFFFF_FFFF, radix: 16, uppercase: true)),"
            + "0x\(String(rawValue >> 32, radix: 16, uppercase: true))"
    }
}
