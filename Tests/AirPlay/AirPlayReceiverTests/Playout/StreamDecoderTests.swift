import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiTestSupport

@testable import AirPlayReceiver

@Suite("Packets that arrive out of order")
struct StreamDecoderTests {
    /// A decoder that counts the packets it decodes.
    private final class Counting: PacketDecoder {
        let count: Recorder<Int>
        var primingPacketCount: Int { 0 }

        init(_ count: Recorder<Int>) { self.count = count }

        func decode(_ payload: [UInt8]) -> [Float]? {
            count.update { $0 += 1 }
            return [Float](repeating: 0.5, count: 2 * 352)
        }

        func reset() {}
    }

    private func packet(_ number: Int) -> ReceivedPacket {
        ReceivedPacket(
            sequenceNumber: UInt32(number), rtpTime: RTPTime(rawValue: UInt32(number * 352)),
            format: .alac44100x16, payload: [1, 2, 3])
    }

    private func decoder(_ count: Recorder<Int>) -> StreamDecoder {
        StreamDecoder(configuration: PlayoutConfiguration()) { _ in Counting(count) }
    }

    @Test("a sender that counts backwards does not make the speaker decode endlessly")
    func backwards() {
        let count = Recorder(0)
        var decoder = decoder(count)
        decoder.append(packet(20_000), mixed: nil)
        for number in stride(from: 19_999, to: 10_000, by: -1) {
            decoder.append(packet(number), mixed: nil)
            while decoder.hasMore { _ = decoder.decodeNext(mixed: .min) }
        }
        #expect(count.value < StreamDecoder.mostDecodedAgain + 200)
        #expect(decoder.refusedPackets > 9000)
    }

    @Test("late packets between others are decoded, however many")
    func late() {
        let count = Recorder(0)
        var decoder = decoder(count)
        // Every tenth packet arrives 30 packets late, when the packets after it are already decoded.
        for number in 0..<20_000 {
            if number % 10 != 0 { decoder.append(packet(number), mixed: nil) }
            if number >= 30, (number - 30) % 10 == 0 { decoder.append(packet(number - 30), mixed: nil) }
            while decoder.hasMore { _ = decoder.decodeNext(mixed: .min) }
            decoder.release(heard: Int64(number - 100) * 352, mixed: Int64(number - 100) * 352, kept: 0)
        }
        #expect(decoder.refusedPackets == 0)
    }
}
