import Foundation
import Testing
import TuttiTestSupport

@testable import AccessNotes
@testable import TuttiCommandLineInterface

@Suite("The access-notes file")
struct AccessNotesTests {
    static let scalars: [(text: String, yaml: String)] = [
        ("A.b", "'A.b'"),
        ("A.b(_:c:)", "'A.b(_:c:)'"),
        ("it's", "'it''s'"),
        ("''", "''''''"),
        ("", "''"),
        ("a: b # c", "'a: b # c'"),
        ("\"\\n\"", "'\"\\n\"'"),
        ("a\nb", "\"a\\x0ab\""),
        ("\t\"\\\u{7F}", "\"\\x09\\\"\\\\\\x7f\""),
        ("ä名😀", "'ä名😀'"),
    ]

    @Test("quotes any text", arguments: scalars)
    func quoting(text: String, yaml: String) {
        #expect(AccessNotes.quoted(text) == yaml)
    }

    @Test("has every name of all sources once, in their order")
    func file() {
        let sources = [
            "class A { @objc var b = 1 }", "class C { @objc var d = 1 }",
            "extension A { @objc var b: Int { 1 } }",
        ]
        #expect(
            AccessNotes(sources.map(ObjCScanner.findings)).yaml == """
                # Written by 'access-notes'. For: swiftc -access-notes-path FILE
                Reason: 'there is no Objective-C runtime on this platform'
                Notes:
                - Name: 'A.b'
                  ObjC: false
                - Name: 'C.d'
                  ObjC: false

                """)
    }

    @Test("with nothing in it is still one that the compiler reads")
    func empty() {
        #expect(AccessNotes([]).yaml.hasSuffix("\nNotes: []\n"))
    }

    @Test("finds an alias and the type it stands for in different sources")
    func aliases() {
        let sources = [
            "extension Alias { @objc func a() {} }", "typealias Alias = Outer.Inner",
            "class Outer { class Inner {} }",
        ]
        #expect(AccessNotes(sources.map(ObjCScanner.findings)).names == ["Outer.Inner.a()"])
    }

    @Test("is written by the command, and left alone when it has not changed")
    func command() async throws {
        let folder = try MusicFolder()
        try folder.add("Sources/B.swift", Array("class B { @objc var c = 1 }".utf8))
        try folder.add("Sources/Deep/A.swift", Array("class A { @objc var b = 1 }".utf8))
        try folder.add("Sources/.build/X.swift", Array("class X { @objc var y = 1 }".utf8))
        try folder.add("Sources/Notes.txt", Array("class X { @objc var y = 1 }".utf8))
        let output = folder.path + "/notes.yaml"
        let arguments = try ArgumentParser.parse(
            [folder.path + "/Sources", folder.path + "/Sources/B.swift", "-o", output],
            as: AccessNotesCommand.declaration)
        #expect(try await AccessNotesCommand.run(arguments) == .success)
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(
            text.split(separator: "\n").filter { $0.hasPrefix("- ") } == ["- Name: 'B.c'", "- Name: 'A.b'"])

        let past = Date(timeIntervalSince1970: 1_000_000)
        try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: output)
        #expect(try await AccessNotesCommand.run(arguments) == .success)
        let date = try FileManager.default.attributesOfItem(atPath: output)[.modificationDate] as? Date
        #expect(date == past)
    }

    @Test("is not written when a source cannot be read")
    func unreadable() async throws {
        let folder = try MusicFolder()
        let output = folder.path + "/notes.yaml"
        let binary = try folder.add("Binary.swift", [0xFF, 0xFE, 0x00])
        for source in [binary, folder.path + "/missing.swift"] {
            let arguments = try ArgumentParser.parse(
                [source, "-o", output], as: AccessNotesCommand.declaration)
            #expect(try await AccessNotesCommand.run(arguments) == .failure)
            #expect(FileManager.default.fileExists(atPath: output) == false)
        }
    }

    @Test("beside the example is the one that the command writes")
    func example() throws {
        let folder = ProjectFolder.url(of: "Examples/Sources/WatchTone").path
        let findings = try SwiftSources.files(at: [folder]).map {
            ObjCScanner.findings(in: try SwiftSources.read($0))
        }
        #expect(findings.flatMap(\.warnings) == [])
        let written = try String(contentsOfFile: folder + "/access-notes.yaml", encoding: .utf8)
        #expect(written == AccessNotes(findings).yaml)
    }
}
