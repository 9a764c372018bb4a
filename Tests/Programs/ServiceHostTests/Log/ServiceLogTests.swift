import Glibc
import Testing
import TuttiMediaTime

@testable import TuttiServiceHost

@Suite("The log of a service")
struct ServiceLogTests {
    @Test("messages of the level and above are written in order")
    func levels() throws {
        let pipe = try LogPipe()
        let log = ServiceLog(level: .notice, to: pipe.writeEnd, .journal)
        log.error("one")
        log.warning("two")
        log.notice("three")
        log.info("never")
        log.debug("\(Self.fail())")
        log.level = .debug
        log.debug("four")
        #expect(log.flush(within: .seconds(60)))
        #expect(pipe.text() == "<3>one\n<4>two\n<5>three\n<7>four\n")
    }

    private static func fail() -> String {
        Issue.record("a message below the level was evaluated")
        return ""
    }

    @Test("one kind beyond its rate is told of once, when its window has ended")
    func rate() throws {
        let pipe = try LogPipe()
        let log = ServiceLog(level: .info, to: pipe.writeEnd, .journal)
        let start = HostTime(nanoseconds: .max / 2)
        for _ in 0..<50 { log.append(.notice, "lost", kind: "room.lost", now: start) }
        log.tellSurplus(at: start.advanced(by: .seconds(9)))
        log.append(.info, "other", kind: "other", now: start.advanced(by: .seconds(9)))
        log.tellSurplus(at: start.advanced(by: .seconds(10)))
        #expect(log.flush(within: .seconds(60)))
        let lost = String(repeating: "<5>lost\n", count: 20)
        #expect(pipe.text() == lost + "<6>other\n<5>… 30 more like this (room.lost)\n")
    }

    @Test("a reader that stands still costs lines, which are counted, and never blocks the caller")
    func slowReader() throws {
        let pipe = try LogPipe()
        let log = ServiceLog(level: .info, to: pipe.writeEnd, .journal)
        let message = String(repeating: "x", count: 1000)
        for number in 0..<2000 {
            log.append(.info, message, kind: "\(number)", now: HostTime(nanoseconds: 0))
        }
        #expect(!log.flush(within: .zero))
        var text = ""
        // Each read frees room for the next write; the pipe is empty for good when a flush has ended.
        while !log.flush(within: .milliseconds(1)) { text += pipe.text() }
        text += pipe.text()
        let lines = text.split(separator: "\n")
        let written = lines.count { $0.hasSuffix("x") }
        let dropped = lines.compactMap { line in
            line.hasPrefix("<4>… ") ? Int(line.dropFirst(5).prefix { $0.isNumber }) : nil
        }
        #expect(written < 2000)
        #expect(written + dropped.reduce(0, +) == 2000)
    }

    @Test("a log whose reader has gone drops its lines")
    func closedReader() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = try LogPipe()
        let log = ServiceLog(level: .info, to: pipe.writeEnd, .journal)
        pipe.closeReader()
        log.error("unheard")
        #expect(log.flush(within: .seconds(60)))
    }
}

/// A pipe in place of standard error.
private final class LogPipe {
    private var readEnd: Int32
    let writeEnd: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        (readEnd, writeEnd) = (ends[0], ends[1])
        _ = fcntl(readEnd, F_SETFL, O_NONBLOCK)
    }

    deinit {
        closeReader()
        close(writeEnd)
    }

    func closeReader() {
        if readEnd >= 0 { close(readEnd) }
        readEnd = -1
    }

    /// Takes everything that has arrived.
    func text() -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(readEnd, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer.prefix(count)
        }
    }
}
