import Testing
import TuttiCodecs
import TuttiPCM
import TuttiTestMedia
import TuttiTestSupport
import TuttiWebTestSupport

@Suite("Radio stations", .tags(.machine))
struct RadioTests {
    /// An MP3 stream with interleaved titles, as SHOUTcast sends it.
    static func stream(_ bytes: [UInt8], interval: Int, titles: [Int: String]) -> [UInt8] {
        var stream: [UInt8] = []
        for (index, start) in stride(from: 0, to: bytes.count, by: interval).enumerated() {
            stream += bytes[start..<min(start + interval, bytes.count)]
            guard start + interval <= bytes.count else { break }
            let text = titles[index].map { Array("StreamTitle='\($0)';".utf8) } ?? []
            let blocks = (text.count + 15) / 16
            stream += [UInt8(blocks)] + text + [UInt8](repeating: 0, count: blocks * 16 - text.count)
        }
        return stream
    }

    static func mp3(_ frameCount: Int) throws -> [UInt8] {
        let folder = try TestFolder()
        try MediaFile.kind("cbr.mp3").write(Signal.sweep(frameCount: frameCount), to: folder.file("cbr.mp3"))
        return try TestFolder.bytes(of: folder.file("cbr.mp3"))
    }

    @Test("stations are live and named, and report titles with their start times")
    func titles() async throws {
        let file = try Self.mp3(44_100 * 8)
        let body = Self.stream(
            file, interval: 8000, titles: [0: "First", 10: "It's second", 11: "It's second"])
        let server = try ScriptedServer { request in
            request.number == 0
                ? .answer(
                    "200 OK",
                    [
                        "Content-Type: audio/mpeg", "icy-name: Radio Tutti", "icy-genre: Jazz",
                        "icy-metaint: 8000",
                    ], body: body) + [.close]
                : .answer("404 Not Found", ["Content-Length: 0"])
        }
        let address = server.address("live")
        try await elsewhere { () throws in
            let interrupt = MediaInterrupt()
            let reader = try MediaReader(address, interrupt: interrupt, timeLimit: .seconds(3))
            #expect(reader.info.isLive && reader.info.frameCount == nil && !reader.info.isSeekable)
            #expect(reader.info.tags.title == "Radio Tutti" && reader.info.tags.genre == "Jazz")
            var (titles, count) = ([TimedTitle](), 0)
            while titles.count < 2, let packet = try reader.nextPacket() {
                titles += reader.takeTimedTitles()
                count += packet.duration
            }
            #expect(titles.map(\.title) == ["First", "It's second"])
            #expect(titles.first.map { $0.frame <= 0 } == true)
            // 88,000 bytes of 192 kbit/s.
            let expected = Int64(88_000 * 44_100 / 24_000)
            #expect(titles.last.map { abs($0.frame - expected) < 3000 } == true, "\(titles)")
        }
    }

    @Test("a dropped station reconnects and reports it")
    func reconnects() async throws {
        let file = try Self.mp3(44_100 * 3)
        let server = try ScriptedServer { request in
            .answer("200 OK", ["Content-Type: audio/mpeg", "icy-name: x"], body: file) + [.close]
        }
        let address = server.address("live")
        try await elsewhere { () throws in
            let reader = try MediaReader(address)
            var last: Int64?
            while (last ?? 0) < 44_100 * 8, let packet = try reader.nextPacket() {
                if let last { #expect(packet.timestamp == last) }
                last = packet.endTimestamp
            }
            #expect(reader.warnings.contains { if case .interrupted = $0 { true } else { false } })
        }
        #expect(server.requests.value.count >= 3)
    }

    @Test("a SHOUTcast status line is understood")
    func oldServer() async throws {
        let file = try Self.mp3(44_100)
        let server = try ScriptedServer { _ in
            [.send(Array("ICY 200 OK\r\nicy-name:Old\r\nContent-Type:audio/mpeg\r\n\r\n".utf8) + file)]
        }
        let address = server.address("live")
        let info = try await elsewhere { try MediaReader(address).info }
        #expect(info.isLive && info.tags.title == "Old" && info.codec == .mp3)
    }
}
