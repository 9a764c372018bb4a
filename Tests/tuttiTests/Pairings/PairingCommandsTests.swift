import CommandLineInterface
import Testing

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
        (["paired", "Kitchen"], "Kitchen"),
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
}
