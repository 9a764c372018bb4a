import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM
import TuttiTestMedia
import TuttiTestSupport
import TuttiWebTestSupport

@Suite("Remote files decode as local ones do", .tags(.machine))
struct RemoteFilesTests {
    enum Ways: CaseIterable, Sendable {
        case ranges, noRanges, noLength, drops
    }

    static func answer(_ bytes: [UInt8], _ way: Ways, _ request: ScriptedServer.Request) -> [ScriptedServer
        .Step]
    {
        switch way {
        case .ranges: return .file(bytes, to: request)
        case .noRanges: return .whole(bytes)
        case .noLength: return .answer("200 OK", body: bytes) + [.close]
        case .drops:
            let steps = [ScriptedServer.Step].file(bytes, to: request)
            // Two of three responses end midway.
            guard request.number % 3 != 2, case .send(let bytes)? = steps.first else { return steps }
            return [.send(Array(bytes.prefix(bytes.count / 2 + 300))), .close]
        }
    }

    static let cases = MediaFile.kinds.map(\.name).flatMap { name in Ways.allCases.map { (name, $0) } }

    @Test("a remote file decodes frame for frame", arguments: cases)
    func same(name: String, way: Ways) async throws {
        let folder = try TestFolder()
        let path = folder.file(name)
        try MediaFile.kind(name).write(
            Signal.sweep(frameCount: 100_000, rate: WholeFilesTests.rate(name)), to: path)
        let bytes = try TestFolder.bytes(of: path)
        let server = try ScriptedServer { Self.answer(bytes, way, $0) }
        let address = server.address(name)
        try await elsewhere { () throws in
            let here = try MediaReader(path)
            // The index of such a file is at its end, and can only be read with a known length.
            guard let there = try? MediaReader(address) else {
                #expect(way == .noLength && name.hasSuffix(".m4a"))
                return
            }
            #expect(!there.info.isLive)
            let whole = try DecodedRun(here).buffer
            let heard = try DecodedRun(there).buffer
            #expect(there.warnings.isEmpty)
            if name.hasPrefix("a.o"), way == .noRanges || way == .noLength {
                // The padding of such a file is stated at its end, which cannot be read.
                #expect(heard.frameCount >= whole.frameCount && heard[0..<whole.frameCount] == whole)
                #expect(there.info.frameCount == nil)
                return
            }
            #expect(heard == whole, "\(name) \(way)")
            guard way != .noLength else { return }
            #expect(there.info.frameCount == here.info.frameCount, "\(name) \(way)")
            #expect(there.info.encoderPadding == here.info.encoderPadding)
            for place in [50_000, 10, 99_000] {
                try here.seek(toFrame: Int64(place))
                try there.seek(toFrame: Int64(place))
                let (expected, found) = (try DecodedRun(here), try DecodedRun(there))
                #expect(
                    found.start == expected.start && found.buffer == expected.buffer,
                    "from \(place) \(name) \(way)")
            }
        }
        if way == .ranges {
            let head = try #require(server.requests.value.first?.head)
            #expect(head.contains("User-Agent: Tutti\r\n"))
        }
    }

    @Test("a seek in a file of a gigabyte takes three requests in all")
    func gigabyte() async throws {
        // 44.1 kHz, 16-bit stereo: only a header and its length.
        let length = 1_000_000_000
        let header = Self.waveHeader(dataBytes: length - 44)
        let server = try ScriptedServer { request in
            let first = request.range?.first ?? 0
            var body = [UInt8](repeating: UInt8(first % 255), count: min(200_000, length - first))
            if first == 0 { body.replaceSubrange(0..<44, with: header) }
            return .answer(
                "206 Partial Content",
                [
                    "Content-Range: bytes \(first)-\(length - 1)/\(length)",
                    "Content-Length: \(length - first)",
                ],
                body: body) + (first + body.count < length ? [.wait(ScriptedServer.Gate())] : [])
        }
        let address = server.address("large.wav")
        try await elsewhere { () throws in
            let reader = try MediaReader(address)
            _ = try reader.nextPacket()
            try reader.seek(toFrame: 100_000_000)
            let packet = try #require(try reader.nextPacket())
            #expect(packet.timestamp <= 100_000_000 && packet.endTimestamp > 100_000_000)
            #expect((reader.transfer?.log.records.count ?? 0) <= 3)
        }
        #expect(server.requests.value.count <= 3)
    }

    static func waveHeader(dataBytes: Int) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(value >> (8 * $0) & 255) }
        }
        return Array("RIFF".utf8) + little(dataBytes + 36, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
            + little(1, 2) + little(2, 2) + little(44_100, 4) + little(176_400, 4) + little(4, 2)
            + little(16, 2) + Array("data".utf8) + little(dataBytes, 4)
    }

    @Test("the log of a transfer counts the bytes and names the server; a local file has no transfer")
    func transfer() async throws {
        let folder = try TestFolder()
        try MediaFile.kind("a.flac").write(Signal.noiseFloat(frameCount: 200_000), to: folder.file("a.flac"))
        let bytes = try TestFolder.bytes(of: folder.file("a.flac"))
        let server = try ScriptedServer { .file(bytes, to: $0) }
        let address = server.address("a.flac")
        let transfer = try await elsewhere { () throws in
            let reader = try MediaReader(address)
            let transfer = try #require(reader.transfer)
            while try reader.nextPacket() != nil {}
            return transfer
        }
        #expect(transfer.log.totals.byteCount == Int64(bytes.count))
        #expect(transfer.log.records.first?.serverAddress == server.host)
        #expect(try MediaReader(folder.file("a.flac")).transfer == nil)
    }
}
