import Glibc
import Testing

@testable import TuttiCommandLineInterface

@Suite(
    "Raw mode of a terminal", .serialized,
    .enabled(if: access("/dev/ptmx", R_OK | W_OK) == 0, "needs /dev/ptmx"))
struct RawModeTests {
    /// The two ends of a terminal that exists only in memory.
    static func pseudoTerminal() throws -> (controller: Int32, terminal: Int32) {
        let controller = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard controller >= 0, ioctl(controller, Self.setLock, &isLocked) == 0,
            ioctl(controller, Self.getNumber, &number) == 0
        else { throw UsageError("no pseudo terminal") }
        let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        guard terminal >= 0 else { throw UsageError("no pseudo terminal") }
        return (controller, terminal)
    }

    /// `TIOCSPTLCK` and `TIOCGPTN`, which Swift does not see.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    static func isRaw(_ descriptor: Int32) -> Bool {
        var mode = termios()
        tcgetattr(descriptor, &mode)
        return mode.c_lflag & tcflag_t(ICANON | ECHO) == 0
    }

    static func isRawWithRawMode(_ descriptor: Int32) -> Bool {
        guard let mode = RawMode(descriptor) else { return false }
        defer { extendLifetime(mode) }
        return isRaw(descriptor)
    }

    @Test("is on while the value lives, off after it, and on again for the next")
    func lifetime() throws {
        let ends = try Self.pseudoTerminal()
        defer { for end in [ends.controller, ends.terminal] { close(end) } }
        for _ in 0..<2 {
            #expect(!Self.isRaw(ends.terminal))
            #expect(Self.isRawWithRawMode(ends.terminal))
        }
        #expect(!Self.isRaw(ends.terminal))
    }

    @Test("only one at a time, and only on a terminal")
    func refused() throws {
        let ends = try Self.pseudoTerminal()
        defer { for end in [ends.controller, ends.terminal] { close(end) } }
        let null = open("/dev/null", O_RDWR)
        defer { close(null) }
        guard let first = RawMode(ends.terminal) else { throw UsageError("no raw mode") }
        #expect(!Self.isRawWithRawMode(ends.terminal))
        #expect(Self.isRaw(ends.terminal))
        extendLifetime(first)
        #expect(!Self.isRawWithRawMode(null))
        #expect(!Terminal.isTTY(null) && Terminal.isTTY(ends.terminal))
    }

    @Test("the size of a terminal, or nothing")
    func size() throws {
        let ends = try Self.pseudoTerminal()
        defer { for end in [ends.controller, ends.terminal] { close(end) } }
        #expect(Terminal.size(ends.terminal) == nil)
        var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(ends.terminal, UInt(TIOCSWINSZ), &size)
        #expect(Terminal.size(ends.terminal) == Terminal.Size(columns: 80, rows: 24))
        #expect(Terminal.size(-1) == nil)
    }
}
