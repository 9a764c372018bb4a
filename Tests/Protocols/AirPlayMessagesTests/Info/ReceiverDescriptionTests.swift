import AirPlayMessages
import Testing

@Suite("Receiver description")
struct ReceiverDescriptionTests {
    static func receiver(
        _ features: String, flags: String = "0x4", model: String = "X",
        more: [(key: String, value: String)] = []
    )
        -> ReceiverDescription
    {
        let pairs = [
            (key: "features", value: features), (key: "flags", value: flags), (key: "model", value: model),
        ]
        return ReceiverDescription(airPlay: AirPlayTXTRecord(pairs + more))
    }

    @Test("the recorded /info is read")
    func recordedInfo() throws {
        let info = try ReceiverInfo(body: RecordedBodies.bytes("response: GET /info"))
        #expect(info.name == "Golden 1")
        #expect(info.model == "ShairportSync")
        #expect(info.deviceID == "02:00:00:aa:00:01")
        #expect(info.features?.rawValue == 425_786_957_875_712)
        #expect(info.statusFlags == [.audioCableAttached])
        #expect(info.sourceVersion == "366.0")
        #expect(info.initialVolume == .full)
        #expect(info.publicKey?.count == 32)
        #expect(info.senderAddress == "10.77.0.1:45838")
        #expect(
            info.bufferedFormats?.formats == [
                .alac44100x16, .alac48000x24, .aac44100, .aac48000, .aac48000x51, .aac48000x71,
            ])
        #expect(info.realtimeFormats?.contains(.alac44100x16) == true)
        #expect(info.txtRecord?.deviceID == info.deviceID)
        #expect(info.txtRecord?.features == info.features)

