import AirPlayMessages
import Foundation
import Testing
import TuttiSystemIO

@testable import tutti

@Suite("Device report")
struct InfoReportTests {
    static let info = ReceiverInfo(fields: [
        "name": "Kit\u{1B}[2Jchen", "model": "Speaker,1", "features": .unsigned(0x183_4040_5C4A00),
        "statusFlags": 4, "pk": .data([1, 0xAB]), "initialVolume": -12.5,
        "supportedFormats": ["bufferStream": 0x40000],
        "txtAirPlay": .data([5] + Array("acl=0".utf8) + [4] + Array("vv=2".utf8)),
        "playbackCapabilities": ["b": true, "a": [1, "x"]],
    ])
    static let report = InfoReport(info: info, address: SocketAddress(IPAddress(10, 0, 0, 7), port: 7000))

    @Test("the text names bits, sorts keys, and contains no escape characters")
    func text() {
        let lines = Self.report.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.first == "Kit?[2Jchen (Speaker,1) at 10.0.0.7:7000")
        #expect(lines.contains("Features 0x405C4A00,0x18340:"))
        #expect(lines.contains("  buffered audio"))
        #expect(lines.contains("Status flags 0x4:"))
        #expect(lines.contains("  audio cable attached"))
        #expect(lines.contains("  AirPlay 2: yes"))
        #expect(lines.contains("  clock: PTP"))
        #expect(lines.contains("  session: buffered, PTP: it announces buffered sound and PTP"))
        #expect(lines.contains("  buffered stream: ALAC 44100/16/2"))
        #expect(lines.contains("  realtime stream: none announced"))
        #expect(lines.contains(#"  playbackCapabilities  {"a":[1,"x"],"b":true}"#))
        #expect(lines.contains(#"  pk                    "01ab""#))
        #expect(lines.contains(#"  txtAirPlay            {"acl":"0","vv":"2"}"#))
        #expect(!Self.report.text.contains("\u{1B}"))
    }

    @Test("the JSON has the derived capabilities and the original fields")
    func json() throws {
        let object =
            try JSONSerialization.jsonObject(with: Data(Self.report.json.text.utf8)) as? [String: Any]
        #expect(object?["address"] as? String == "10.0.0.7:7000")
        #expect(object?["airplay2"] as? Bool == true)
        #expect(object?["buffered"] as? Bool == true)
        #expect(object?["pairing"] as? String == "transient")
        #expect((object?["session"] as? [String: Any])?["stream"] as? String == "buffered")
        #expect(object?["bufferedFormats"] as? [String] == ["ALAC 44100/16/2"])
        #expect((object?["statusFlags"] as? [String: Any])?["names"] as? [String] == ["audio cable attached"])
        #expect((object?["info"] as? [String: Any])?["initialVolume"] as? Double == -12.5)
    }

    @Test("an AirPlay 1 speaker is reported from its record, with codecs and encryption")
    func airPlay1() throws {
        let report = InfoReport(
            info: nil, address: Self.report.address, name: "Old\u{1B} TV",
            raop: RAOPTXTRecord([
                (key: "cn", value: "0,1,9"), (key: "et", value: "0,1"), (key: "am", value: "AirPort4,107"),
            ]))
        let lines = report.text.split(separator: "\n").map(String.init)
        #expect(lines.first == "Old? TV (AirPort4,107) at 10.0.0.7:7000")
        #expect(lines.contains("  AirPlay 2: no"))
        #expect(lines.contains("  session: AirPlay 1, NTP: it announces no AirPlay 2"))
        #expect(lines.contains("  AirPlay 1 codecs: PCM, ALAC, 9"))
        #expect(lines.contains("  AirPlay 1 encryption: none, RSA"))
        #expect(lines.contains(#"  am  "AirPort4,107""#) && !lines.contains("/info:"))
        let object =
            try JSONSerialization.jsonObject(with: Data(report.json.text.utf8)) as? [String: Any]
        #expect(object?["encryption"] as? [String] == ["none", "RSA"] && object?["info"] is NSNull)
        #expect((object?["session"] as? [String: Any])?["stream"] as? String == "airplay1")
    }

    @Test("a device without fields is reported without a name")
    func empty() {
        let report = InfoReport(info: ReceiverInfo(fields: [:]), address: Self.report.address)
        #expect(report.text.hasPrefix("(no name) at 10.0.0.7:7000\n"))
        #expect(report.json.text.contains(#""name":null"#))
        #expect(report.json.text.contains(#""airplay2":false"#))
    }
}
