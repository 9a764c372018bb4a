import Testing
import TuttiCommandLineInterface
import TuttiDiscovery
import TuttiSystemIO

@testable import tutti

@Suite("Speaker report")
struct SpeakerReportTests {
    static func speaker(_ name: String, _ txt: [(String, String)]) throws -> DiscoveredSpeaker {
        let service = DiscoveredService(
            id: ServiceID(kind: .airplay, name: name), host: "h.local", addresses: [IPAddress(10, 0, 0, 7)],
            port: 7000, txt: txt.map { TXTEntry(key: $0.0, value: $0.1) })
        var directory = SpeakerDirectory()
        _ = directory.apply(.appeared(try #require(service)))
        return try #require(directory.speakers.first)
    }

    static let cases: [([(String, String)], [String], String)] = [
        (
            [("deviceid", "02:00:00:aa:00:01"), ("model", "M,1"), ("features", "0x405FCA00,0x18340")],
            ["Kitchen", "M,1", "10.0.0.7:7000", "2", "yes", "yes", "-"],
            "Kitchen  M,1  10.0.0.7:7000  AirPlay 2, buffered, PTP"
        ),
        (
            [("model", "M"), ("features", "0x405FCA00,0x18340"), ("flags", "0x88"), ("acl", "2")],
            ["Kitchen", "M", "10.0.0.7:7000", "2", "yes", "yes", "PIN, same home, password"],
            "Kitchen  M  10.0.0.7:7000  AirPlay 2, buffered, PTP, needs PIN and same home and password"
        ),
        (
            [], ["Kitchen", "", "10.0.0.7:7000", "-", "-", "-", "-"],
            "Kitchen  10.0.0.7:7000  no AirPlay sound"
        ),
    ]

    @Test("'tutti' alone names the speakers that answer, or says what to do")
    func welcome() throws {
        #expect(WelcomeCommand.text(of: []) == SpeakersView.advice + "\n")
        let one = try Self.speaker("Kitchen\u{1B}[2J", [])
        #expect(
            WelcomeCommand.text(of: [one]) == "One speaker answers here:\n  \(Printable.text(one.name))\n")
        #expect(!WelcomeCommand.text(of: [one]).contains("\u{1B}"))
        #expect(WelcomeCommand.text(of: [one, one]).hasPrefix("2 speakers answer here:\n"))
    }

    @Test("a speaker is described in a table row and in a line", arguments: cases)
    func texts(txt: [(String, String)], cells: [String], line: String) throws {
        let report = SpeakerReport(speaker: try Self.speaker("Kitchen", txt))
        #expect(report.cells == cells)
        #expect(report.cells.count == SpeakerReport.header.count)
        #expect(report.line == line)
    }

    @Test("changes are printed as lines and as JSON, without raw control characters")
    func changes() throws {
        let speaker = try Self.speaker("Kit\u{1B}chen", [("deviceid", "02:00:00:aa:00:01")])
        #expect(SpeakersView.line(.appeared(speaker), style: .lines).hasPrefix("+ Kit?chen"))
        #expect(SpeakersView.line(.updated(speaker), style: .lines).hasPrefix("= "))
        #expect(SpeakersView.line(.vanished(speaker), style: .lines).hasPrefix("- "))
        #expect(
            SpeakersView.line(.vanished(speaker), style: .json) == #"{"event":"vanished","#
                + #""id":"02:00:00:AA:00:01","name":"Kit\u001bchen","model":"","host":"h.local","#
                + #""addresses":["10.0.0.7"],"port":7000,"airplay1":false,"airplay2":false,"#
                + #""buffered":false,"ptp":false,"pin":false,"sameHome":false,"password":false,"#
                + #""airplay":{"name":"Kit\u001bchen","port":7000,"#
                + #""txt":{"deviceid":"02:00:00:aa:00:01"}},"raop":null}"#)
    }
}
