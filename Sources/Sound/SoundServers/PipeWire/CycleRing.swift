import Synchronization

/// A cycle of sound: stereo frames, and the time that PipeWire gave them.
struct CycleHeader: BitwiseCopyable {
    /// Host time in nanoseconds.
    var time: Int64
    var frameCount: Int
    /// Frames that the resampler holds back.
    var buffered: Int64
}

/// Cycles on their way from PipeWire's data thread, which neither locks nor allocates, to another thread.
final class CycleRing: @unchecked Sendable {
    // Safe to share: headers and samples from the read indices to the written ones belong to the reader, the
    // others to the writer; the indices of the headers order the hand-over.

    /// Room for 0.7 s at 44.1 kHz; cycles beyond it are dropped.
    static let frameCapacity = 1 << 15
    static let headerCapacity = 256

    private let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frameCapacity)
    private let headers = UnsafeMutablePointer<CycleHeader>.allocate(capacity: headerCapacity)
    private let written = Atomic<Int>(0)
    private let read = Atomic<Int>(0)
    private let framesRead = Atomic<Int>(0)
    /// The writer's alone.
    private var framesWritten = 0

    deinit {
        samples.deallocate()
        headers.deallocate()
    }

    /// Copies a cycle; returns `false` if there is no room. The writer's thread; allocates nothing.
    func write(_ source: UnsafePointer<Float>, _ header: CycleHeader) -> Bool {
        let index = written.load(ordering: .relaxed)
        guard header.frameCount > 0, index - read.load(ordering: .acquiring) < Self.headerCapacity,
            framesWritten + header.frameCount - framesRead.load(ordering: .acquiring) <= Self.frameCapacity
        else { return false }
        let start = framesWritten % Self.frameCapacity
        let first = min(header.frameCount, Self.frameCapacity - start)
        (samples + 2 * start).update(from: source, count: 2 * first)
        samples.update(from: source + 2 * first, count: 2 * (header.frameCount - first))
        framesWritten += header.frameCount
        headers[index % Self.headerCapacity] = header
        written.store(index + 1, ordering: .releasing)
        return true
    }

    /// Takes the oldest cycle; `nil` for none. The reader's thread.
    func next() -> (header: CycleHeader, samples: [Float])? {
        let index = read.load(ordering: .relaxed)
        guard index < written.load(ordering: .acquiring) else { return nil }
        let header = headers[index % Self.headerCapacity]
        let frame = framesRead.load(ordering: .relaxed)
        let start = frame % Self.frameCapacity
        let first = min(header.frameCount, Self.frameCapacity - start)
        var copy: [Float] = []
        copy.reserveCapacity(2 * header.frameCount)
        copy.append(contentsOf: UnsafeBufferPointer(start: samples + 2 * start, count: 2 * first))
        copy.append(contentsOf: UnsafeBufferPointer(start: samples, count: 2 * (header.frameCount - first)))
        framesRead.store(frame + header.frameCount, ordering: .releasing)
        read.store(index + 1, ordering: .releasing)
        return (header, copy)
    }
}
