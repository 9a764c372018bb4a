import CTuttiFFmpeg
import Testing
import TuttiCodecs
import TuttiPCM
import TuttiTestMedia
import TuttiTestSupport
import TuttiWebTestSupport

@Suite("Segmented streams", .tags(.machine))
struct SegmentedStreamTests {
    /// An AAC file split between its packets.
    static func pieces(_ count: Int) throws -> [[UInt8]] {
        let folder = try TestFolder()
        try MediaFile.kind("aac.aac").write(Signal.sweep(frameCount: 44_100 * 6), to: folder.file("a.aac"))
        let bytes = try TestFolder.bytes(of: folder.file("a.aac"))
        var starts: [Int] = []
        var place = 0
        while place + 7 <= bytes.count {
            starts.append(place)
            let size =
                Int(bytes[place + 3] & 3) << 11 | Int(bytes[place + 4]) << 3 | Int(bytes[place + 5]) >> 5
            place += max(7, size)
        }
        let each = (starts.count + count - 1) / count
        let cuts = stride(from: 0, to: starts.count, by: each).map { starts[$0] } + [bytes.count]
        return zip(cuts, cuts.dropFirst()).map { Array(bytes[$0..<$1]) }
    }

    /// A transport stream split at audio unit boundaries.
    static func transportPieces(_ count: Int) throws -> [[UInt8]] {
        let folder = try TestFolder()
        try MediaFile.kind("aac.aac").write(Signal.sweep(frameCount: 44_100 * 6), to: folder.file("a.ts"))
        let bytes = try TestFolder.bytes(of: folder.file("a.ts"))
        let starts = stride(from: 0, to: bytes.count, by: 188).filter {
            bytes[$0 + 1] & 0x5F == 0x41 && bytes[$0 + 2] == 0
        }
        let each = (starts.count + count - 1) / count
        let cuts = [0] + stride(from: each, to: starts.count, by: each).map { starts[$0] } + [bytes.count]
        return zip(cuts, cuts.dropFirst()).map { Array(bytes[$0..<$1]) }
    }

    static func whole(_ pieces: [[UInt8]], _ ending: String = "aac") throws -> PCMBuffer {
        let folder = try TestFolder()
        return try DecodedRun(path: try folder.write(Array(pieces.joined()), to: "whole." + ending)).buffer
    }

    static let lines = ["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:2"]

    static func text(_ lines: [String]) -> [UInt8] { Array((lines.joined(separator: "\n") + "\n").utf8) }

    static func number(_ request: ScriptedServer.Request) -> Int? {
        Int(request.path.filter(\.isNumber))
    }

    @Test("segments play as a whole, with a seek, behind a redirect", arguments: [false, true])
    func onDemand(isRedirected: Bool) async throws {
        let pieces = try Self.transportPieces(4)
        #expect(pieces.count == 4)
        let list = Self.text(
            Self.lines + (0..<4).flatMap { ["#EXTINF:1.5,", "piece\($0).ts"] } + ["#EXT-X-ENDLIST"])
        let server = try ScriptedServer { request in
            if request.path == "/start" {
                return .answer("302 Found", ["Location: /dir/list.m3u8", "Content-Length: 0"])
            }
            if request.path == "/dir/list.m3u8" { return .whole(list) }
            guard request.path.hasPrefix("/dir/piece"), let number = Self.number(request) else {
                return .answer("404 Not Found", ["Content-Length: 0"])
            }
            return .file(pieces[number], to: request)
        }
        let address = server.address(isRedirected ? "start" : "dir/list.m3u8")
        let whole = try Self.whole(pieces, "ts")
        try await elsewhere { () throws in
            let reader = try MediaReader(address)
            #expect(!reader.info.isLive && reader.info.isSeekable)
            #expect(reader.info.duration == .seconds(6))
            let heard = try DecodedRun(reader).buffer
            #expect(heard.frameCount == whole.frameCount)
            #expect(Signal.distance(heard, whole) <= 1 / 32_768)
            let place = 44_100 * 4
            try reader.seek(toFrame: Int64(place))
            let run = try DecodedRun(reader)
            #expect(try #require(run.start) == Int64(place))
            #expect(run.buffer.frameCount == whole.frameCount - place)
            #expect((reader.transfer?.log.totals.requestCount ?? 0) >= 5)
        }
    }

