/// A sliding window of consecutive bytes, extended at the end and evicted from the front.
struct ByteWindow {
    private(set) var start: Int64
    private(set) var end: Int64
    /// A ring buffer: byte `n` of the source lies at `n` modulo the ring's size, a power of two.
    private var ring: [UInt8] = []

    private static let smallestRing = 64 << 10

    init(at start: Int64) { (self.start, end) = (start, start) }

    var count: Int { Int(end - start) }

    func contains(_ offset: Int64) -> Bool { offset >= start && offset < end }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if bytes.isEmpty { return }
        makeRoom(for: bytes.count)
        let place = Int(end & Int64(ring.count - 1))
        let first = min(bytes.count, ring.count - place)
        ring.withUnsafeMutableBytes { ring in
            UnsafeMutableRawBufferPointer(rebasing: ring[place..<place + first])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<first]))
            ring.copyBytes(from: bytes[first...])
        }
        end += Int64(bytes.count)
    }

    /// Copies the available bytes from an offset on; returns their count.
    func copy(from offset: Int64, into target: UnsafeMutableRawBufferPointer) -> Int {
        guard contains(offset) else { return 0 }
        let count = min(target.count, Int(end - offset))
        let place = Int(offset & Int64(ring.count - 1))
        let first = min(count, ring.count - place)
        ring.withUnsafeBytes { ring in
            target.copyBytes(from: ring[place..<place + first])
            UnsafeMutableRawBufferPointer(rebasing: target[first..<count])
                .copyBytes(from: ring[..<(count - first)])
        }
        return count
    }

    mutating func forget(before offset: Int64) { start = min(max(start, offset), end) }

    private mutating func makeRoom(for more: Int) {
        let need = count + more
        if need <= ring.count { return }
        var size = max(ring.count, Self.smallestRing)
        while size < need { size *= 2 }
        var larger = [UInt8](repeating: 0, count: size)
        // Copies piece by piece, because a run of bytes may wrap around in either ring.
        var offset = start
        while offset < end {
            let (from, to) = (Int(offset & Int64(ring.count - 1)), Int(offset & Int64(size - 1)))
            let piece = min(Int(end - offset), ring.count - from, size - to)
            larger.replaceSubrange(to..<to + piece, with: ring[from..<from + piece])
            offset += Int64(piece)
        }
        ring = larger
    }
}
