import AirPlayMessages
import Testing

@Suite("Volume")
struct VolumeTests {
    static let texts: [(Double, String)] = [
        (-15, "volume: -15.000000\r\n"), (0, "volume: 0.000000\r\n"), (-144, "volume: -144.000000\r\n"),
        (-0.3, "volume: -0.300000\r\n"), (-29.999_999_6, "volume: -30.000000\r\n"),
        (-15.375, "volume: -15.375000\r\n"),
    ]

    @Test("the text form has a fixed shape", arguments: texts)
    func writes(decibels: Double, text: String) throws {
        let volume = Volume(decibels: decibels)
        #expect(String(decoding: volume.body, as: UTF8.self) == text)
        #expect(abs(try Volume(body: volume.body).decibels - decibels) < 1e-6)
    }

    @Test("the recorded answer begins with an empty line")
    func recorded() throws {
        #expect(try Volume(body: Array("\r\nvolume: -15.000000\r\n".utf8)) == Volume(decibels: -15))
        #expect(try Volume(body: Array("Volume:-3".utf8)) == Volume(decibels: -3))
    }

    @Test(
        "an invalid volume is refused",
        arguments: ["", "volume: x\r\n", "volume: nan\r\n", "volume: inf\r\n", "level: 3\r\n", "volume"])
    func rejects(text: String) {
        #expect(throws: MessageError.malformedText(field: "volume")) { try Volume(body: Array(text.utf8)) }
    }

    static let ranges: [(Double, Double)] = [
        (3, 0), (-31, -30), (-99, -30), (-100, -144), (-1000, -144), (.nan, -144), (.infinity, 0),
        (-.infinity, -144),
    ]

    @Test("a volume is clamped to the range", arguments: ranges)
    func clamps(given: Double, held: Double) { #expect(Volume(decibels: given).decibels == held) }

    @Test("percent is linear, 0 is mute")
    func percent() {
        #expect(Volume(percent: 0) == .mute)
        #expect(Volume(percent: -5) == .mute)
        #expect(Volume(percent: .nan) == .mute)
        #expect(Volume(percent: 100) == .full)
        #expect(Volume(percent: 1000) == .full)
        #expect(Volume(percent: 50).decibels == -15)
        #expect(Volume.mute.percent == 0)
        #expect(abs(Volume(percent: 37).percent - 37) < 1e-9)
        #expect(Volume.mute < Volume(decibels: -30))
    }

    @Test(
        "only decimal numbers are volumes",
        arguments: [
            "0x10", "0x1p3", "1e1", "inf", "nan", "--3", "+-3", "-", ".", "", "3,5", "-1 5x",
            String(repeating: "9", count: 400),
        ])
    func decimals(text: String) {
        #expect(throws: MessageError.self) { try Volume(body: Array("volume: \(text)\r\n".utf8)) }
    }
}
