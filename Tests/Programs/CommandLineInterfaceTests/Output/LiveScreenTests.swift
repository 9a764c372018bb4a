import Testing

@testable import TuttiCommandLineInterface

@Suite("Lines drawn over themselves")
struct LiveScreenTests {
    @Test("the next frame starts where the last one did and clears what is left")
    func frames() {
        var screen = LiveScreen()
        let size = Terminal.Size(columns: 20, rows: 10)
        #expect(screen.frame(["one", "two"], size: size) == "\rone\u{1B}[K\ntwo\u{1B}[K\n\u{1B}[J")
        #expect(screen.frame(["three"], size: size) == "\u{1B}[2A\rthree\u{1B}[K\n\u{1B}[J")
        #expect(screen.frame([], size: size) == "\u{1B}[1A\r\u{1B}[J")
    }

    @Test("never more lines or columns than the terminal has", arguments: [1, 2, 3, 24])
    func limits(rows: Int) {
        var screen = LiveScreen()
        let lines = (1...40).map { _ in String(repeating: "客", count: 100) }
        for _ in 0..<2 {
            let frame = screen.frame(lines, size: Terminal.Size(columns: 21, rows: rows))
            #expect(frame.count(where: { $0 == "\n" }) == max(1, rows - 1))
            #expect(!frame.contains(String(repeating: "客", count: 10)))
        }
    }
}
