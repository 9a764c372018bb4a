import Testing

@testable import tutti

@Suite("Times and volumes of commands for the house")
struct ValuesTests {
    @Test(
        "a position is read as seconds, minutes or hours",
        arguments: [
            ("0", 0.0), ("90", 90), ("1.5", 1.5), ("1:23", 83), ("01:02:03.5", 3723.5), ("90:00", 5400),
            ("10000000", 1e7),
        ] as [(String, Double)])
    func positions(text: String, seconds: Double) {
        #expect(TimeText.seconds(text) == seconds)
        #expect(SeekText(text) == .to(seconds))
        #expect(SeekText("+" + text) == .by(seconds))
        #expect(SeekText("-" + text) == .by(-seconds))
    }

    @Test(
        "a text that is no position is refused",
        arguments: [
            "", ":", "1:", ":5", "1:60", "1:2:3:4", "1:2.5:3", "-", "+-5", "1e3", "nan", "inf", "0x10", "10s",
            " 5",
            "٣", "99999999", "1..2",
        ])
    func noPositions(text: String) { #expect(SeekText(text) == nil) }

    @Test(
        "a position is shown with minutes, and with hours where there are any",
        arguments: [(0, "0:00"), (83.9, "1:23"), (3600, "1:00:00"), (-5, "0:00"), (.infinity, "")]
            as [(Double, String)])
    func clock(seconds: Double, text: String) { #expect(TimeText.clock(seconds) == text) }

    @Test(
        "a volume is a number, or a change with a sign",
        arguments: [
            ("30", .to(30)), ("30%", .to(30)), ("0", .to(0)), ("100", .to(100)), ("2.5", .to(2.5)),
            ("+5", .by(5)),
            ("-5%", .by(-5)),
        ] as [(String, VolumeText)])
    func volumes(text: String, volume: VolumeText) { #expect(VolumeText(text) == volume) }

    @Test(
        "a text that is no volume is refused",
        arguments: ["", "%", "101", "+", "-101", "5x", "1e1", "++5", "Kitchen"])
    func noVolumes(text: String) { #expect(VolumeText(text) == nil) }

    @Test("a change of volume stays within 0 and 100, and needs the volume now")
    func changes() {
        #expect(VolumeText.by(20).percent(from: 90) == 100)
        #expect(VolumeText.by(-20).percent(from: 10) == 0)
        #expect(VolumeText.by(5).percent(from: nil) == nil)
        #expect(VolumeText.to(40).percent(from: nil) == 40)
    }

    @Test(
        "a sleep timer takes units, and refuses a number without one",
        arguments: [
            ("30m", .after(1800)), ("90s", .after(90)), ("1h30m", .after(5400)), ("1.5h", .after(5400)),
            ("end", .endOfTrack),
            ("off", .off), ("30", nil), ("0m", nil), ("m", nil), ("30m1h", nil), ("5m5m", nil), ("-5m", nil),
            ("", nil),
            ("1d", nil), ("99999h", nil),
        ] as [(String, SleepText?)])
    func sleep(text: String, timer: SleepText?) { #expect(SleepText(text) == timer) }

    @Test("JSON for a terminal has harmful characters as escapes, on one line")
    func json() {
        let text = "{\"a\":\"x\u{9B}y\u{202E}z\u{7F}\",\n\"b\": 1}"
        #expect(SafeText.json(text) == #"{"a":"x\u009by\u202ez\u007f", "b": 1}"#)
        #expect(SafeText.json(#"{"a":"ü\n"}"#) == #"{"a":"ü\n"}"#)
    }
}
