import Playback
import Testing
import TuttiRouteTestSupport

@testable import TuttiViews

@Suite("Dialogue of the terminal picker")
struct PickerConversationTests {
    typealias Action = PickerConversation.Action

    static let routes = [FakeRoutes.machine, FakeRoutes.bath, FakeRoutes.kitchen]

    @Test("the list shows every output")
    func list() {
        #expect(
            PickerConversation(Self.routes).list == """
                  1 * This machine
                  2   Bath (20 %, asks for a password)
                  3   Kitchen (40 %)

                """)
        #expect(PickerConversation([]).list.contains("Looking for outputs"))
    }

    static let lines: [(String, Action)] = [
        ("3", .select(["k"])), ("  3  ", .select(["k"])), ("2 3", .select(["b", "k"])),
        ("2,3", .select(["b", "k"])), ("3 3", .select(["k"])),
        ("+3", .select(["local", "k"])), ("-1 +3", .select(["k"])), ("+2 +3 -1", .select(["b", "k"])),
        ("-1", .say("At least one output must stay selected.\n")),
        ("", .leave), ("   ", .leave), ("q", .leave), ("QUIT", .leave),
        ("4", .say("There is no output 4.\n")), ("0", .say("There is no output 0.\n")),
        ("-9", .say("There is no output 9.\n")),
        ("kitchen", .say("\"kitchen\" is not a command; ? lists the commands.\n")),
        ("3 x", .say("\"x\" is not a command; ? lists the commands.\n")),
        ("+", .say("\"+\" is not a command; ? lists the commands.\n")),
        ("--3", .say("There is no output -3.\n")),
        (
            "99999999999999999999",
            .say("\"99999999999999999999\" is not a command; ? lists the commands.\n")
        ),
        ("\u{1B}[2J", .say("\"?[2J\" is not a command; ? lists the commands.\n")),
        ("v 3 25", .setVolumes(25, of: ["k"])), ("v 2 3 25%", .setVolumes(25, of: ["b", "k"])),
        ("V 3 0", .setVolumes(0, of: ["k"])),
        ("v", .say("A volume must be a number from 0 to 100, as in v 2 40.\n")),
        ("v 3 101", .say("A volume must be a number from 0 to 100, as in v 2 40.\n")),
        ("v 3 -1", .say("A volume must be a number from 0 to 100, as in v 2 40.\n")),
        ("v 3 nan", .say("A volume must be a number from 0 to 100, as in v 2 40.\n")),
        ("v x 20", .say("There is no output \"x\".\n")),
        ("v 1 20", .say("The volume of This machine cannot be set here.\n")),
        ("v 20", .say("The volume of This machine cannot be set here.\n")),
    ]

    @Test("input lines are understood", arguments: lines)
    func understands(line: String, action: Action) {
        #expect(PickerConversation(Self.routes).action(for: line) == action)
    }

    @Test("a volume without a number applies to all active outputs")
    func groupVolume() {
        var routes = Self.routes
        routes[0].isSelected = false
        #expect(PickerConversation(routes).action(for: "v 20") == .say("Nothing is selected.\n"))
        (routes[1].isSelected, routes[2].isSelected) = (true, true)
        #expect(PickerConversation(routes).action(for: "v 20") == .setVolumes(20, of: ["b", "k"]))
    }

    @Test("an output keeps its number while others come and go")
    func numbers() {
        var conversation = PickerConversation([FakeRoutes.machine, FakeRoutes.kitchen])
        _ = conversation.greeting()
        conversation.update([FakeRoutes.bath, FakeRoutes.kitchen])
        let text = conversation.announcement() ?? ""
        #expect(text.contains("  3   Bath") && text.contains("  2   Kitchen") && !text.contains("machine"))
        #expect(conversation.action(for: "2") == .select(["k"]))
        #expect(conversation.action(for: "1") == .say("There is no output 1.\n"))
        let again = conversation.announcement()
        #expect(again == nil)
        conversation.update(Self.routes)
        #expect(conversation.action(for: "1 3") == .select(["local", "b"]))
    }

    @Test("names from other machines cannot move the cursor")
    func harmless() {
        let evil = RouteOption(
            id: "e", name: "A\u{1B}[2J\n\u{202E}B" + String(repeating: "c", count: 500), kind: .airPlay)
        let list = PickerConversation([evil]).list
        #expect(!list.dropLast().contains("\n") && !list.contains("\u{1B}") && !list.contains("\u{202E}"))
        #expect(list.count < 100)
        let conversation = PickerConversation([evil])
        #expect(conversation.confirmation(of: ["e"]).hasPrefix("The sound goes to A?[2J??Bccc"))
    }

    @Test("any text is answered")
    func anything() {
        let conversation = PickerConversation(Self.routes)
        for scalar in (0...0x2FFF).compactMap(Unicode.Scalar.init) {
            _ = conversation.action(for: "v \(scalar) 3")
            _ = conversation.action(for: "\(scalar)2 -\(scalar)")
        }
    }
}
