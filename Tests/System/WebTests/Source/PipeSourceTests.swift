import Foundation
import Glibc
import Testing

@testable import TuttiWeb

@Suite("Bytes of a pipe")
struct PipeSourceTests {
    private let path = NSTemporaryDirectory() + "tutti-pipe-\(UUID().uuidString)"

    private func read(_ source: PipeSource, _ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let used = try bytes.withUnsafeMutableBytes { try source.read(into: $0) }
        return Array(bytes[..<used])
    }

    private func file(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    @Test("bytes come after the prefix, once and in order, and the reader may look at the beginning twice")
    func order() throws {
        try file(Array(0..<200))
        defer { unlink(path) }
        let source = PipeSource(path: path, name: "a", prefix: [250, 251])
        _ = try source.open()
        #expect(try read(source, 2) == [250, 251] && source.position == 2)
        #expect(try read(source, 100) == Array(0..<100))
        source.seek(to: 0)
        #expect(try read(source, 3) == [250, 251, 0])
        source.seek(to: 200)
        #expect(try read(source, 100) == [198, 199])
        #expect(try read(source, 100) == [])
        #expect(throws: WebError.self) { try source.open() }
    }

    @Test("bytes far behind the reader are gone")
    func window() throws {
        try file([UInt8](repeating: 7, count: 2 << 20))
        defer { unlink(path) }
        let source = PipeSource(path: path, name: "a")
        source.keep(1000)
        _ = try source.open()
        while try !read(source, 100_000).isEmpty {}
        #expect(source.ranges[0].lowerBound > 1 << 20 && source.position == 2 << 20)
        source.seek(to: 0)
        #expect(throws: WebError.noRanges) { try read(source, 1) }
    }

    @Test("a cancelled read ends, and a missing file has a reason")
    func cancelled() throws {
        mkfifo(path, 0o600)
        defer { unlink(path) }
        let source = PipeSource(path: path, name: "a")
        _ = try source.open()
        source.cancel()
        #expect(throws: WebError.cancelled) { try read(source, 1) }
        #expect(throws: WebError.self) { try PipeSource(path: path + "x", name: "a").open() }
    }
}
