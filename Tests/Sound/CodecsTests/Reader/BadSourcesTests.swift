import Foundation
import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM
import TuttiTestMedia
import TuttiTestSupport

@Suite("Deceptive sources")
struct BadSourcesTests {
    @Test("each cause has its own message")
    func words() throws {
        let folder = try TestFolder()
        _ = try folder.write([], to: "empty.mp3")
        _ = try folder.write(Array("This is a letter, not a song.\n".utf8), to: "letter.m4a")
        _ = try folder.write(Array("#EXTM3U\n/etc/passwd\n".utf8), to: "list.m3u8")
        _ = try folder.write(Array("ffconcat version 1.0\nfile /etc/passwd\n".utf8), to: "script.ffconcat")
        let cases: [(String, MediaError)] = [
            (folder.file("missing.flac"), .notFound(name: "missing.flac")), ("", .notFound(name: "")),
            ("a\0b", .notFound(name: "a\0b")),
            (folder.path, .isDirectory(name: String(folder.path.split(separator: "/").last ?? ""))),
            ("/dev/null", .notAFile(name: "null")), (folder.file("empty.mp3"), .empty(name: "empty.mp3")),
            (folder.file("letter.m4a"), .notAudio(name: "letter.m4a")),
            (folder.file("list.m3u8"), .notAudio(name: "list.m3u8")),
            (folder.file("script.ffconcat"), .notAudio(name: "script.ffconcat")),
            ("concat:/etc/passwd|/etc/group", .notFound(name: "group")),
            ("pipe:0", .notFound(name: "pipe:0")),
        ]
        var lines: Set<String> = []
        for (path, error) in cases {
            #expect(throws: error) { try MediaReader(path) }
            #expect(!error.description.contains("\n"))
            lines.insert(error.description)
        }
        #expect(lines.count == cases.count)
    }

    @Test("a 16 GB file without a packet is read only up to a limit")
    func noPackets() throws {
        let folder = try TestFolder()
        let path = try folder.write([], to: "zeros.mp3")
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        // A sparse region: no room on disk, but in memory.
        try file.truncate(atOffset: 1 << 34)
        #expect(throws: MediaError.notAudio(name: "zeros.mp3")) { try MediaReader(path) }
    }

