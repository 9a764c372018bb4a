import Foundation
import Testing
import TuttiCodecs
import TuttiTestMedia
import TuttiTestSupport
import TuttiWebTestSupport

@Suite("Addresses that yield no audio", .tags(.machine))
struct BadAddressesTests {
    private func error(
        _ name: String = "a.mp3",
        _ answer: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step]
    ) async throws -> MediaError? {
        let server = try ScriptedServer(answer)
        let address = server.address(name)
        return await #expect(throws: MediaError.self) {
            _ = try await elsewhere { try MediaReader(address).info }
        }
    }

    @Test("each cause has its own message")
    func words() async throws {
        var causes: [MediaError?] = []
        causes.append(try await error { _ in .answer("404 Not Found", ["Content-Length: 0"]) })
        causes.append(try await error { _ in .answer("403 Forbidden", ["Content-Length: 0"]) })
        causes.append(
            try await error { _ in .answer("302 Found", ["Location: /a.mp3", "Content-Length: 0"]) })
        causes.append(
            try await error { _ in
                [.send(Array("HTTP/1.1 200 OK\r\n".utf8)), .sendEndlessly(Array("A: b\r\n".utf8))]
            })
        causes.append(
            try await error { _ in
                .whole(Array("<!DOCTYPE html><html><body>Log in</body></html>".utf8))
            })
        causes.append(try await error { _ in .whole([]) })
        causes.append(try await error { _ in .whole(Array(repeating: 0x41, count: 5000)) })
        causes.append(try await error("list.m3u") { _ in .whole(Array("#EXTM3U\nb.mp3\n".utf8)) })
        let found = causes.map { error -> String in
            switch error {
            case .httpStatus(_, let status, _): "\(status)"
            case .redirectLoop: "loop"
            case .refused: "refused"
            case .webPage: "page"
            case .empty: "empty"
            case .notAudio: "not audio"
            case .playlist: "playlist"
            default: "\(String(describing: error))"
            }
        }
        #expect(found == ["404", "403", "loop", "refused", "page", "empty", "not audio", "playlist"])
        #expect(Set(causes.map { $0?.description ?? "" }).count == causes.count)
        for cause in causes { #expect(cause?.description.contains("\n") == false) }
    }

    @Test("a name that does not resolve is reported")
    func unknownHost() async throws {
        let error = await #expect(throws: MediaError.self) {
            _ = try await elsewhere { try MediaReader("http://no-such-host.invalid/a.mp3").info }
        }
        #expect(error == .unknownHost(name: "a.mp3 at no-such-host.invalid", host: "no-such-host.invalid"))
    }

    @Test("half a file behind an address reports that it is incomplete")
    func half() async throws {
        let folder = try TestFolder()
        try MediaFile.kind("a.flac").write(Signal.noiseFloat(frameCount: 100_000), to: folder.file("a.flac"))
        let bytes = try TestFolder.bytes(of: folder.file("a.flac"))
        let server = try ScriptedServer { .file(Array(bytes.prefix(bytes.count / 2)), to: $0) }
        let address = server.address("a.flac")
        try await elsewhere { () throws in
            let reader = try MediaReader(address)
            #expect((30_000..<70_000).contains(try DecodedRun(reader).buffer.frameCount))
            #expect(reader.warnings.count == 1)
        }
    }

    @Test("a server that breaks its promised length is reported")
    func lies() async throws {
        let folder = try TestFolder()
        try MediaFile.kind("a.wav").write(Signal.sweep(frameCount: 50_000), to: folder.file("a.wav"))
        let bytes = try TestFolder.bytes(of: folder.file("a.wav"))
        let server = try ScriptedServer { request in
            let first = min(request.range?.first ?? 0, bytes.count)
            return .answer(
                "206 Partial Content",
                [
                    "Content-Range: bytes \(first)-\(bytes.count + 999)/\(bytes.count + 1000)",
                    "Content-Length: \(bytes.count + 1000 - first)",
                ], body: Array(bytes[first...])) + [.close]
        }
        let address = server.address("a.wav")
        try await elsewhere { () throws in
            let reader = try MediaReader(address)
            #expect(try DecodedRun(reader).buffer.frameCount == 50_000)
        }
    }

    @Test("an interrupt ends a waiting open and a waiting read at once")
    func cancelled() async throws {
        let folder = try TestFolder()
        try MediaFile.kind("a.flac").write(Signal.noiseFloat(frameCount: 200_000), to: folder.file("a.flac"))
        let bytes = try TestFolder.bytes(of: folder.file("a.flac"))
        let gate = ScriptedServer.Gate()
        let interrupt = MediaInterrupt()
        let server = try ScriptedServer { request in
            if request.path == "/silent" {
                interrupt.cancel()
                return [.wait(gate)]
            }
            let steps = [ScriptedServer.Step].file(bytes, to: request)
            guard case .send(let all)? = steps.first else { return steps }
            return [.send(Array(all.prefix(100_000))), .wait(gate)]
        }
        let (silent, half) = (server.address("silent"), server.address("a.flac"))
        await #expect(throws: MediaError.cancelled) {
            _ = try await elsewhere { try MediaReader(silent, interrupt: interrupt).info }
        }

        let second = MediaInterrupt()
        try await elsewhere { () throws in
            let reader = try MediaReader(half, interrupt: second)
            Thread { second.cancel() }.start()
            #expect(throws: MediaError.cancelled) { while try reader.nextPacket() != nil {} }
        }
    }
}
