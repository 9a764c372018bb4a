import AirPlayMessages
import Testing

@Suite("Feature and status bits")
struct AirPlayFeaturesTests {
    static let texts: [(String, UInt64?)] = [
        ("0x405FCA00,0x18340", 0x1_8340_405F_CA00), ("0x445D0A00,0x1C340", 0x1_C340_445D_0A00),
        ("0x4A7FCA00,0x3C356BD0", 0x3C35_6BD0_4A7F_CA00), ("0x7F8AD0", 0x7F_8AD0),
        ("405fca00,18340", 0x1_8340_405F_CA00),
        (" 0x1, 0x2", 0x2_0000_0001), ("0x18340405FCA00", 0x1_8340_405F_CA00), ("", nil), ("0x", nil),
        ("0xG", nil),
        ("1,2,3", nil), ("0x100000000,0x1", nil), ("0x1,0x100000000", nil), ("0x1,", nil), ("-1", nil),
        ("0x-1", nil),
        ("0x1FFFFFFFFFFFFFFFF", nil),
    ]

    @Test("the text form is low word, high word", arguments: texts)
    func parses(text: String, value: UInt64?) {
        #expect(AirPlayFeatures(text: text)?.rawValue == value)
    }

    @Test("the text form is the common one")
    func writes() {
        #expect(AirPlayFeatures(rawValue: 0x1_8340_405F_CA00).text == "0x405FCA00,0x18340")
        #expect(AirPlayFeatures([.video]).text == "0x1,0x0")
    }

    @Test(
        "fex holds the bytes from the lowest up",
        arguments: [
            ("AMpfQECDAQA", 0x1_8340_405F_CA00), ("AMpfQECDAQA=", 0x1_8340_405F_CA00), ("AQ", 1), ("", nil),
            ("A*", nil),
            ("AMpfQECDAQAAAQ", 0x1_8340_405F_CA00),
        ] as [(String, UInt64?)])
    func base64(text: String, value: UInt64?) {
        #expect(AirPlayFeatures(base64: text)?.rawValue == value)
    }

    @Test("the bits of shairport-sync have names")
    func names() {
        let features = AirPlayFeatures(rawValue: 0x0001_8340_405C_4A00)
        #expect(
            features.names == [
                "audio", "redundant audio", "authentication type 4", "audio formats 1", "audio formats 2",
                "audio formats 3", "unencrypted audio", "RAOP on the same port", "unified media control",
                "buffered audio",
                "PTP", "peer management", "transient pairing",
            ])
        #expect(AirPlayFeatures(rawValue: 1 << 33).names == ["bit 33"])
        #expect(features.contains([.bufferedAudio, .ptp, .audio]))
    }

    @Test("status flags have their bits")
    func flags() {
        #expect(AirPlayStatusFlags(text: "0x4") == [.audioCableAttached])
        #expect(AirPlayStatusFlags(text: "0x98404")?.contains(.homeKitAccessControl) == true)
        #expect(AirPlayStatusFlags(text: "x") == nil)
        #expect(AirPlayStatusFlags(rawValue: 0x208).names == ["PIN required", "one-time pairing required"])
    }
}