        let receiver = ReceiverDescription(info: info)
        #expect(receiver.isAudioTarget && receiver.supportsAirPlay2 && receiver.supportsPTP)
        #expect(receiver.supportsBufferedAudio)
        #expect(receiver.pairingNeed == .transient)
        #expect(receiver.family == .shairportSync)
        #expect(receiver.quirks.formatCode(of: .alac44100x16) == 0xFACE)
        #expect(receiver.quirks.formatCode(of: .aac44100) == 0x1600_0000)
        #expect(receiver.quirks.slowReaderBytesPerSecond == 370_000)
        #expect(!receiver.quirks.asksForDelay)
    }

    @Test("our own description reads back the same")
    func ownInfo() throws {
        let info = ReceiverInfo(
            name: "Küche", model: "Tutti1,1", deviceID: "02:00:00:00:00:01",
            features: [.audio, .ptp, .bufferedAudio],
            statusFlags: [.sessionActive], sourceVersion: "366.0", publicKey: Array(0..<32),
            bufferedFormats: [AudioWireFormat.aac44100.mask, AudioWireFormat.aac48000x71.mask],
            realtimeFormats: [],
            initialVolume: Volume(decibels: -15.375))
        let read = try ReceiverInfo(body: info.body)
        #expect(read == info)
        #expect(read.features == [.audio, .ptp, .bufferedAudio])
        #expect(read.bufferedFormats?.formats == [.aac44100, .aac48000x71])
        #expect(read.initialVolume?.decibels == -15.375)
    }

    @Test("wrong types and extended format tables are read")
    func tolerantInfo() throws {
        let info = try ReceiverInfo(propertyList: [
            "name": 5, "features": "x", "featuresEx": "AMpfQECDAQA", "pk": .data([1]),
            "supportedAudioFormatsExtended": ["bufferStream": [18, 22, 64, -1, "x", .integer(.max)]],
            "supportedFormats": ["bufferStream": 0, "audioStream": .unsigned(0xF7FE_018E_00E8_0000)],
        ])
        #expect(info.name == nil)
        #expect(info.features?.rawValue == 0x1_8340_405F_CA00)
        #expect(info.publicKey == nil)
        #expect(info.bufferedFormats?.formats == [.alac44100x16, .aac44100])
        #expect(info.realtimeFormats?.rawValue == 0xF7FE_018E_00E8_0000)
        #expect(throws: MessageError.wrongType(key: "body", expected: "dictionary")) {
            try ReceiverInfo(propertyList: [])
        }
    }

    static let pairing:
        [(String, String, String, [(key: String, value: String)], ReceiverDescription.PairingNeed)] = [
            ("HomePod mini", "0x4A7FCA00,0x3C354BD0", "0x98404", [], .transient),
            ("Apple TV", "0x5A7FDFD5,0x3C155FDE", "0x24C", [], .pin),
            ("one-time pairing", "0x5A7FDFD5,0x3C155FDE", "0x204", [], .pin),
            ("password flag", "0x405FCA00,0x18340", "0x84", [], .password),
            ("password key", "0x405FCA00,0x18340", "0x4", [(key: "pw", value: "true")], .password),
            ("no AirPlay 2", "0x445D0A00", "0x4", [], .notNeeded),
            ("HomeKit only", "0x200,0x4000", "0x4", [], .pin),
        ]

    @Test("pairing requirements are read", arguments: pairing)
    func pairingNeeds(
        name: String, features: String, flags: String, more: [(key: String, value: String)],
        need: ReceiverDescription.PairingNeed
    ) {
        #expect(Self.receiver(features, flags: flags, more: more).pairingNeed == need)
    }

    @Test("buffered audio needs bit 40 and PTP")
    func buffered() {
        #expect(Self.receiver("0x200,0x10300").supportsBufferedAudio)
        #expect(!Self.receiver("0x200,0x10100").supportsBufferedAudio)
        #expect(!Self.receiver("0x200,0x10200").supportsBufferedAudio)
        #expect(!Self.receiver("0x0,0x10300").isAudioTarget)
        #expect(!Self.receiver("0x0,0x10300").supportsAirPlay2)
        #expect(!Self.receiver("").isAudioTarget)
    }

    @Test("a RAOP record alone is not AirPlay 2")
    func raopOnly() {
        let raop = RAOPTXTRecord([
            (key: "ft", value: "0x405FCA00,0x18340"), (key: "am", value: "ShairportSync"),
        ])
        let receiver = ReceiverDescription(raop: raop)
        #expect(receiver.isAudioTarget)
        #expect(!receiver.supportsAirPlay2)
        #expect(receiver.pairingNeed == .notNeeded)
        #expect(receiver.family == .shairportSync)
    }

    typealias Pairs = [(key: String, value: String)]
    static let alone: Pairs = [("igl", "1"), ("gid", "A"), ("osvers", "27.0")]
    static let clocks: [(String, model: String, Pairs, insists: Bool)] = [
        ("a HomePod alone", "AudioAccessory5,1", alone, true),
        ("a later system", "AudioAccessory1,1", [("igl", "1"), ("gid", "A"), ("osvers", "28.1.2")], true),
        ("an earlier system", "AudioAccessory5,1", [("igl", "1"), ("gid", "A"), ("osvers", "26.4")], false),
        ("no system version", "AudioAccessory5,1", [("igl", "1"), ("gid", "A")], true),
        ("an invalid version", "AudioAccessory5,1", [("igl", "1"), ("gid", "A"), ("osvers", "x")], true),
        ("a stereo pair", "AudioAccessory5,1", alone + [("tsid", "B")], false),
        ("in another's group", "AudioAccessory5,1", alone + [("pgid", "C")], false),
        ("not its group's leader", "AudioAccessory5,1", [("igl", "0"), ("gid", "A")], false),
        ("no group of its own", "AudioAccessory5,1", [("igl", "1"), ("osvers", "27.0")], false),
        ("an Apple TV", "AppleTV14,1", alone, false),
        ("a speaker of another maker", "Sonos Era 100", alone, false),
        ("a model that is unknown", "X", alone, false),
    ]

    @Test("a HomePod with OS 27 that plays alone insists on its clock", arguments: clocks.indices)
    func clock(index: Int) {
        let (name, model, fields, insists) = Self.clocks[index]
        let receiver = Self.receiver("0x4A7FCA00,0x3C354BD0", model: model, more: fields)
        #expect(receiver.insistsOnItsClock == insists, "\(name)")
    }

    static let families: [(String, String?, DeviceFamily)] = [
        ("ShairportSync", nil, .shairportSync), ("Tutti1,1", nil, .tutti),
        ("AudioAccessory5,1", nil, .homePod),
        ("AppleTV11,1", "Apple", .appleTV), ("AirPort10,115", nil, .airPortExpress), ("One", "Sonos", .sonos),
        ("Era 100", "Sonos", .sonos), ("WiiM Pro", "Linkplay", .linkPlay), ("EDIFIER MS50A", nil, .edifier),
        ("JBL Authentics 500", "HARMAN", .linkPlay), ("HW-LS60D", "Samsung", .samsung),
        ("Thing", nil, .unknown),
        ("MacBookPro18,1", nil, .mac), ("", "", .unknown),
    ]

    @Test("families determine the header style", arguments: families)
    func family(model: String, maker: String?, family: DeviceFamily) {
        let found = DeviceFamily(model: model, manufacturer: maker)
        #expect(found == family)
        let isClassic = [.sonos, .linkPlay, .edifier].contains(family)
        #expect(
            DeviceQuirks(family: found).bufferedHeaderStyle == (isClassic ? .classicRTP16 : .formatCode23))
    }

    /// The records of a shairport-sync, the model in `/info`, and its version.
    static let versions: [(String, airPlay: [String: String]?, raop: [String: String]?, String?, Int?)] = [
        ("4 by address", nil, nil, "Shairport Sync", 4), ("5 by address", nil, nil, "ShairportSync", 5),
        ("4.3.7", ["model": "Shairport Sync", "fv": "4.3.7"], nil, nil, 4),
        ("5.1", ["model": "ShairportSync", "fv": "5.2.1"], nil, "ShairportSync", 5),
        (
            "a version wins over the model", ["model": "Shairport Sync", "fv": "5.0"], nil, "Shairport Sync",
            5
        ),
        ("no version at all", ["model": "ShairportSync", "fv": "p20.1"], nil, nil, 5),
        ("an invalid number", ["model": "ShairportSync", "fv": "76400.10"], nil, nil, 5),
        ("AirPlay 1, 3.3.8", nil, ["am": "ShairportSync", "fv": "3.3.8"], nil, 3),
        ("AirPlay 1, 5", nil, ["am": "ShairportSync", "fv": "5.2.1"], nil, 5),
        ("AirPlay 1 without a version", nil, ["am": "ShairportSync"], nil, nil),
        ("another maker", ["model": "Speaker1,1", "fv": "4.3.7"], nil, nil, nil),
    ]

    @Test("shairport-sync before version 5 mutes beginnings, and in a buffered stream plays AAC only")
    func shairportVersions() {
        for (name, airPlay, raop, model, version) in Self.versions {
            let receiver = ReceiverDescription(
                airPlay: airPlay.map { AirPlayTXTRecord($0.map { ($0.key, $0.value) }) },
                raop: raop.map { RAOPTXTRecord($0.map { ($0.key, $0.value) }) },
                info: model.map { ReceiverInfo(fields: ["model": .string($0)]) })
            #expect(receiver.shairportSyncVersion == version, "\(name)")
            let isOurs = receiver.family == .shairportSync
            #expect(
                receiver.quirks.realtimeSilentPackets == (isOurs && version ?? 4 < 5 ? 10 : 0), "\(name)")
            #expect(receiver.quirks.playsBufferedALAC == !(version.map { $0 < 5 } ?? false), "\(name)")
            #expect((receiver.quirks.realtimeFlushTime > .zero) == isOurs, "\(name)")
        }
        // A speaker of AirPlay 1 that was given by its address.
        #expect(ReceiverDescription().quirks.realtimeSilentPackets == 10)
        #expect(ReceiverDescription().quirks.realtimeFlushTime == .milliseconds(64))
        #expect(ReceiverDescription().quirks.playsBufferedALAC)
    }

    @Test("features and state given as text are read like numbers")
    func textNumbers() {
        let info = ReceiverInfo(fields: ["features": "0x5A7FFEE6,0x0", "statusFlags": "0x84"])
        #expect(info.features?.rawValue == 0x5A7F_FEE6)
        #expect(info.statusFlags == [.audioCableAttached, .passwordRequired])
        #expect(ReceiverInfo(fields: ["statusFlags": "much"]).statusFlags == nil)
    }
}
