import Playback
import Testing
import TuttiRouteTestSupport
import TuttiTestSupport

@testable import TuttiViews

@MainActor
@Suite("The terminal picker", .timeLimit(.minutes(10)))
struct TuttiTerminalPickerTests {
    let routes = FakeRoutes([FakeRoutes.machine, FakeRoutes.bath, FakeRoutes.kitchen])

    private func present(_ terminal: ScriptedTerminal?) async throws(RouteError) {
        let picker = TuttiTerminalPicker { terminal }
        try await TuttiRoutePicker.present(routes, with: picker, from: nil)
        withExtendedLifetime(picker) {}
    }

    @Test("one output and a group are selected, and the previous one is released")
    func choosing() async throws {
        try await WholeProcess.alone {
            let terminal = ScriptedTerminal(["3"])
            try await present(terminal)
            #expect(terminal.output.value.hasSuffix("> The sound goes to Kitchen.\n"))
            try await present(ScriptedTerminal(["+2", "sesame"]))
            #expect(routes.log.value.choices == [["k"], ["k", "b"]])
            #expect(routes.log.value.searches == 0 && routes.log.value.observers == 0)
            #expect(!routes.log.value.hasPrompt && !TuttiRoutePicker.isPresenting)
        }
    }

    @Test("the picker searches while it is open, and shows new speakers")
    func coming() async throws {
        try await WholeProcess.alone {
            let terminal = ScriptedTerminal([], isOpen: true)
            let routes = routes
            let presenting = Task { try await present(terminal) }
            _ = try await terminal.output.wait(for: "the question") { $0.hasSuffix("> ") ? 1 : nil }
            #expect(routes.log.value.searches == 1 && routes.log.value.hasPrompt)
            let attic = RouteOption(id: "a", name: "Attic", kind: .airPlay)
            routes.set([FakeRoutes.machine, attic])
            _ = try await terminal.output.wait(for: "the new one") { $0.contains("4   Attic") ? 1 : nil }
            terminal.type("4")
            try await presenting.value
            #expect(routes.log.value.choices == [["a"]])
        }
    }

    @Test("invalid input is answered, and the prompt stays")
    func nonsense() async throws {
        try await WholeProcess.alone {
            let terminal = ScriptedTerminal(["what", "17", "v 2", "\u{1B}[A", "?", "3"])
            try await present(terminal)
            #expect(routes.log.value.choices == [["k"]])
            let questions = terminal.output.value.split(separator: "> ", omittingEmptySubsequences: false)
            #expect(questions.count == 7)
        }
    }

    @Test("the end of input leaves everything as it is", arguments: [[], ["what"], [""], ["q", "3"]])
    func end(lines: [String]) async throws {
        try await WholeProcess.alone {
            try await present(ScriptedTerminal(lines))
            #expect(routes.log.value.choices.isEmpty)
        }
    }

    @Test("without a terminal the picker reports so")
    func noTerminal() async {
        await WholeProcess.alone {
            await #expect(throws: RouteError("there is no terminal to choose an output on")) {
                try await present(nil)
            }
            #expect(routes.log.value.searches == 0 && !TuttiRoutePicker.isPresenting)
        }
    }

    @Test("volumes are set")
    func volumes() async throws {
        try await WholeProcess.alone {
            let terminal = ScriptedTerminal(["v 2 3 35", "v 3 7", ""])
            try await present(terminal)
            #expect(routes.log.value.volumes == ["b 35.0", "k 35.0", "k 7.0"])
            #expect(routes.options.last?.volume == 7)
        }
    }

    @Test("a password is requested without an echo")
    func password() async throws {
        try await WholeProcess.alone {
            let terminal = ScriptedTerminal(["2", "sesame"])
            try await present(terminal)
            #expect(terminal.output.value.contains("Password of Bath: "))
            #expect(terminal.secrets.value == ["sesame"])
            #expect(routes.log.value.passwords == ["sesame"] && routes.log.value.choices == [["b"]])
        }
    }

    @Test(
        "a cancelled password is reported, and another output may be chosen",
        arguments: [["2", "", "3"], ["2"]])
    func givenUp(lines: [String]) async throws {
        try await WholeProcess.alone {
            let terminal = ScriptedTerminal(lines)
            try await present(terminal)
            #expect(terminal.output.value.contains("Bath needs a password\n"))
            #expect(routes.log.value.choices == (lines.count > 1 ? [["k"]] : []))
        }
    }

    @Test("errors are shown with their message, without escapes")
    func failure() async throws {
        try await WholeProcess.alone {
            routes.fail(with: RouteError("it is\u{7}gone"))
            let terminal = ScriptedTerminal(["3"])
            try await present(terminal)
            #expect(terminal.output.value.contains("> it is?gone\n> "))
        }
    }

    @Test("only one picker is open at a time")
    func once() async throws {
        try await WholeProcess.alone {
            let terminal = ScriptedTerminal([], isOpen: true)
            let presenting = Task { try await present(terminal) }
            _ = try await terminal.output.wait(for: "the question") { $0.hasSuffix("> ") ? 1 : nil }
            let second = ScriptedTerminal(["3"])
            try await present(second)
            #expect(second.output.value.isEmpty)
            terminal.type(nil)
            try await presenting.value
            #expect(routes.log.value.choices.isEmpty)
        }
    }
}
