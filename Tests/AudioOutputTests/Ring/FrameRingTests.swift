import Foundation
import Testing

@testable import AudioOutput

@Suite("FrameRing")
struct FrameRingTests {
    private func write(_ samples: [Float], to ring: FrameRing) -> Int {
        samples.withUnsafeBufferPointer { ring.write($0) }
    }

    private func read(_ frameCount: Int, from ring: FrameRing) -> [Float] {
        var samples = [Float](repeating: -1, count: frameCount * ring.channelCount)
        let count = samples.withUnsafeMutableBufferPointer { ring.read(into: $0) }
        return Array(samples.prefix(count * ring.channelCount))
    }

    @Test("frames come out as they went in, around the end of the storage", arguments: 1...7)
    func wraps(step: Int) {
        let ring = FrameRing(channelCount: 2, capacity: 7)
        var next: Float = 0
        var expected: Float = 0
        for _ in 0..<50 {
            let samples = (0..<step * 2).map { next + Float($0) }
            #expect(write(samples, to: ring) == step)
            next += Float(step * 2)
            let got = read(step, from: ring)
            #expect(got == (0..<step * 2).map { expected + Float($0) })
            expected += Float(step * 2)
        }
        #expect(ring.writePosition == Int64(50 * step))
        #expect(ring.readPosition == Int64(50 * step))
    }

    @Test("a full ring takes what fits, an empty one gives what it has")
    func limits() {
        let ring = FrameRing(channelCount: 1, capacity: 4)
        #expect(write([1, 2, 3], to: ring) == 3)
        #expect(ring.writable == 1)
        #expect(ring.readable == 3)
        #expect(write([4, 5, 6], to: ring) == 1)
        #expect(write([7], to: ring) == 0)
        #expect(read(9, from: ring) == [1, 2, 3, 4])
        #expect(read(1, from: ring) == [])
        #expect(ring.readable == 0)
        #expect(ring.writable == 4)
    }

    @Test("half a frame is neither written nor read")
    func wholeFrames() {
        let ring = FrameRing(channelCount: 2, capacity: 4)
        #expect(write([1, 2, 3], to: ring) == 1)
        var samples: [Float] = [0]
        #expect(samples.withUnsafeMutableBufferPointer { ring.read(into: $0) } == 0)
        #expect(ring.readable == 1)
    }

    @Test("what is discarded is not read; room comes when the reader has passed it")
    func discard() {
        let ring = FrameRing(channelCount: 1, capacity: 4)
        _ = write([1, 2, 3], to: ring)
        ring.discardAll()
        #expect(ring.readable == 0)
        #expect(ring.writable == 1)
        #expect(write([4, 5], to: ring) == 1)
        #expect(read(4, from: ring) == [4])
        #expect(ring.readPosition == 4)
        #expect(ring.writable == 4)
        ring.discardAll()
        #expect(read(4, from: ring) == [])
    }

    @Test("two threads: every frame once, in order, or discarded")
    func twoThreads() {
        let ring = FrameRing(channelCount: 2, capacity: 64)
        let total = 200_000
        Thread.detachNewThread {
            var next = 0
            while next < total {
                let samples = (next..<min(next + 37, total)).flatMap { [Float($0), Float($0)] }
                next += samples.withUnsafeBufferPointer { ring.write($0) }
                if next % 1009 == 0, next < total { ring.discardAll() }
            }
        }
        var samples = [Float](repeating: 0, count: 2 * 29)
        var wrong = 0
        while ring.readPosition < Int64(total) {
            let count = samples.withUnsafeMutableBufferPointer { ring.read(into: $0) }
            let first = ring.readPosition - Int64(count)
            for frame in 0..<count
            where samples[2 * frame] != Float(first + Int64(frame))
                || samples[2 * frame + 1] != samples[2 * frame]
            {
                wrong += 1
            }
        }
        #expect(wrong == 0)
    }
}
