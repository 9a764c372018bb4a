import Testing

@testable import TuttiPlayCommand

@Suite("Lines of commands on standard input")
struct InputLinesTests {
    /// Returns the lines of an input that comes in pieces of this size.
    private static func lines(_ bytes: [UInt8], limit: Int = 100, pieces size: Int) -> [InputLines.Line] {
        var reader = InputLines(limit: limit)
        var lines = stride(from: 0, to: bytes.count, by: size).flatMap { start in
            reader.receive(bytes[start..<min(start + size, bytes.count)])
        }
        if let last = reader.finish() { lines.append(last) }
        return lines
    }

    @Test("lines are the same however the input is cut, and the last one needs no end", arguments: 1...40)
    func cuts(size: Int) {
        let text = "pause\nseek 3\n\ninsert 0 Küche 🎵.mp3\r\nqui"
        #expect(
            Self.lines(Array(text.utf8), pieces: size) == [
                .text("pause"), .text("seek 3"), .text(""), .text("insert 0 Küche 🎵.mp3"), .text("qui"),
            ])
    }

    @Test("a line that is too long is dropped whole, and what follows it is read", arguments: 1...30)
    func tooLong(size: Int) {
        let text = "12345678\n123456789 quit\n12345678901234567890\nquit\n"
        #expect(
            Self.lines(Array(text.utf8), limit: 8, pieces: size) == [
                .text("12345678"), .tooLong, .tooLong, .text("quit"),
            ])
    }

    @Test("the end of a line of a megabyte is no command")
    func endOfLong() {
        let long = [UInt8](repeating: 0x61, count: 1 << 20) + Array(" quit\npause\n".utf8)
        #expect(Self.lines(long, limit: 16_384, pieces: 4_096) == [.tooLong, .text("pause")])
    }

    @Test("bytes that are no text do not end a line")
    func notUTF8() {
        #expect(
            Self.lines([0xFF, 0x61, 0x0A, 0xC3, 0x0A], pieces: 5) == [.text("\u{FFFD}a"), .text("\u{FFFD}")])
    }
}
