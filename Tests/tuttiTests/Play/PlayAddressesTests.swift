import AVFoundation
import TestSupport
import Testing
import WebTestSupport

@testable import tutti

@Suite("Addresses on one timeline")
struct PlayAddressesTests {
    /// What a queue brings, without what it brings only later.
    private func play(_ queue: PlayQueue, steps: Int = .max) async throws -> [String] {
        var story: [String] = []
        var expected: Int64?
        while story.count < steps {
            switch queue.next() {
            case .later: await Task.yield()
            case .buffer(let buffer):
                let start = buffer.outputPresentationTimeStamp.convertScale(44_100, method: .default).value
                if start != expected { story.append("sound from \(start)") }
                expected = start + Int64(buffer.numSamples)
            case .began(let index): story.append("began \(index)")
            case .failed(let index, _): story.append("failed \(index)")
            case .warned: story.append("warned")
            case .title(_, let title, _): story.append(title.title)
            case .endOfQueue:
                if let expected { story.append("to \(expected)") }
                return story + ["end"]
            }
        }
        return story
    }

    private func waves(_ lengths: [Int]) throws -> [[UInt8]] {
        let folder = try MusicFolder()
        return try lengths.map { length in
            let path = try folder.addWave("\(length).wav", frameCount: length)
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        }
    }

    @Test("follow each other without a gap, with what is not there passed over, and a jump")
    func continuous() async throws {
        let files = try waves([100_000, 50_001])
        let server = try ScriptedServer { request in
            switch request.path {
            case "/0": .file(files[0], to: request)
            case "/1": .file(files[1], to: request)
            default: .answer("404 Not Found", ["Content-Length: 0"])
            }
        }
        let queue = PlayQueue(paths: ["0", "none", "1"].map(server.address))
        #expect(
            try await play(queue) == ["began 0", "sound from 0", "failed 1", "began 2", "to 150001", "end"])
        let place = CMTime(value: 90_000, timescale: 44_100)
        #expect(queue.jump(to: 0, position: place) == place)
        #expect(
            try await play(queue)
                == ["began 0", "sound from 90000", "failed 1", "began 2", "to 150001", "end"])
    }

    @Test(
        "an address that turns out to be a list gives its place to what it names; lists in it are not followed"
    )
    func list() async throws {
        let files = try waves([20_000, 30_000])
        let server = try ScriptedServer { request in
            switch request.path {
            case "/listen": .whole(Array("#EXTM3U\n#EXTINF:1,First\n0\n1\nlisten\n".utf8))
            case "/0": .file(files[0], to: request)
            default: .file(files[1], to: request)
            }
        }
        let queue = PlayQueue(paths: [server.address("listen")])
        #expect(
            try await play(queue) == ["began 0", "sound from 0", "began 1", "failed 2", "to 50000", "end"])
        #expect(queue.items.map(\.title) == ["First", nil, nil])
    }

    @Test("an edit while an address is waited for leaves it")
    func edit() async throws {
        let files = try waves([20_000])
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer { request in
            request.path == "/slow" ? [.wait(gate)] : .file(files[0], to: request)
        }
        let queue = PlayQueue(paths: [server.address("slow"), server.address("0")])
        if case .later = queue.next() {} else { Issue.record("it did not wait") }
        _ = try await server.requests.wait(for: "request") { $0.first.map { _ in true } }
        #expect(queue.remove(0) == nil)
        #expect(try await play(queue) == ["began 0", "sound from 0", "to 20000", "end"])
    }
}
