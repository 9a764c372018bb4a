import AirPlayMessages
import Testing
import TuttiTestSupport

@Suite("TXT records")
struct TXTRecordTests {
    static func record(_ suffix: String) throws -> (pairs: [(key: String, value: String)], data: [UInt8]) {
        let file = try Vectors.dictionary("airplay/mdns-txt.json")
        let entry = try #require(
            file.first { $0.key.hasPrefix("Golden 1.\(suffix)") || $0.key.contains("@Golden 1.\(suffix)") }?
                .value as? [String: Any])
        let pairs = try #require(entry["txt"] as? [String: String])
        let raw = try #require(entry["txt_raw_hex"] as? String)
        return (pairs.map { (key: $0.key, value: $0.value) }, Vectors.bytes(hex: raw))
    }

    @Test("the recorded AirPlay record is read")
    func airPlay() throws {
        let (pairs, data) = try Self.record("_airplay")
        let record = AirPlayTXTRecord(pairs)
        #expect(record == AirPlayTXTRecord(TXTFields(data: data)))
        #expect(record.deviceID == "02:00:00:aa:00:01")
        #expect(record.features?.rawValue == 0x1_8340_405F_CA00)
        #expect(record.features == AirPlayFeatures(base64: record.fields["fex"] ?? ""))
        #expect(record.statusFlags == [.audioCableAttached])
        #expect(record.model == "ShairportSync")
        #expect(record.accessControlLevel == 0)
        #expect(record.isGroupLeader == false)
        #expect(record.groupContainsGroupLeader == false)
        #expect(record.publicKey?.count == 32)
        #expect(record.publicID == record.groupID)
        #expect(record.publicSystemID == "745d9ebc-c0ad-44f3-9079-ce663ad16ed2")
        #expect(record.sourceVersion == "366.0")
        #expect(record.osVersion == "15.0")
        #expect(record.protocolVersion == "1.1")
        #expect(record.vodkaVersion == 2)
        #expect(record.firmwareVersion == "5.2.1")
        #expect(record.requiresPassword == nil)
    }

    @Test("the recorded RAOP record is read")
    func raop() throws {
        let (pairs, data) = try Self.record("_raop")
        let record = RAOPTXTRecord(pairs)
        #expect(record == RAOPTXTRecord(TXTFields(data: data)))
        #expect(record.codecs == [0, 1])
        #expect(record.encryptionTypes == [0, 1])
        #expect(record.metadataKinds == [0, 1, 2])
        #expect(record.usesDigestAuthentication == true)
        #expect(record.features?.contains(.ptp) == true)
        #expect(record.statusFlags == [.audioCableAttached])
        #expect(record.model == "ShairportSync")
        #expect(record.transports == ["UDP"])
        #expect(record.versionNumber == 65_537)
        #expect(record.sourceVersion == "366.0")
    }

    @Test("truncated data loses only the last string")
    func truncated() throws {
        let (_, data) = try Self.record("_airplay")
        let whole = TXTFields(data: data)
        for count in 0..<data.count {
            let fields = TXTFields(data: Array(data[..<count]))
            #expect(fields.values.count < whole.values.count)
            #expect(fields.values.allSatisfy { whole[$0.key] == $0.value })
        }
    }

    @Test("unusual strings are accepted or skipped")
    func odd() {
        let fields = TXTFields(data: [3, 0x61, 0x3D, 0x3D, 0, 1, 0x62, 2, 0x3D, 0x63, 3, 0x41, 0x3D, 0x7A])
        #expect(fields.values == ["a": "=", "b": ""])
        #expect(AirPlayTXTRecord([(key: "features", value: "?"), (key: "pk", value: "12")]).features == nil)
        #expect(AirPlayTXTRecord([(key: "PW", value: "TRUE")]).requiresPassword == true)
    }

    @Test("RAOP instance names are split")
    func instanceName() {
        let split = RAOPTXTRecord.split(instanceName: "020000AA0001@Golden @ 1")
        #expect(split?.deviceID == "02:00:00:aa:00:01")
        #expect(split?.name == "Golden @ 1")
        for name in ["Kitchen", "020000AA001@x", "020000AA000G@x", ""] {
            #expect(RAOPTXTRecord.split(instanceName: name) == nil)
        }
    }
}
