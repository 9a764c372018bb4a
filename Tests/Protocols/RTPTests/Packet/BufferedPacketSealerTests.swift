import Testing
import TuttiCryptography
import TuttiMediaTime
import TuttiRTP
import TuttiTestSupport

/// Seals into an array of exactly the needed size, plus `spare` bytes.
func seal(
    _ payload: [UInt8], _ sequence: UInt32, _ rtpTime: UInt32, code: UInt32, spare: Int = 0,
    with sealer: inout BufferedPacketSealer
) throws -> [UInt8] {
    var output = [UInt8](
        repeating: 0xEE, count: max(0, payload.count + BufferedPacketLayout.overhead + spare))
    let count = try payload.withUnsafeBytes { payload in
        try output.withUnsafeMutableBytes { output in
            try sealer.seal(
                payload: payload, sequence: SequenceNumber(truncating: sequence),
                rtpTime: RTPTime(rawValue: rtpTime),
                formatCode: code, into: output)
        }
    }
    #expect(output[count...].allSatisfy { $0 == 0xEE })
    return Array(output[..<count])
}

@Suite("Sealing and opening buffered packets")
struct BufferedPacketSealerTests {
    static let key = [UInt8](repeating: 0x42, count: 32)

    @Test("the recorded packets are sealed byte for byte")
    func recorded() throws {
        let packets = RecordedPackets.all
        #expect(packets.count == 3)
        var sealer = try BufferedPacketSealer(key: SymmetricKey(packets[0].key), style: .formatCode23)
        for packet in packets {
            // The recorded packets are numbers 0, 1 and 2499 of one stream.
            while sealer.packetCount < packet.counter {
                _ = try seal([], 0, 0, code: 0xFACE, with: &sealer)
            }
            #expect(
                try seal(
                    packet.payload, packet.sequence, packet.rtpTime, code: 0xFACE, spare: 3, with: &sealer)
                    == packet.frame)
        }
    }

    @Test("the recorded packets are opened", arguments: RecordedPackets.all)
    func opens(recorded: RecordedPackets.Packet) throws {
        var opener = try BufferedPacketOpener(key: SymmetricKey(recorded.key))
        let packet = try opener.open(recorded.frame.dropFirst(2))
        #expect(packet.payload == recorded.payload)
        #expect(packet.header.encoded == recorded.header)
    }

    @Test("any change after the sequence number fails authentication")
    func tampered() throws {
        let recorded = try #require(RecordedPackets.all.first)
        var opener = try BufferedPacketOpener(key: SymmetricKey(recorded.key))
        for index in 6..<recorded.frame.count {
            var frame = recorded.frame
            frame[index] ^= 1
            var thrown: RTPError?
            do { _ = try opener.open(frame.dropFirst(2)) } catch { thrown = error }
            #expect(thrown == .authenticationFailed)
        }
        #expect(try opener.open(recorded.frame.dropFirst(2)).payload == recorded.payload)
    }

    @Test("every truncation is refused")
    func truncated() throws {
        let recorded = try #require(RecordedPackets.all.first)
        var opener = try BufferedPacketOpener(key: SymmetricKey(recorded.key))
        for count in 0..<recorded.frame.count - 2 {
            var thrown: RTPError?
            do { _ = try opener.open(recorded.frame[2..<2 + count]) } catch { thrown = error }
            #expect(thrown == (count < 36 ? .packetTooShort(byteCount: count) : .authenticationFailed))
        }
    }

    @Test(
        "sequence number and RTP time wrap, the nonce does not",
        arguments: [BufferedPacketHeader.Style.formatCode23, .classicRTP16])
    func wrap(style: BufferedPacketHeader.Style) throws {
        var sealer = try BufferedPacketSealer(key: SymmetricKey(Self.key), style: style)
        var opener = try BufferedPacketOpener(key: SymmetricKey(Self.key))
        var sequence = SequenceNumber(truncating: 0x7F_FFFE)
        var time = RTPTime(rawValue: .max - 352)
        for index in 0..<5 {
            let frame = try seal(
                [1, 2, 3], sequence.rawValue, time.rawValue, code: 0x1600_0000, with: &sealer)
            #expect(Array(frame.suffix(8)) == [UInt8(index), 0, 0, 0, 0, 0, 0, 0])
            let packet = try opener.open(frame.dropFirst(2))
            #expect(packet.payload == [1, 2, 3])
            #expect(packet.header.rtpTime == time)
            switch style {
            case .formatCode23:
                #expect(packet.header.numbering == .formatCode23(sequence, formatCode: 0x1600_0000))
            case .classicRTP16:
                #expect(
                    packet.header.numbering
                        == .classicRTP16(UInt16(truncatingIfNeeded: sequence.rawValue), isFirst: index == 0))
            }
            sequence = sequence.advanced(by: 1)
            time = time.advanced(by: 352)
        }
        #expect(sequence.rawValue == 3)
        #expect(time.rawValue == 1407)
    }

    @Test("the largest payload is sealed, one byte more is refused")
    func payloadLimit() throws {
        var sealer = try BufferedPacketSealer(key: SymmetricKey(Self.key), style: .formatCode23)
        let limit = BufferedPacketLayout.payloadByteLimit
        #expect(limit == 16_348)
        let frame = try seal([UInt8](repeating: 7, count: limit), 0, 0, code: 1, with: &sealer)
        #expect(frame.count == 16_386)
        #expect(Array(frame.prefix(2)) == [0x40, 0x02])
        var thrown: (any Error)?
        do { _ = try seal([UInt8](repeating: 7, count: limit + 1), 0, 0, code: 1, with: &sealer) } catch {
            thrown = error
        }
        #expect(thrown as? RTPError == .payloadTooLong(limit: limit))
    }

    @Test("too little room is refused before anything is written")
    func noRoom() throws {
        var sealer = try BufferedPacketSealer(key: SymmetricKey(Self.key), style: .formatCode23)
        var thrown: (any Error)?
        do { _ = try seal([1, 2], 0, 0, code: 1, spare: -1, with: &sealer) } catch { thrown = error }
        #expect(thrown as? RTPError == .outputTooSmall(needed: 40, available: 39))
        #expect(sealer.packetCount == 0)
    }
}
