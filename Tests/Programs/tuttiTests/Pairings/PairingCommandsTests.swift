import AirPlayMessages
import Testing
import TuttiCommandLineInterface

@testable import tutti

@Suite("Commands about pairings")
struct PairingCommandsTests {
    @Test("the list of paired speakers says what to do if there are none")
    func empty() {
        #expect(PairedCommand.table([]) == ["No speaker is paired; 'tutti pair SPEAKER' pairs with one."])
    }

    private static let lines: [(arguments: [String], complaint: String?)] = [
        (["pair", "Kitchen"], nil), (["pair", "Kitchen", "--pin", "1234", "--json"], nil),
        (["pair"], "SPEAKER"), (["pair", "a", "b"], "b"), (["pair", "a", "--password", "x"], "--password"),
        (["unpair", "Kitchen", "--json"], nil), (["unpair"], "SPEAKER"), (["paired", "--json"], nil),
        (["paired", "Kitchen"], "Kitchen"), (["pair", "Kitchen", "--password-file", "-"], nil),
    ]

    @Test("each command takes its arguments and no others", arguments: lines.indices)
    func arguments(index: Int) {
        let (arguments, complaint) = Self.lines[index]
        switch Invocation(arguments, commands: Tutti.commands, version: Tutti.version) {
        case .run(let command, _):
            #expect(complaint == nil && command.declaration.name == arguments[0])
        case .complain(let line): #expect(complaint.map { line.contains($0) } == true, "\(line)")
        case .print(let text): Issue.record("\(text)")
        }
    }

    @Test(
        "a wrong value of an option is wrong usage, before any speaker is looked for",
        arguments: [
            (["pair", "Kitchen", "--pin", "1", "--address", "foo"], "--address"),
            (["unpair", "Kitchen", "--address", "foo"], "--address"),
            (["pair", "Kitchen", "--pin", "1", "--password-file", "-"], "--pin and --password-file"),
        ])
    func mistakes(arguments: [String], part: String) async throws {
        let invocation = Invocation(arguments, commands: Tutti.commands, version: Tutti.version)
        guard case .run(let command, let parsed) = invocation else { throw UsageError("not run") }
        let error = await #expect(throws: UsageError.self) { try await command.run(parsed) }
        #expect(error?.status == .usage && error?.description.contains(part) == true)
    }

    @Test("the question names what the speaker asks for, and only a PIN that it shows may be seen")
    func prompts() {
        let name = "Kit\u{1B}chen"
        #expect(PairingReport.prompt(for: .pin, of: name) == "PIN that Kit?chen shows: ")
        #expect(PairingReport.prompt(for: .password, of: name) == "Password of Kit?chen: ")
        for need in [ReceiverDescription.PairingNeed.transient, .notNeeded] {
            #expect(PairingReport.prompt(for: need, of: name) == "PIN or password of Kit?chen: ")
        }
    }
}
