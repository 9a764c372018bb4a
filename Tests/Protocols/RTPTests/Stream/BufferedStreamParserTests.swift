import Testing
import TuttiRTP
import TuttiTestSupport

@Suite("Parsing packets from a byte stream")
struct BufferedStreamParserTests {
    static let packets: [[UInt8]] = [36, 100, 37, 16_384, 50].map { count in
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    }
    static let stream = packets.flatMap(frame)

    static func frame(_ packet: [UInt8]) -> [UInt8] {
        let length = packet.count + 2
        return [UInt8(length >> 8), UInt8(length & 0xFF)] + packet
    }

    static func parse(_ pieces: some Sequence<ArraySlice<UInt8>>) throws(RTPError) -> [[UInt8]] {
        var parser = BufferedStreamParser()
        var packets: [[UInt8]] = []
        for piece in pieces {
            parser.append(piece)
            while let packet = try parser.nextPacket() { packets.append(packet) }
        }
        return packets
    }

    static func pieces(of bytes: [UInt8], step: Int) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: bytes.count, by: step).map { bytes[$0..<min($0 + step, bytes.count)] }
    }

    @Test(
        "packets do not depend on where the stream is split",
        arguments: Array(1...200) + [1000, 4096, 16_384, 20_000])
    func anyCut(step: Int) throws {
        #expect(try Self.parse(Self.pieces(of: Self.stream, step: step)) == Self.packets)
    }

    @Test("a short stream may be split at each byte")
    func oneCut() throws {
        let bytes = Self.packets[0...2].flatMap(Self.frame)
        for cut in 0...bytes.count {
            #expect(try Self.parse([bytes[..<cut], bytes[cut...]]) == Array(Self.packets[0...2]))
            #expect(try Self.parse([bytes[..<cut]]).count == [38, 140, 179].count { $0 <= cut })
        }
    }

    @Test("the recorded packets are parsed")
    func recorded() throws {
        let frames = RecordedPackets.all.map(\.frame)
        let packets = try Self.parse(Self.pieces(of: frames.flatMap { $0 }, step: 13))
        #expect(packets == frames.map { Array($0.dropFirst(2)) })
        #expect(packets.count == 3)
    }

    @Test(
        "an impossible length ends the stream, after the packets before it",
        arguments: [0, 1, 2, 37, 16_387, 65_535])
    func impossible(length: Int) throws {
        var parser = BufferedStreamParser()
        parser.append(Self.frame(Self.packets[0]) + [UInt8(length >> 8), UInt8(length & 0xFF)])
        #expect(try parser.nextPacket() == Self.packets[0])
        for _ in 0..<2 {
            #expect(throws: RTPError.impossibleFrameLength(length)) { try parser.nextPacket() }
            parser.append(Self.stream)
        }
        #expect(parser.pendingByteCount == 0)
    }

    @Test("at most one packet and the last piece are buffered")
    func bounded() throws {
        var parser = BufferedStreamParser()
        for piece in Self.pieces(of: Self.stream + Self.stream, step: 1000) {
            parser.append(piece)
            while try parser.nextPacket() != nil {}
            #expect(parser.pendingByteCount < 16_386)
        }
        #expect(parser.pendingByteCount == 0)
    }
}
