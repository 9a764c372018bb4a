import Testing

@testable import AccessNotes

@Suite("Blocks of #if")
struct ConditionalBlocksTests {
    static let conditions: [(condition: String, keepsBlock: Bool, keepsElse: Bool)] = [
        ("os(Linux)", true, false),
        ("os(macOS)", false, true),
        ("!os(macOS)", true, false),
        ("os(iOS) || os(tvOS)", false, true),
        ("os(iOS) || DEBUG", true, true),
        ("os(iOS) && DEBUG", false, true),
        ("!(os(iOS) || os(macOS)) && DEBUG", true, true),
        ("canImport(UIKit)", false, true),
        ("canImport(ObjectiveC)", false, true),
        ("canImport(AVFoundation)", true, true),
        ("canImport(UIKit, _version: 1.2) && X", false, true),
        ("targetEnvironment(simulator)", false, true),
        ("_runtime(_ObjC)", false, true),
        ("DEBUG", true, true),
        ("swift(>=6.0)", true, true),
        ("compiler(<5)", true, true),
        ("true", true, false),
        ("false", false, true),
        ("DEBUG ||\n os(Linux)", true, false),
    ]

    @Test("stay where a build on Linux may compile them", arguments: conditions)
    func kept(condition: String, keepsBlock: Bool, keepsElse: Bool) {
        let source = "#if \(condition)\nblock\n#else\nother\n#endif\nbehind"
        let words = ConditionalBlocks.compiled(of: SwiftLexer.tokens(of: source)).map(\.text)
        #expect(words.contains("block") == keepsBlock)
        #expect(words.contains("other") == keepsElse)
        #expect(words.last == "behind")
    }

    @Test("after a branch that is certainly taken no other is")
    func chain() {
        let source = """
            #if os(macOS)
            a
            #elseif FLAG
            b
            #if os(iOS)
            c
            #endif
            #elseif os(Linux)
            d
            #else
            e
            #endif
            f
            """
        #expect(ConditionalBlocks.compiled(of: SwiftLexer.tokens(of: source)).map(\.text) == ["b", "d", "f"])
    }

    @Test(
        "that do not fit together are no reason to stop",
        arguments: ["#endif a", "#else a", "#if", "#if ((("])
    func unbalanced(source: String) {
        let kept = ConditionalBlocks.compiled(of: SwiftLexer.tokens(of: source))
        #expect(kept.count <= 1)
    }
}
