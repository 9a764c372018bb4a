import AirPlayMessages
import Testing
import TuttiCryptography
import TuttiMediaTime
import TuttiRTP

@testable import AirPlayReceiver

@Suite("Bytes of a buffered stream")
struct BufferedIntakeTests {
    static let key = [UInt8](repeating: 9, count: 32)

    static func sealed(
        _ numbers: Range<Int>, style: BufferedPacketHeader.Style = .formatCode23, code: UInt32 = 0x1600_0000
    ) throws -> [UInt8] {
        var sealer = try BufferedPacketSealer(key: SymmetricKey(key), style: style)
        var bytes: [UInt8] = []
        for number in numbers {
            var output = [UInt8](repeating: 0, count: 100)
            let payload = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 10)
            let count = try output.withUnsafeMutableBytes { output in
                try payload.withUnsafeBytes { payload in
                    try sealer.seal(
                        payload: payload, sequence: SequenceNumber(truncating: UInt32(number)),
                        rtpTime: RTPTime(rawValue: UInt32(truncatingIfNeeded: number * 1024)),
                        formatCode: code, into: output)
                }
            }
            bytes += output[..<count]
        }
        return bytes
    }

    private func all(
        _ intake: inout BufferedIntake, room: Int = .max
    ) -> (packets: [ReceivedPacket], last: BufferedIntake.Step) {
        var packets: [ReceivedPacket] = []
        while true {
            let step = intake.next(room: room)
            guard case .packet(let packet) = step else { return (packets, step) }
            packets.append(packet)
        }
    }

    @Test("packets do not depend on where the stream is split", arguments: [1, 2, 3, 7, 48, 1000])
    func cuts(step: Int) throws {
        var intake = try BufferedIntake(key: SymmetricKey(Self.key), fallback: nil)
        let bytes = try Self.sealed(0x7F_FFFE..<0x80_0003)
        var packets: [ReceivedPacket] = []
        for start in stride(from: 0, to: bytes.count, by: step) {
            intake.append(Array(bytes[start..<min(start + step, bytes.count)]))
            packets += all(&intake).packets
        }
        #expect(packets.map(\.sequenceNumber) == [0x7F_FFFE, 0x7F_FFFF, 0, 1, 2])
        #expect(packets.allSatisfy { $0.format == .aac44100 && $0.byteCount == 48 })
        #expect(intake.nextSequenceNumber == 3)
    }

    @Test("a packet waits until there is room for it")
    func room() throws {
        var intake = try BufferedIntake(key: SymmetricKey(Self.key), fallback: nil)
        intake.append(try Self.sealed(0..<2))
        #expect(intake.next(room: 47) == .needsRoom(48))
        #expect(intake.next(room: 0) == .needsRoom(48))
        let rest = all(&intake, room: 48)
        #expect(rest.packets.count == 2)
        #expect(rest.last == .needsBytes)
    }

    @Test("a packet without a form has the SETUP's form, and the private code means ALAC")
    func forms() throws {
        let table: [(UInt32, AudioWireFormat?, AudioWireFormat?)] = [
            (0x0000_FACE, nil, .alac44100x16), (0x1700_0000, .alac44100x16, .aac48000),
            (0x1234_5678, .aac48000, .aac48000), (0x1234_5678, nil, nil),
        ]
        for (code, fallback, expected) in table {
            var intake = try BufferedIntake(key: SymmetricKey(Self.key), fallback: fallback)
            intake.append(try Self.sealed(0..<1, code: code))
            #expect(all(&intake).packets.first?.format == expected)
            #expect(intake.counts.unknownFormat == (expected == nil ? 1 : 0))
        }
    }

    @Test("16-bit sequence numbers continue past 65,535, and so do flushes")
    func classic() throws {
        var intake = try BufferedIntake(key: SymmetricKey(Self.key), fallback: .aac44100)
        intake.append(try Self.sealed(65_530..<65_540, style: .classicRTP16))
        #expect(all(&intake).packets.map(\.sequenceNumber) == Array(65_530..<65_540))
        let flush = FlushBuffered(
            from: .init(sequenceNumber: 2, rtpTime: RTPTime(rawValue: 0)),
            until: .init(sequenceNumber: 10, rtpTime: RTPTime(rawValue: 0)))
        let extended = intake.extended(flush)
        #expect(extended.from?.sequenceNumber == 65_538)
        #expect(extended.until.sequenceNumber == 65_546)
    }

    @Test("a packet that fails authentication is skipped; an impossible length ends the stream")
    func hostile() throws {
        var intake = try BufferedIntake(key: SymmetricKey(Self.key), fallback: nil)
        var bytes = try Self.sealed(0..<3)
        bytes[60] ^= 1
        intake.append(bytes)
        #expect(all(&intake).packets.map(\.sequenceNumber) == [0, 2])
        #expect(intake.counts.unreadable == 1)
        intake.append([0, 5])
        #expect(intake.next(room: .max) == .broken(.impossibleFrameLength(5)))
        intake.append(try Self.sealed(3..<4))
        #expect(intake.next(room: .max) == .broken(.impossibleFrameLength(5)))
        intake.beginConnection()
        intake.append(try Self.sealed(3..<4))
        #expect(all(&intake).packets.count == 1)
    }

    @Test("a flush before any packet is kept")
    func earlyFlush() throws {
        let intake = try BufferedIntake(key: SymmetricKey(Self.key), fallback: nil)
        let flush = FlushBuffered(until: .init(sequenceNumber: 7, rtpTime: RTPTime(rawValue: 1)))
        #expect(intake.extended(flush) == flush)
    }
}