    @Test("audio before 16 GB of zeros plays, and ends with a warning")
    func soundAndThenNothing() throws {
        let folder = try TestFolder()
        try MediaFile.kind("cbr.mp3").write(Signal.sweep(frameCount: 441_000), to: folder.file("a.mp3"))
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.file("a.mp3")))
        try file.truncate(atOffset: 1 << 34)
        let reader = try MediaReader(folder.file("a.mp3"))
        var frames = 0
        while let packet = try reader.nextPacket() { frames += packet.duration }
        #expect((440_000..<450_000).contains(frames))
        let words = reader.warnings.map(\.description).joined()
        #expect(words.contains("no audio was found in 68 MiB of it"))
    }

    @Test("a packet table that would exhaust memory is refused")
    func tableBomb() throws {
        let folder = try TestFolder()
        try MediaFile.kind("aac.m4a").write(Signal.sweep(frameCount: 20_000), to: folder.file("a.m4a"))
        var bytes = try TestFolder.bytes(of: folder.file("a.m4a"))
        let name = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("stsz".utf8)) })
        // Packets of one byte, 170 million of them.
        bytes.replaceSubrange(name + 8..<name + 16, with: [0, 0, 0, 1, 0x0A, 0x21, 0xFE, 0x80])
        let path = try folder.write(bytes, to: "bomb.m4a")
        #expect(throws: MediaError.self) { try MediaReader(path) }
    }

    @Test("a server that does not answer is unreachable, and its credentials stay hidden")
    func unreachable() throws {
        let error = #expect(throws: MediaError.self) {
            try MediaReader(
                "http://user:secret@127.0.0.1:9/album/song.mp3?token=secret", timeLimit: .seconds(5))
        }
        guard case .unreachable(let name, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(name == "song.mp3 at 127.0.0.1:9")
        #expect(!"\(String(describing: error))".contains("secret"))
    }

    @Test("a cancelled interrupt ends every call")
    func cancelled() throws {
        let folder = try TestFolder()
        try MediaFile.kind("a.flac").write(Signal.sweep(frameCount: 50_000), to: folder.file("a.flac"))
        let interrupt = MediaInterrupt()
        let reader = try MediaReader(folder.file("a.flac"), interrupt: interrupt)
        _ = try reader.nextPacket()
        interrupt.cancel()
        #expect(throws: MediaError.cancelled) { try reader.seek(toFrame: 1000) }
        #expect(throws: MediaError.cancelled) { try MediaReader(folder.file("a.flac"), interrupt: interrupt) }
    }

    @Test(
        "a truncated file fails with a message or plays what it has", arguments: MediaFile.kinds.map(\.name))
    func truncated(name: String) throws {
        let folder = try TestFolder()
        try MediaFile.kind(name).write(
            Signal.sweep(frameCount: 100_000, rate: WholeFilesTests.rate(name)), to: folder.file(name))
        let bytes = try TestFolder.bytes(of: folder.file(name))
        let whole = try DecodedRun(path: folder.file(name)).buffer
        var generator = SeededGenerator(seed: 1)
        let cuts =
            [1, 7, 40, 100, 1000, bytes.count - 1]
            + (0..<20).map { _ in Int.random(in: 1..<bytes.count, using: &generator) }
        for cut in cuts where cut < bytes.count {
            let path = try folder.write(Array(bytes.prefix(cut)), to: "cut-" + name)
            guard let reader = try? MediaReader(path) else { continue }
            let run = try DecodedRun(reader)
            #expect(run.buffer.frameCount <= whole.frameCount + 4096, "cut at \(cut)")
            try reader.seek(toFrame: 1000)
            _ = try DecodedRun(reader)
        }
    }

    @Test("half a file reports that it is incomplete", arguments: ["a.flac", "cbr.mp3", "vbr.mp3"])
    func half(name: String) throws {
        let folder = try TestFolder()
        try MediaFile.kind(name).write(Signal.noiseFloat(frameCount: 100_000), to: folder.file(name))
        let bytes = try TestFolder.bytes(of: folder.file(name))
        let path = try folder.write(Array(bytes.prefix(bytes.count / 2)), to: "half-" + name)
        let reader = try MediaReader(path)
        let run = try DecodedRun(reader)
        #expect((30_000..<70_000).contains(run.buffer.frameCount))
        #expect(reader.warnings.count == 1)
        #expect(reader.warnings.allSatisfy { $0.description.hasPrefix("the file is incomplete: it ") })
    }

    @Test("an MP4 file without its end is reported as damaged")
    func halfMovie() throws {
        let folder = try TestFolder()
        try MediaFile.kind("aac.m4a").write(Signal.sweep(frameCount: 100_000), to: folder.file("aac.m4a"))
        let bytes = try TestFolder.bytes(of: folder.file("aac.m4a"))
        let path = try folder.write(Array(bytes.prefix(bytes.count / 2)), to: "half.m4a")
        #expect(throws: MediaError.damaged(name: "half.m4a")) { try MediaReader(path) }
    }

    @Test(
        "mutated bytes never trap, hang or lengthen the audio",
        arguments: MediaFile.kinds.map(\.name))
    func corrupted(name: String) throws {
        let folder = try TestFolder()
        try MediaFile.kind(name).write(
            Signal.sweep(frameCount: 60_000, rate: WholeFilesTests.rate(name)), to: folder.file(name))
        let bytes = try TestFolder.bytes(of: folder.file(name))
        var generator = SeededGenerator(seed: 2)
        for round in 0..<20 {
            var changed = bytes
            for _ in 0..<(1 + round * 3) {
                changed[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            let path = try folder.write(changed, to: "bad-" + name)
            guard let reader = try? MediaReader(path), let run = try? DecodedRun(reader) else { continue }
            #expect(run.buffer.frameCount < 10_000_000)
            try? reader.seek(toFrame: 20_000)  // may be refused, but must return
            _ = try? DecodedRun(reader)
        }
    }

    @Test(
        "random bytes are refused, whatever the extension",
        arguments: [
            "mp3", "m4a", "aac", "flac", "wav", "aiff", "ogg", "opus", "webm", "caf", "wma", "ape", "txt", "",
        ])
    func random(ending: String) throws {
        let folder = try TestFolder()
        var generator = SeededGenerator(seed: UInt64(ending.utf8.reduce(7) { $0 * 31 + Int($1) }))
        for size in [1, 100, 5000, 100_000] {
            let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let path = try folder.write(bytes, to: "noise." + ending)
            do {
                _ = try DecodedRun(path: path)
            } catch let error as MediaError {
                #expect(
                    error == .notAudio(name: "noise." + ending) || error == .damaged(name: "noise." + ending))
            } catch {
                #expect(error is CodecError)
            }
        }
    }

    @Test(
        "a corrupt packet becomes silence of its length, and is counted",
        arguments: ["a.flac", "aac.m4a", "alac.m4a"])
    func garbagePacket(name: String) throws {
        let folder = try TestFolder()
        try MediaFile.kind(name).write(Signal.sweep(frameCount: 60_000), to: folder.file(name))
        let reader = try MediaReader(folder.file(name))
        let decoder = try AudioDecoder(reader.info.stream)
        var output = PCMBuffer(format: decoder.outputFormat)
        var count = 0
        while var packet = try reader.nextPacket() {
            count += 1
            if count == 5 { packet.payload = [UInt8](repeating: 0xFF, count: 40) }
            if let audio = decoder.decode(packet) {
                #expect(audio.timestamp == Int64(output.frameCount))
                output.append(audio.buffer)
            }
        }
        if let audio = decoder.drain() { output.append(audio.buffer) }
        #expect(output.frameCount == 60_000)
        #expect(decoder.corruptPacketCount == 1)
    }
}
