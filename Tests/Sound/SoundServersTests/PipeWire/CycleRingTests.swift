import Testing

@testable import TuttiSoundServers

@Suite struct CycleRingTests {
    private func write(_ ring: CycleRing, _ frames: Int, from value: Int) -> Bool {
        let samples = (0..<2 * frames).map { Float(value * 2 + $0) }
        return samples.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            return ring.write(base, CycleHeader(time: Int64(value), frameCount: frames, buffered: 1))
        }
    }

    @Test("cycles come out whole and in order, also around the end of the ring")
    func order() {
        let ring = CycleRing()
        var (written, read) = (0, 0)
        for cycle in 0..<400 {
            let frames = 1 + cycle * 37 % 700
            #expect(write(ring, frames, from: written))
            written += frames
            guard let (header, samples) = ring.next() else {
                Issue.record("no cycle")
                return
            }
            #expect(header.time == Int64(read))
            #expect(samples == (0..<2 * frames).map { Float(read * 2 + $0) })
            read += frames
        }
        #expect(ring.next()?.header.time == nil)
    }

    @Test("a full ring refuses a cycle and keeps the others")
    func full() {
        let ring = CycleRing()
        var count = 0
        while write(ring, 1_000, from: count) { count += 1 }
        #expect(count == CycleRing.frameCapacity / 1_000)
        #expect(ring.next()?.header.time == 0)
        #expect(write(ring, 1_000, from: count))
        #expect(!write(ring, CycleRing.frameCapacity + 1, from: 0))
        #expect(!write(ring, 0, from: 0))
    }

    @Test("many short cycles are limited too")
    func headers() {
        let ring = CycleRing()
        var count = 0
        while write(ring, 1, from: count) { count += 1 }
        #expect(count == CycleRing.headerCapacity)
    }
}
