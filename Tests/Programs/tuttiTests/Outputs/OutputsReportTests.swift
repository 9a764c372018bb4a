import Testing
import TuttiAudioOutput

@testable import TuttiCommandLineInterface
@testable import tutti

@Suite("Outputs report")
struct OutputsReportTests {
    static let report = OutputsReport(outputs: [
        OutputDescription(
            specification: OutputSpecification(.alsa(device: "hw:CARD=DAC,DEV=0")), text: "A DAC, USB Audio"),
        OutputDescription(
            specification: OutputSpecification(.pulse(sink: "desk")), text: "Desk\u{1B}[2J", hertz: 48_000,
            isDefault: true),
    ])

    @Test("the table has a row for each output, then the outputs that need no device")
    func table() {
        let lines = Self.report.table
        #expect(lines.count == 5)
        #expect(lines[0] == "OUTPUT                  DEFAULT  RATE   DESCRIPTION")
        #expect(lines[1] == "alsa:hw:CARD=DAC,DEV=0  -        -      A DAC, USB Audio")
        #expect(lines[2] == "pulse:desk              yes      48000  Desk?[2J")
        #expect(lines[3].hasPrefix("wave:FILE               -        any    writes"))
        #expect(lines[4].hasPrefix("null "))
    }

    @Test("the JSON has an object for each output")
    func json() {
        let lines = Self.report.json
        #expect(lines.count == 4)
        #expect(
            lines[0]
                == #"{"output":"alsa:hw:CARD=DAC,DEV=0","kind":"alsa","description":"A DAC, USB Audio","sampleRate":null,"default":false}"#
        )
        #expect(
            lines[1]
                == #"{"output":"pulse:desk","kind":"pulse","description":"Desk\u001b[2J","sampleRate":48000,"default":true}"#
        )
        #expect(lines[2].hasPrefix(#"{"output":"wave:FILE","kind":"wave""#))
    }

    @Test("the command takes the flag --json and no arguments")
    func arguments() throws {
        #expect(try ArgumentParser.parse(["--json"], as: OutputsCommand.declaration).flag("json"))
        #expect(throws: UsageError.self) { try ArgumentParser.parse(["x"], as: OutputsCommand.declaration) }
    }
}
