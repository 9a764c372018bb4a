import Testing
import TuttiMediaTime

@testable import AirPlayReceiver

@Suite("JitterBuffer and SequenceCounter")
struct JitterBufferTests {
    static func packet(_ sequence: Int64) -> StoredPacket {
        StoredPacket(
            sequence: sequence, position: sequence * 352, frameCount: 352,
            packet: ReceivedPacket(
                sequenceNumber: UInt32(truncatingIfNeeded: sequence), rtpTime: RTPTime(rawValue: 0),
                format: .alac44100x16, payload: [UInt8](repeating: 1, count: 62)))
    }

    @Test("packets are ordered, deduplicated and counted in bytes")
    func order() {
        var store = JitterBuffer()
        for sequence: Int64 in [5, 6, 9, 7] {
            let isTaken = store.insert(Self.packet(sequence))
            #expect(isTaken)
        }
        let isTakenTwice = store.insert(Self.packet(7))
        #expect(!isTakenTwice)
        #expect((0..<store.count).map { store[$0].sequence } == [5, 6, 7, 9])
        #expect(store.heldBytes == 400)
        #expect(store.index(from: 8) == 3)
        #expect(store.index(from: 10) == 4)
        #expect(store.index(atPosition: 7 * 352 + 1) == 2)
        store.remove(sequences: 6..<8)
        #expect((0..<store.count).map { store[$0].sequence } == [5, 9])
        #expect(store.heldBytes == 200)
    }

    @Test("played packets do not count, and are evicted when old")
    func played() {
        var store = JitterBuffer()
        for sequence: Int64 in 0..<10_000 { _ = store.insert(Self.packet(sequence)) }
        store.markPlayed(before: 9000, keepingFrom: 8000 * 352)
        #expect(store.heldBytes == 100_000)
        #expect(store.count == 2000)
        #expect(store[0].sequence == 8000)
        let isTaken = store.insert(Self.packet(100))
        #expect(!isTaken)
        store.remove(sequences: .min..<9500)
        #expect(store.heldBytes == 50_000)
        #expect(store.lastPlayed == nil)
    }

    @Test("sequence numbers continue past their wrap, both ways", arguments: [16, 23])
    func wraps(bits: Int) {
        let modulus: UInt32 = 1 << UInt32(bits)
        var counter = SequenceCounter(bits: bits)
        let first = counter.take(modulus - 2)
        #expect(counter.take(1) == first + 3)
        #expect(counter.take(modulus - 1) == first + 1)
        #expect(counter.extended(modulus - 3) == first - 1)
        #expect(counter.take(modulus / 2 - 2) == first + Int64(modulus / 2))
    }

    @Test("a sender that counts backwards moves no more than the latest packets")
    func backwards() {
        var store = JitterBuffer()
        var taken = 0
        for sequence in stride(from: Int64(20_000), to: 0, by: -1) where store.insert(Self.packet(sequence)) {
            taken += 1
        }
        #expect(taken == JitterBuffer.lateLimit + 1)
        let isLateTaken = store.insert(Self.packet(20_001))
        #expect(isLateTaken)
    }
}
