import AirPlayMessages
import Testing
import TuttiTestSupport

@Suite("Advertisement of our speaker")
struct SpeakerAdvertisementTests {
    static let speaker = SpeakerAdvertisement(
        name: "Kitchen", deviceID: "02:1B:5C:88:01:EE", publicID: "0d1c5b6a-0000-4000-8000-000000000001",
        publicSystemID: "0d1c5b6a-0000-4000-8000-000000000002", publicKey: (0..<32).map { UInt8($0 * 7) })

    static func receiver(_ speaker: SpeakerAdvertisement) -> ReceiverDescription {
        ReceiverDescription(
            airPlay: AirPlayTXTRecord(speaker.airPlayEntries), raop: RAOPTXTRecord(speaker.raopEntries))
    }

    @Test("our own sender understands the advertisement")
    func understood() throws {
        let receiver = Self.receiver(Self.speaker)
        #expect(receiver.family == .tutti)
        #expect(receiver.deviceID == "02:1b:5c:88:01:ee")
        #expect(receiver.supportsAirPlay2 && receiver.supportsBufferedAudio && receiver.supportsPTP)
        #expect(receiver.pairingNeed == .transient)
        #expect(!receiver.isInUse && !receiver.requiresPassword)
        let record = try #require(receiver.airPlay)
        #expect(record.features == Self.speaker.features)
        #expect(record.publicKey == Self.speaker.publicKey)
        #expect(record.publicID == Self.speaker.publicID && record.groupID == Self.speaker.publicID)
        #expect(record.publicSystemID == Self.speaker.publicSystemID)
        #expect(record.isGroupLeader == false && record.groupContainsGroupLeader == false)
        #expect(record.accessControlLevel == 0 && record.protocolVersion == "1.1")
        let raop = try #require(receiver.raop)
        #expect(raop.features == Self.speaker.features && raop.publicKey == Self.speaker.publicKey)
        #expect((raop.sampleRate, raop.sampleSize, raop.channelCount) == (44100, 16, 2))
        #expect(raop.transports == ["UDP"] && raop.codecs == [0, 1] && raop.encryptionTypes == [0])
        #expect(raop.metadataKinds == [0, 1, 2])
    }

    static let bits: [(String, Bool, Bool, SpeakerAdvertisement.Access, [UInt64])] = [
        ("open", false, false, .everybody, [48]),
        ("open, with PIN pairing", true, false, .everybody, [46, 48]),
        ("with /fp-setup", false, true, .everybody, [14, 48]),
        ("password", false, false, .password, [48]),
        ("PIN", false, false, .pin, [46, 48]),
    ]

    @Test("the feature bits match the speaker's abilities", arguments: bits)
    func features(
        name: String, pin: Bool, fairPlay: Bool, access: SpeakerAdvertisement.Access, more: [UInt64]
    ) {
        var speaker = Self.speaker
        (speaker.offersPINPairing, speaker.answersFairPlaySetup, speaker.access) = (pin, fairPlay, access)
        let always: [UInt64] = [9, 11, 15, 16, 17, 18, 19, 20, 22, 30, 38, 40, 41, 47]
        #expect(speaker.features.rawValue == (always + more).reduce(0) { $0 | 1 << $1 })
    }

    @Test("with /fp-setup the feature bits are those of a receiver known to Apple's senders")
    func observedFeatures() {
        var speaker = Self.speaker
        speaker.answersFairPlaySetup = true
        #expect(speaker.features.text == "0x405FCA00,0x18340")
        #expect(speaker.features.base64Text == "AMpfQECDAQA")
        speaker.offersPINPairing = true
        #expect(speaker.features.text == "0x405FCA00,0x1C340")
    }

    @Test(
        "every recorded fex is reproduced",
        arguments: [0, 1, 0x8000_0000_0000_0000, .max, 0x0123_4567_89AB_CDEF])
    func base64(bits: UInt64) {
        let features = AirPlayFeatures(rawValue: bits)
        #expect(AirPlayFeatures(base64: features.base64Text) == features)
        #expect(features.base64Text.count == 11)
    }

    static let states: [(SpeakerAdvertisement.Access, Bool, Bool, String, ReceiverDescription.PairingNeed)] =
        [
            (.everybody, false, false, "0x4", .transient), (.everybody, true, false, "0x20804", .transient),
            (.everybody, true, true, "0x120804", .transient), (.password, false, false, "0x84", .password),
            (.pin, false, false, "0x204", .pin),
        ]

    @Test("flags state the speaker's state and requirements", arguments: states)
    func flags(
        access: SpeakerAdvertisement.Access, isInUse: Bool, isPlaying: Bool, text: String,
        need: ReceiverDescription.PairingNeed
    ) {
        var speaker = Self.speaker
        (speaker.access, speaker.isInUse, speaker.isPlaying) = (access, isInUse, isPlaying)
        let receiver = Self.receiver(speaker)
        #expect(speaker.airPlayEntries.first { $0.key == "flags" }?.value == text)
        #expect(speaker.raopEntries.first { $0.key == "sf" }?.value == text)
        #expect(receiver.pairingNeed == need)
        #expect(receiver.isInUse == isInUse)
        #expect(receiver.requiresPassword == (access == .password))
    }

    @Test("during a session the advertised group is the sender's")
    func group() {
        var speaker = Self.speaker
        (speaker.groupID, speaker.groupContainsGroupLeader) = ("11111111-2222-3333-4444-555555555555", true)
        let record = AirPlayTXTRecord(speaker.airPlayEntries)
        #expect(record.groupID == "11111111-2222-3333-4444-555555555555")
        #expect(record.groupContainsGroupLeader == true)
        #expect(record.publicID == speaker.publicID)
    }

    @Test("the binary form is the same record")
    func data() {
        #expect(TXTFields(data: Self.speaker.airPlayData) == TXTFields(Self.speaker.airPlayEntries))
        var long = Self.speaker
        long.model = String(repeating: "x", count: 400)
        #expect(TXTFields(data: long.airPlayData)["model"]?.utf8.count == 249)
        #expect(TXTFields(data: long.airPlayData)["vv"] == "2")
    }

    @Test("the record has every key that a recorded receiver has")
    func recorded() throws {
        let ours = Self.speaker
        for (name, value) in try Vectors.dictionary("airplay/mdns-txt.json") {
            let txt = try #require((value as? [String: Any])?["txt"] as? [String: String])
            let keys = Set(
                (name.contains("_raop.") ? ours.raopEntries : ours.airPlayEntries).map(\.key))
            #expect(keys.isSuperset(of: txt.keys), "\(name)")
        }
    }

    @Test("the RAOP service name begins with the device id")
    func prefix() throws {
        #expect(Self.speaker.raopNamePrefix == "021B5C8801EE@")
        let parts = try #require(RAOPTXTRecord.split(instanceName: Self.speaker.raopNamePrefix + "Kitchen"))
        #expect(parts == (Self.speaker.deviceID, "Kitchen"))
    }
}