    /// Fragments of an MP4 file, after their common header.
    static func fragments(_ kind: MediaFile) throws -> (start: [UInt8], pieces: [[UInt8]]) {
        var kind = kind
        kind.containerOptions = [("movflags", "empty_moov+default_base_moof"), ("frag_duration", "1000000")]
        let folder = try TestFolder()
        try kind.write(Signal.sweep(frameCount: 44_100 * 9), to: folder.file("a.mp4"))
        let bytes = try TestFolder.bytes(of: folder.file("a.mp4"))
        var (place, starts, end) = (0, [Int](), 0)
        while place + 8 <= bytes.count {
            let name = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
            if name == "moof" { starts.append(place) }
            place += max(8, bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) })
            if name == "mdat" { end = place }
        }
        let edges = starts + [end]
        return (Array(bytes[..<starts[0]]), zip(edges, edges.dropFirst()).map { Array(bytes[$0..<$1]) })
    }

    @Test("MP4 segments can be sought, forward and back", arguments: ["alac.m4a", "aac.m4a"])
    func fragmented(kind: String) async throws {
        let (start, pieces) = try Self.fragments(MediaFile.kind(kind))
        #expect(pieces.count >= 8)
        let list = Self.text(
            Self.lines + ["#EXT-X-MAP:URI=\"start\""]
                + pieces.indices.flatMap { ["#EXTINF:1.02,", "piece\($0)"] } + ["#EXT-X-ENDLIST"])
        let server = try ScriptedServer { request in
            if request.path == "/list.m3u8" { return .whole(list) }
            return .file(Self.number(request).map { pieces[$0] } ?? start, to: request)
        }
        let address = server.address("list.m3u8")
        try await elsewhere { () throws in
            let reader = try MediaReader(address)
            let first = try MediaReader(address).nextPacket()
            #expect(try #require(first).duration >= 1024)
            let whole = try DecodedRun(reader).buffer
            for place in [44_100 * 5 + 123, 44_100 * 8, 44_100, 0, 44_100 * 5] {
                let before = server.requests.value.count
                try reader.seek(toFrame: Int64(place))
                let run = try DecodedRun(reader)
                #expect(try #require(run.start) == Int64(place))
                #expect(run.buffer.frameCount == whole.frameCount - place)
                #expect(Signal.distance(run.buffer, whole[place..<whole.frameCount]) <= 1 / 32_768)
                // At most one of the segments before it is read.
                let least = max(0, place / 44_100 - 1)
                let asked = server.requests.value.dropFirst(before).filter { $0.path.hasPrefix("/piece") }
                #expect(
                    asked.compactMap(Self.number).allSatisfy { $0 >= least }, "\(place): \(asked.map(\.path))"
                )
            }
        }
    }

    @Test("segments without times are read from their start")
    func untimed() async throws {
        let pieces = try Self.pieces(6)
        let list = Self.text(
            Self.lines + pieces.indices.flatMap { ["#EXTINF:1,", "piece\($0).aac"] } + ["#EXT-X-ENDLIST"])
        let server = try ScriptedServer { request in
            if request.path == "/list.m3u8" { return .whole(list) }
            return .file(Self.number(request).map { pieces[$0] } ?? [], to: request)
        }
        let address = server.address("list.m3u8")
        let whole = try Self.whole(pieces)
        try await elsewhere { () throws in
            let reader = try MediaReader(address)
            try reader.seek(toFrame: 44_100 * 4)
            let run = try DecodedRun(reader)
            #expect(try #require(run.start) == 44_100 * 4)
            #expect(Signal.distance(run.buffer, whole[44_100 * 4..<whole.frameCount]) <= 1 / 32_768)
        }
    }

    @Test("encrypted segments play")
    func enciphered() async throws {
        let pieces = try Self.pieces(3)
        let key = (0..<16).map { UInt8($0 * 7) }
        let list = Self.text(
            Self.lines + ["#EXT-X-KEY:METHOD=AES-128,URI=\"key\",IV=0x000102030405060708090a0b0c0d0e0f"]
                + (0..<3).flatMap { ["#EXTINF:2,", "piece\($0).aac"] } + ["#EXT-X-ENDLIST"])
        let secret = pieces.map { Self.enciphered($0, key: key, vector: Array(0..<16)) }
        let server = try ScriptedServer { request in
            if request.path == "/list.m3u8" { return .whole(list) }
            if request.path == "/key" { return .whole(key) }
            return .file(Self.number(request).map { secret[$0] } ?? [], to: request)
        }
        let address = server.address("list.m3u8")
        let whole = try Self.whole(pieces)
        try await elsewhere { () throws in
            let heard = try DecodedRun(try MediaReader(address)).buffer
            #expect(heard.frameCount == whole.frameCount)
            #expect(Signal.distance(heard, whole) <= 1 / 32_768)
        }
    }

    /// AES-128 in CBC mode, padded.
    static func enciphered(_ bytes: [UInt8], key: [UInt8], vector: [UInt8]) -> [UInt8] {
        let pad = 16 - bytes.count % 16
        let padded = bytes + [UInt8](repeating: UInt8(pad), count: pad)
        var (output, vector) = ([UInt8](repeating: 0, count: padded.count), vector)
        let state = av_aes_alloc()
        defer { av_free(UnsafeMutableRawPointer(state)) }
        av_aes_init(state, key, 128, 0)
        av_aes_crypt(state, &output, padded, Int32(padded.count / 16), &vector, 0)
        return output
    }

    @Test("segments may be ranges of one file")
    func byteRanges() async throws {
        let pieces = try Self.pieces(3)
        let file = Array(pieces.joined())
        var (lines, offset) = (Self.lines, 0)
        for piece in pieces {
            lines += ["#EXTINF:2,", "#EXT-X-BYTERANGE:\(piece.count)@\(offset)", "all.aac"]
            offset += piece.count
        }
        let list = Self.text(lines + ["#EXT-X-ENDLIST"])
        let server = try ScriptedServer { request in
            request.path == "/list.m3u8" ? .whole(list) : .file(file, to: request)
        }
        let address = server.address("list.m3u8")
        let whole = try Self.whole(pieces)
        try await elsewhere { () throws in
            let heard = try DecodedRun(try MediaReader(address)).buffer
            #expect(heard.frameCount == whole.frameCount)
        }
        #expect(server.requests.value.contains { $0.range?.first == pieces[0].count })
    }

    @Test("a live playlist follows its window, and ends when it says so")
    func live() async throws {
        let pieces = try Self.pieces(6)
        let lists = Recorder(0)
        let server = try ScriptedServer { request in
            if request.path != "/list.m3u8" {
                return .file(Self.number(request).map { pieces[$0] } ?? [], to: request)
            }
            let round = lists.update { count in
                count += 1
                return count - 1
            }
            // The window has three segments; each request moves it by one.
            let first = min(round, 3)
            var lines = [
                "#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:1", "#EXT-X-MEDIA-SEQUENCE:\(first)",
            ]
            for number in first..<first + 3 { lines += ["#EXTINF:0.01,", "piece\(number).aac"] }
            if first == 3 { lines.append("#EXT-X-ENDLIST") }
            return .whole(Self.text(lines))
        }
        let address = server.address("list.m3u8")
        let whole = try Self.whole(pieces)
        try await elsewhere { () throws in
            let reader = try MediaReader(address)
            #expect(reader.info.isLive && reader.info.frameCount == nil && !reader.info.isSeekable)
            let heard = try DecodedRun(reader).buffer
            #expect(heard.frameCount == whole.frameCount)
        }
    }

    static let hostileEntries = [
        "file:///etc/passwd", "/etc/passwd", "concat:/etc/passwd", "ftp://127.0.0.1/a", "data:audio/aac,AAAA",
        "crypto:file:///etc/passwd", "tcp://127.0.0.1:22", "subfile,,start,0,end,9,,:/etc/passwd",
    ]

    @Test("a playlist never reaches a local file or another protocol", arguments: hostileEntries)
    func hostile(entry: String) async throws {
        let list = Self.text(Self.lines + ["#EXTINF:2,", entry, "#EXT-X-ENDLIST"])
        let server = try ScriptedServer { request in
            request.path == "/list.m3u8" ? .whole(list) : .answer("404 Not Found", ["Content-Length: 0"])
        }
        let address = server.address("list.m3u8")
        await #expect(throws: MediaError.self) { _ = try await elsewhere { try MediaReader(address).info } }
    }
}
