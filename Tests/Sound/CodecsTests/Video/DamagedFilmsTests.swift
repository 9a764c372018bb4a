import Testing
import TuttiCodecs
import TuttiTestMedia
import TuttiTestSupport

@Suite("Damaged films", .timeLimit(.minutes(3)))
struct DamagedFilmsTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// The film of a kind, shorter.
    private func write(_ name: String) throws -> String {
        var film = FilmFile.kind(name)
        film.pictureCount = 30
        try film.write(to: folder.file(name))
        return folder.file(name)
    }

    /// Changes bytes, takes some out and puts some in.
    private static func damage(_ bytes: [UInt8], by generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...8, using: &generator) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes.remove(at: place)
            case 1: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
            case 2: bytes.removeLast(min(bytes.count, Int.random(in: 1...64, using: &generator)))
            case 3: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 4: bytes[place] = [0, 0xFF, 0x7F, 0x80][Int.random(in: 0..<4, using: &generator)]
            default:
                for index in place..<min(bytes.count, place + 16) {
                    bytes[index] = UInt8.random(in: 0...255, using: &generator)
                }
            }
        }
        return bytes
    }

    @Test("damaged packets never trap and never end a film", arguments: FilmFile.kinds.map(\.name))
    func packets(name: String) throws {
        let reader = try VideoReader(try write(name))
        var packets: [VideoPacket] = []
        while let packet = try reader.nextPacket() { packets.append(packet) }
        var generator = SeededGenerator(seed: 20)
        for _ in 0..<4 {
            let decoder = try VideoDecoder(reader.parameters, hardware: false)
            var pictures: [VideoFrame] = []
            for packet in packets {
                var packet = packet
                if Bool.random(using: &generator) {
                    let bytes = Self.damage(packet.withBytes { Array($0) }, by: &generator)
                    // Without bytes there is no packet.
                    packet =
                        bytes.withUnsafeBytes {
                            VideoPacket(
                                $0, presentationTime: packet.presentationTime ?? 0, isKey: packet.isKey)
                        } ?? packet
                }
                pictures += decoder.decode(packet)
            }
            pictures += decoder.drain()
            #expect(pictures.count <= 2 * packets.count)
            #expect(pictures.allSatisfy { $0.byteCount <= 4 << 20 })
            // The undamaged film decodes after them.
            var after = 0
            for packet in packets { after += decoder.decode(packet).count }
            after += decoder.drain().count
            #expect(after >= 20)
        }
    }

    @Test("damaged and truncated files never trap and end", arguments: FilmFile.kinds.map(\.name))
    func files(name: String) throws {
        let original = try TestFolder.bytes(of: try write(name))
        var generator = SeededGenerator(seed: 21)
        for round in 0..<12 {
            var bytes = original
            if round < 3 {
                bytes = Array(bytes.prefix(bytes.count * (round + 1) / 4))
            } else {
                // Half of the damage hits the headers, at one of the ends.
                let size = min(bytes.count, 2048)
                let start = round % 3 == 0 ? bytes.count - size : round % 3 == 1 ? 0 : bytes.count / 2
                let part = Array(bytes[start..<min(bytes.count, start + size)])
                bytes.replaceSubrange(
                    start..<min(bytes.count, start + size), with: Self.damage(part, by: &generator))
            }
            let path = try folder.write(bytes, to: "\(round)-" + name)
            do {
                let reader = try VideoReader(path)
                let decoder = try VideoDecoder(reader.parameters, hardware: false)
                var packetCount = 0
                var pictureCount = 0
                for place in [nil, reader.startTime + 1, 0] {
                    if let place { try reader.seek(to: place) }
                    decoder.reset()
                    while let packet = try reader.nextPacket() {
                        packetCount += 1
                        pictureCount += decoder.decode(packet).count
                    }
                    pictureCount += decoder.drain().count
                }
                #expect(packetCount < 2000 && pictureCount < 2000)
            } catch is MediaError {
                // Refused with a reason.
            } catch is CodecError {
            }
        }
    }

    // MARK: Limits

    /// Overwrites two numbers of 16 bits at an offset after a name.
    private static func patch(_ bytes: [UInt8], after name: String, offset: Int, _ size: (UInt16, UInt16))
        throws -> [UInt8]
    {
        var bytes = bytes
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array(name.utf8)) }) + offset
        for (index, value) in [size.0 >> 8, size.0 & 0xFF, size.1 >> 8, size.1 & 0xFF].enumerated() {
            bytes[place + index] = UInt8(value)
        }
        return bytes
    }

    @Test(
        "a file that claims pictures beyond the limits is refused with their size",
        arguments: [(12_000, 12_000), (16_385, 16), (16_384, 16_384), (65_535, 65_535)] as [(UInt16, UInt16)])
    func claimedSize(width: UInt16, height: UInt16) throws {
        var film = FilmFile("qtrle")
        (film.pixelFormat, film.pictureCount) = ("rgb24", 3)
        try film.write(to: folder.file("a.mov"))
        let bytes = try Self.patch(
            try TestFolder.bytes(of: folder.file("a.mov")), after: "rle ", offset: 28, (width, height))
        let path = try folder.write(bytes, to: "large.mov")
        let expected = MediaError.undecodable(
            name: "large.mov", reason: "its pictures of \(width) × \(height) pixels are not supported")
        #expect(throws: expected) { try VideoReader(path) }
        // The sound of such a film would still play, and its other streams are listed.
        let info = try MediaReader(path, readsArtwork: false, acceptsSilence: true, engine: .shared).info
        #expect(info.streams.map(\.video) == [nil])
    }

    @Test("pictures that turn out larger than the limits are not decoded")
    func decodedSize() throws {
        var film = FilmFile("png")
        (film.pixelFormat, film.pictureCount) = ("rgb24", 3)
        try film.write(to: folder.file("a.mov"))
        let reader = try VideoReader(folder.file("a.mov"))
        // With several threads FFmpeg forgets errors of the last packets.
        let decoder = try VideoDecoder(reader.parameters, threads: 1, hardware: false)
        let packet = try #require(try reader.nextPacket())
        var bytes = packet.withBytes { Array($0) }
        // Width and height of the header, each in four bytes.
        bytes.replaceSubrange(16..<24, with: [0, 0, 0x40, 0, 0, 0, 0x40, 0])
        let large = try #require(bytes.withUnsafeBytes { VideoPacket($0, presentationTime: 0, isKey: true) })
        #expect((decoder.decode(large) + decoder.drain()).isEmpty)
        #expect(decoder.corruptPacketCount > 0)
        #expect((decoder.decode(packet) + decoder.drain()).count == 1)
    }

    @Test("parameters beyond the limits are not made")
    func parameters() {
        func make(_ width: Int, _ height: Int, configuration: Int = 0, codec: String = "h264")
            -> VideoStreamParameters?
        {
            VideoStreamParameters(
                codecName: codec, width: width, height: height,
                configuration: [UInt8](repeating: 0, count: configuration))
        }
        #expect(make(7680, 4320) != nil)
        #expect(make(16_384, 2304) != nil)
        #expect(make(16_384, 16_384) == nil)
        #expect(make(16_385, 1) == nil)
        #expect(make(0, 96) == nil && make(160, -1) == nil)
        #expect(make(.max, .max) == nil && make(.max, 2) == nil)
        #expect(make(160, 96, configuration: 1 << 20) != nil)
        #expect(make(160, 96, configuration: 1 << 20 + 1) == nil)
        #expect(make(160, 96, codec: "flac") == nil && make(160, 96, codec: "no such codec") == nil)
    }
}
