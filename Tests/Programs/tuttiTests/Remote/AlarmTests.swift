import Foundation
import Testing
import TuttiCommandLineInterface

@testable import tutti

@Suite("Alarms, equalisers and announcements in the shell")
struct AlarmTests {
    @Test(
        "a time of the day has hours and minutes",
        arguments: [("6:30", 390), ("06:05", 365), ("0:00", 0), ("23:59", 1439)] as [(String, Int)])
    func times(text: String, minute: Int) {
        #expect(TimeText.minute(text) == minute)
        #expect(TimeText.minute(TimeText.ofDay(minute)) == minute)
    }

    @Test(
        "a text that is no time of the day is refused",
        arguments: ["", "6", "24:00", "6:60", "6:3", "6:030", "-1:00", "6:30:00", "٦:30", "a:bc"])
    func noTimes(text: String) { #expect(TimeText.minute(text) == nil) }

    @Test(
        "days are a group, or names that may be short",
        arguments: [
            ("once", [], "once"), ("Weekends", ["saturday", "sunday"], "weekends"),
            ("fri,mon", ["monday", "friday"], "mon,fri"), ("tu", ["tuesday"], "tue"),
            ("sa,sunday", ["saturday", "sunday"], "weekends"),
        ] as [(String, [String], String)])
    func days(text: String, days: [String], shown: String) {
        #expect(AlarmDays.parse(text) == days)
        #expect(AlarmDays.text(days) == shown)
    }

    @Test("a text that is no day is refused", arguments: ["", "m", "mon,", "mon,xx", "weekday"])
    func noDays(text: String) { #expect(AlarmDays.parse(text) == nil) }

    @Test("an equaliser is a preset, off, or ten gains within their range")
    func equalizers() {
        #expect(EqualizerText.body("off").map { JSONLine($0).text } == #"{"gains":null}"#)
        #expect(EqualizerText.body("Bass").map { JSONLine($0).text } == #"{"preset":"bass"}"#)
        #expect(EqualizerText.body("0,1.5,0,0,0,0,0,0,0,-12") != nil)
        for text in [
            "", "rock", "1,2,3", "0,0,0,0,0,0,0,0,0,13", "0,0,0,0,0,0,0,0,0,x", "0,0,0,0,0,0,0,0,0,0,0",
        ] {
            #expect(EqualizerText.body(text) == nil, "\(text)")
        }
    }

    @Test("alarms are shown as a table, and sent back as they came")
    func table() throws {
        let json = #"""
            {"time":0,"zones":[],"rooms":[],"alarms":[{"id":3,"zone":1,"minute":390,"days":["monday"],
            "items":[{"album":7},{"folder":"/m/Jazz"}],"volume":30,"fadeSeconds":60,"isOn":false}]}
            """#
        let house = try JSONDecoder().decode(RemoteHouse.self, from: Data(json.utf8))
        let lines = AlarmCommand.table(house, limit: nil)
        #expect(
            lines.last?.split(separator: " ").joined(separator: " ")
                == "3 6:30 mon #1 album 7, /m/Jazz 30% 60 s off")
        let body = try #require(house.alarms?.first.map { JSONLine($0.body).text })
        #expect(
            body.contains(#""items":[{"album":7},{"folder":"/m/Jazz"}]"#) && body.contains(#""isOn":false"#))
    }

    @Test("a request with a sound has its type, its length and its bytes")
    func upload() {
        var request = ServiceRequest(method: "POST", path: "/announcements", body: nil)
        request.sound = ("audio/wav", [1, 2, 3])
        let bytes = request.bytes(host: "h", token: nil)
        let text = String(decoding: bytes.dropLast(3), as: UTF8.self)
        #expect(text.contains("Content-Type: audio/wav\r\n") && text.contains("Content-Length: 3\r\n"))
        #expect(bytes.suffix(3) == [1, 2, 3] && text.hasSuffix("\r\n\r\n"))
    }
}
