import Foundation
import Testing
import TuttiTestSupport

@testable import TuttiViews

/// The two ends of a pseudoterminal.
private final class PseudoTerminal: Sendable {
    struct Missing: Error {}

    let controller: Int32
    let path: String

    init() throws {
        controller = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard controller >= 0, ioctl(controller, Self.setLock, &isLocked) == 0,
            ioctl(controller, Self.getNumber, &number) == 0
        else { throw Missing() }
        path = "/dev/pts/\(number)"
    }

    /// `TIOCSPTLCK` and `TIOCGPTN`, which Swift does not import.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    deinit { close(controller) }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(controller, bytes, bytes.count)
    }

    /// Returns the terminal's output; waits until there is some.
    func shown(until end: String) -> String {
        var text = ""
        while !text.contains(end) {
            var buffer = [UInt8](repeating: 0, count: 1024)
            let count = read(controller, &buffer, buffer.count)
            guard count > 0 else { break }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return text
    }

    var isEchoing: Bool {
        var mode = termios()
        tcgetattr(controller, &mode)
        return mode.c_lflag & tcflag_t(ECHO) != 0
    }
}

@Suite(
    "The controlling terminal", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: access("/dev/ptmx", R_OK | W_OK) == 0, "needs /dev/ptmx"))
struct ControllingTerminalTests {
    @Test("lines are read as typed, also ahead of the question")
    func lines() async throws {
        let pseudo = try PseudoTerminal()
        let terminal = try #require(ControllingTerminal(path: pseudo.path))
        pseudo.type("one\ntwo\n")
        #expect(await terminal.readLine(isSecret: false) == "one")
        #expect(await terminal.readLine(isSecret: false) == "two")
        let third = Task { await terminal.readLine(isSecret: false) }
        pseudo.type("thr")
        pseudo.type("ee\n")
        #expect(await third.value == "three")
        #expect(pseudo.shown(until: "three").contains("three"))
    }

    @Test("output appears on the terminal")
    func writing() throws {
        let pseudo = try PseudoTerminal()
        let terminal = try #require(ControllingTerminal(path: pseudo.path))
        terminal.write("Häuser\n")
        #expect(pseudo.shown(until: "\n") == "Häuser\r\n")
    }

    @Test("a secret is not echoed, earlier input is discarded, and the mode is restored")
    func secret() async throws {
        let pseudo = try PseudoTerminal()
        let terminal = try #require(ControllingTerminal(path: pseudo.path))
        pseudo.type("before")
        _ = pseudo.shown(until: "before")
        let reading = Task { await terminal.readLine(isSecret: true) }
        while pseudo.isEchoing { await Task.yield() }
        pseudo.type("sesamx\u{7F}e\r")
        #expect(await reading.value == "sesame")
        #expect(pseudo.isEchoing)
        terminal.write("end")
        #expect(!pseudo.shown(until: "end").contains("ses"))
    }

    @Test("Ctrl-C cancels a secret and nothing else", arguments: ["\u{3}", "abc\u{3}", "\u{4}"])
    func givenUp(typed: String) async throws {
        let pseudo = try PseudoTerminal()
        let terminal = try #require(ControllingTerminal(path: pseudo.path))
        let reading = Task { await terminal.readLine(isSecret: true) }
        while pseudo.isEchoing { await Task.yield() }
        pseudo.type(typed)
        #expect(await reading.value == nil)
        #expect(pseudo.isEchoing)
    }

    @Test("the end of input and a cancelled task end the reading")
    func ends() async throws {
        let pseudo = try PseudoTerminal()
        let terminal = try #require(ControllingTerminal(path: pseudo.path))
        pseudo.type("\u{4}")
        #expect(await terminal.readLine(isSecret: false) == nil)
        let reading = Task { await terminal.readLine(isSecret: false) }
        reading.cancel()
        #expect(await reading.value == nil)
        let hidden = Task { await terminal.readLine(isSecret: true) }
        hidden.cancel()
        #expect(await hidden.value == nil)
        #expect(pseudo.isEchoing)
        pseudo.type("still\n")
        #expect(await terminal.readLine(isSecret: false) == "still")
    }

    @Test("a closed terminal ends the reading")
    func gone() async throws {
        var pseudo: PseudoTerminal? = try PseudoTerminal()
        let terminal = try #require(ControllingTerminal(path: pseudo?.path ?? ""))
        pseudo = nil
        #expect(await terminal.readLine(isSecret: false) == nil)
        terminal.write("nobody sees this")
    }

    @Test("a non-terminal is refused, and leaves nothing open")
    func none() throws {
        let file = NSTemporaryDirectory() + "no-terminal-\(UUID().uuidString)"
        #expect(FileManager.default.createFile(atPath: file, contents: nil))
        defer { try? FileManager.default.removeItem(atPath: file) }
        #expect(ControllingTerminal(path: file) == nil)
        #expect(ControllingTerminal(path: "/dev/null") == nil)
        #expect(ControllingTerminal(path: "/nowhere") == nil)
        // Other tests open and close descriptors meanwhile.
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == file
        }
        #expect(open.isEmpty)
    }
}
