import Testing
import TuttiTestSupport

@testable import TuttiCommandLineInterface

@Suite("Keys from the bytes of a terminal")
struct KeyDecoderTests {
    static let keys: [(String, [Key])] = [
        (" ", [.character(" ")]), ("a", [.character("a")]), ("Q", [.character("Q")]),
        ("+", [.character("+")]),
        ("ä", [.character("ä")]), ("客", [.character("客")]), ("🎵", [.character("🎵")]),
        ("\u{1B}[A", [.up]), ("\u{1B}[B", [.down]), ("\u{1B}[C", [.right]), ("\u{1B}[D", [.left]),
        ("\u{1B}OA", [.up]), ("\u{1B}OB", [.down]), ("\u{1B}OC", [.right]), ("\u{1B}OD", [.left]),
        ("\u{1B}[H", [.home]), ("\u{1B}[F", [.end]), ("\u{1B}[1~", [.home]), ("\u{1B}[4~", [.end]),
        ("\u{1B}[5~", [.pageUp]), ("\u{1B}[6~", [.pageDown]), ("\u{1B}[3~", [.delete]),
        ("\u{1B}[1;5C", [.right]), ("\u{1B}[3;2~", [.delete]),
        ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]),
        ("\u{4}", [.control("d")]), ("\u{0}", []),
        ("\u{1B}[200~x", [.character("x")]), ("\u{1B}[Zx", [.character("x")]),
        ("\u{1B}x", [.escape, .character("x")]), ("\u{1B}\u{1B}[A", [.escape, .up]),
        ("a\u{1B}[Ab\u{1B}[B ", [.character("a"), .up, .character("b"), .down, .character(" ")]),
        ("\u{1B}[\u{1B}[A", [.up]), ("\u{1B}[1\rx", [.enter, .character("x")]),
    ]

    @Test("whole", arguments: keys)
    func whole(text: String, expected: [Key]) {
        var decoder = KeyDecoder()
        #expect(decoder.receive(text.utf8) == expected)
        #expect(decoder.finish().isEmpty)
    }

    @Test("do not depend on where the bytes are cut", arguments: keys)
    func anyCut(text: String, expected: [Key]) {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var decoder = KeyDecoder()
            let first = decoder.receive(bytes[..<cut])
            #expect(first + decoder.receive(bytes[cut...]) == expected)
        }
    }

    @Test("a lone escape is the escape key after a pause; any other piece is nothing")
    func pause() {
        var decoder = KeyDecoder()
        #expect(decoder.receive([0x1B]).isEmpty)
        #expect(decoder.isWaiting)
        #expect(decoder.finish() == [.escape])
        #expect(!decoder.isWaiting)
        for piece: [UInt8] in [[0x1B, 0x5B], [0x1B, 0x5B, 0x31], [0xC3], [0xF0, 0x9F]] {
            #expect(decoder.receive(piece).isEmpty)
            #expect(decoder.isWaiting)
            #expect(decoder.finish().isEmpty)
        }
        #expect(decoder.receive([0x61]) == [.character("a")])
    }

    static let broken: [([UInt8], [Key])] = [
        ([0xFF, 0x61], [.character("a")]), ([0x80, 0x61], [.character("a")]),
        ([0xC0, 0x61], [.character("a")]),
        ([0xC3, 0x61], [.character("a")]), ([0xE5, 0xAE, 0x61], [.character("a")]),
        ([0xE0, 0x80, 0x80, 0x61], [.character("a")]), ([0xED, 0xA0, 0x80, 0x61], [.character("a")]),
        ([0xF4, 0xBF, 0xBF, 0xBF, 0x61], [.character("a")]), ([0xC3, 0x1B, 0x5B, 0x41], [.up]),
    ]

    @Test("bytes that are no text are skipped, what follows is read", arguments: broken)
    func notUTF8(bytes: [UInt8], expected: [Key]) {
        var decoder = KeyDecoder()
        #expect(decoder.receive(bytes) == expected)
    }

    @Test("a sequence without an end does not grow, and keys come again after it")
    func endless() {
        var decoder = KeyDecoder()
        _ = decoder.receive([0x1B, 0x5B] + [UInt8](repeating: 0x31, count: 14))
        #expect(!decoder.isWaiting)
        #expect(decoder.receive([0x61]) == [.character("a")])
    }

    @Test("noise does no harm")
    func noise() {
        var random = SeededGenerator(seed: 11)
        var decoder = KeyDecoder()
        for _ in 0..<20_000 { _ = decoder.receive([UInt8.random(in: 0...255, using: &random)]) }
        _ = decoder.finish()
        #expect(decoder.receive([0x61]) == [.character("a")])
    }
}
