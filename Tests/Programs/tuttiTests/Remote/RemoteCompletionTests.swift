import Foundation
import Testing
import TuttiCommandLineInterface
import TuttiTestSupport

@testable import tutti

@Suite("Completion of names of the house")
struct RemoteCompletionTests {
    /// Completes a line with the names of a house.
    static func complete(_ words: [String]) async -> [String]? {
        let entries = [
            TestHouse.entry(1, "Blue Moon"), TestHouse.entry(2, "Red"), TestHouse.entry(3, "blues"),
        ]
        let completion = await Completion.answer(
            Array(words.dropLast()), current: words.last ?? "",
            commands: Tutti.commands.map { $0.declaration }
        ) { request in
            switch RemoteCompletion.wish(of: request) {
            case .declared: nil
            case .files: .files
            case .words(let words): .words(words)
            case .speakers: .words(RemoteCompletion.speakers(of: TestHouse.house))
            case .paired: .words([])
            case .names(let kinds, let more):
                .words(
                    RemoteCompletion.candidates(
                        kinds, TestHouse.house, entries: entries, current: request.current) + more)
            }
        }
        guard case .words(let candidates) = completion else { return nil }
        return candidates.map(\.value)
    }

    static let cases: [([String], [String]?)] = [
        (["pause", "--zone", ""], ["Kitchen", "Living Room"]), (["pause", "-z", "l"], ["Living Room"]),
        (["pause", "--zone=k"], ["--zone=Kitchen"]), (["pause", ""], []),
        (["volume", ""], ["Kitchen", "Living Room", "Shelf", "Liv"]),
        (["volume", "--room", "k"], ["Kitchen"]),
        (["volume", "Kitchen", ""], []), (["room", "s"], ["Shelf"]), (["room", "d"], ["delay"]),
        (["room", "Shelf", ""], ["Kitchen", "Living Room", "none"]), (["room", "delay", "s"], ["Shelf"]),
        (["room", "delay", "Shelf", ""], []), (["zone", "re"], ["rename", "remove"]),
        (["zone", "levelling", "Kitchen", ""], ["off", "track", "album"]),
        (["room", "equalizer", "Shelf", "b"], ["bass"]), (["room", "night", "Shelf", ""], ["on", "off"]),
        (["zone", "sleep-fade", "l"], ["Living Room"]), (["say", ""], nil),
        (["say", "x", "--rooms", "s"], ["Shelf"]),
        (["alarm", "o"], ["on", "off"]),
        (["alarm", "add", "6:30", "--days", "we"], ["weekdays", "weekends", "wednesday"]),
        (["zone", "remove", "k"], ["Kitchen"]), (["zone", "new", ""], []),
        (["zone", "new", "X", "s"], ["Shelf"]),
        (["zone", "transfer", "Kitchen", "l"], ["Living Room"]), (["queue", "re"], ["remove"]),
        (["queue", "remove", ""], ["1", "2", "3"]), (["queue", "remove", "blue"], ["Blue Moon", "blues"]),
        (["queue", "add", ""], nil), (["queue", "add", "--n"], ["--next", "--now"]),
        (["queue", "save", ""], []),
        (["sleep", "e"], ["end"]), (["shuffle", ""], ["on", "off"]), (["repeat", "a"], ["all"]),
        (["play", ""], nil),
        (["play", "--to", "s"], ["Shelf"]), (["play", "--prefer", "d"], ["depth"]),
        (["status", "--config", ""], nil),
        (["help", "sl"], ["sleep"]), (["statu"], ["status"]), (["comple"], ["completions"]),
        (["unknown", ""], []),
    ]

    @Test("an argument is completed by what the command takes there", arguments: cases)
    func completes(words: [String], expected: [String]?) async {
        #expect(await Self.complete(words) == expected)
    }

    @Test("speakers are completed where a command takes one, and rooms where the house does")
    func speakers() {
        func wish(_ command: String, option: String? = nil) -> RemoteCompletion.Wish {
            RemoteCompletion.wish(
                of: CompletionRequest(command: command, option: option))
        }
        for command in ["info", "doctor", "pair"] { #expect(wish(command) == .speakers) }
        #expect(wish("unpair") == .paired)
        #expect(wish("play", option: "to") == .speakers && wish("sink", option: "to") == .speakers)
        #expect(wish("say", option: "rooms") == .names([.rooms], []))
    }

    @Test(
        "the generated pages are up to date",
        arguments: [
            ("shell.md", "shell", ShellManual.text),
            ("reference/options.md", "options", ReferencePages.options),
            ("reference/exit-status.md", "exit-status", ReferencePages.exitStatus),
        ])
    func page(path: String, word: String, text: String) throws {
        let found = try String(contentsOf: ProjectFolder.url(of: "docs/\(path)"), encoding: .utf8)
        #expect(found == text, "renew it: tutti reference \(word) > docs/\(path)")
    }
}
