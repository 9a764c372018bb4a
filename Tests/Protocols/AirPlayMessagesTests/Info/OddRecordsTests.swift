import AirPlayMessages
import Testing

@Suite("Records with unusual values")
struct OddRecordsTests {
    private static func raop(_ key: String, _ value: String) -> RAOPTXTRecord {
        RAOPTXTRecord([(key: key, value: value)])
    }

    @Test(
        "a truth value has six spellings, in any case",
        arguments: [
            ("1", true), ("true", true), ("YES", true), ("0", false), ("False", false), ("no", false),
            ("", nil), ("2", nil), (" true", nil), ("on", nil),
        ] as [(String, Bool?)])
    func booleans(text: String, value: Bool?) {
        #expect(Self.raop("pw", text).requiresPassword == value)
    }

    @Test(
        "a list has the numbers in it, and none for other words",
        arguments: [
            ("0,1,2", [0, 1, 2]), ("", []), (",,3,", [3]), ("a,4,5x", [4]), ("-1", [-1]),
            ("99999999999999999999,6", [6]),
        ] as [(String, [Int])])
    func numbers(text: String, numbers: [Int]) {
        #expect(Self.raop("cn", text).codecs == numbers)
        #expect(Self.raop("et", text).codecs == nil)
    }

    @Test("a public key has 64 digits of ASCII")
    func publicKey() {
        let digits = String(repeating: "aF", count: 32)
        #expect(Self.raop("pk", digits).publicKey == [UInt8](repeating: 0xAF, count: 32))
        let wide = String(repeating: "\u{FF10}", count: 64)
        for text in [digits + "00", String(digits.dropLast(2)), String(digits.dropLast()) + "g", wide, ""] {
            #expect(Self.raop("pk", text).publicKey == nil)
            #expect(AirPlayTXTRecord([(key: "pk", value: text)]).publicKey == nil)
        }
    }

    @Test(
        "an instance name without twelve digits of ASCII before its first @ has no device id",
        arguments: [
            "\u{FF10}\u{FF11}\u{FF12}\u{FF13}@Kitchen", "0200\u{E9}AA0001@x", "020000AA0001", "@020000AA0001",
            " 20000AA0001@x",
        ])
    func noDevice(name: String) {
        #expect(RAOPTXTRecord.split(instanceName: name) == nil)
    }

    @Test("a name may be empty, and may have any characters")
    func names() {
        for name in ["", "@", "Küche 客厅", "a\u{301}@\u{1F3B5}", "\u{301}x"] {
            #expect(RAOPTXTRecord.split(instanceName: "020000AA0001@" + name)?.name == name)
        }
    }

    @Test("the first 128 keys of a record count, and the first of equal ones")
    func keyLimit() {
        let pairs = (0..<200).map { (key: "K\($0)", value: "\($0)") }
        let fields = TXTFields([(key: "k0", value: "first")] + pairs)
        // The second spelling of the first key takes a place.
        #expect(fields.values.count == TXTFields.countLimit - 1)
        #expect(fields["K0"] == "first" && fields["k126"] == "126" && fields["k127"] == nil)
        var data: [UInt8] = []
        for (key, _) in pairs { data += [UInt8(key.utf8.count + 1)] + Array(key.utf8) + [0x3D] }
        #expect(TXTFields(data: data).values.count == TXTFields.countLimit)
    }

    @Test("a record of empty strings, or of strings without a key, is empty")
    func noKeys() {
        #expect(TXTFields(data: [UInt8](repeating: 0, count: 70_000)).values.isEmpty)
        let nameless = [[UInt8]](repeating: [2, 0x3D, 0x61], count: 20_000).flatMap(\.self)
        #expect(TXTFields(data: nameless).values.isEmpty)
        #expect(TXTFields(data: nameless + [1, 0x62]).values == ["b": ""])
        #expect(TXTFields(data: [255]).values.isEmpty)
    }

    @Test("bytes of a record that are no text are replaced")
    func notText() {
        #expect(TXTFields(data: [4, 0x61, 0x3D, 0xFF, 0x62]).values == ["a": "\u{FFFD}b"])
    }

    @Test("a long value of our own record is cut to what a string holds, and harms no other key")
    func longOwnValue() {
        var speaker = SpeakerAdvertisement(
            name: "Kitchen", deviceID: "02:00:00:AA:00:01", publicID: "p", publicSystemID: "s",
            publicKey: [UInt8](repeating: 1, count: 32))
        let whole = TXTFields(data: speaker.airPlayData)
        speaker.manufacturer = String(repeating: "m", count: 1000)
        let fields = TXTFields(data: speaker.airPlayData)
        #expect(fields["manufacturer"] == String(repeating: "m", count: 255 - "manufacturer=".count))
        #expect(fields.values.count == whole.values.count)
        #expect(fields.values.allSatisfy { $0.key == "manufacturer" || whole[$0.key] == $0.value })
        #expect(speaker.raopNamePrefix == "020000AA0001@")
    }

    @Test("each of the 64 bits has a name of its own")
    func bitNames() {
        for names in [AirPlayFeatures(rawValue: .max).names, AirPlayStatusFlags(rawValue: .max).names] {
            #expect(names.count == 64 && Set(names).count == 64)
            #expect(names.last == "bit 63")
        }
        #expect(AirPlayFeatures(rawValue: 0).names.isEmpty)
    }

    @Test("every bit of the features survives both of their texts", arguments: 0..<64)
    func bits(bit: Int) {
        let features = AirPlayFeatures(rawValue: 1 << UInt64(bit))
        #expect(AirPlayFeatures(text: features.text) == features)
        #expect(AirPlayFeatures(base64: features.base64Text) == features)
        let flags = AirPlayStatusFlags(rawValue: features.rawValue)
        #expect(AirPlayStatusFlags(text: flags.text) == flags)
    }

    @Test("formats whose number is no bit are skipped, and others count once")
    func formatBits() {
        let list: PropertyList = [63, 64, -1, 18, 18, 18.0, "19", 0.5]
        let info = ReceiverInfo(fields: ["supportedAudioFormatsExtended": ["bufferStream": list]])
        let bits: UInt64 = 1 << 63 | 1 << 18
        #expect(info.bufferedFormats?.rawValue == bits)
        #expect(info.realtimeFormats == nil)
        let none = ReceiverInfo(fields: ["supportedAudioFormatsExtended": ["bufferStream": 5]])
        #expect(none.bufferedFormats == nil)
    }
}
