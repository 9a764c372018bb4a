import TuttiWire

/// The unconsumed bytes of a stream, and their offset in the file.
///
/// Bytes to skip are counted, not stored.
struct StreamBytes {
    private var waiting = IndexedQueue<UInt8>(compaction: .onAppend)
    /// Bytes still to arrive that will be skipped.
    private var skipped: UInt64 = 0
    /// The file offset of ``subscript(_:)`` 0.
    private(set) var position: UInt64 = 0

    var count: Int { waiting.count }

    subscript(index: Int) -> UInt8 { waiting[index] }

    /// Returns at most `count` bytes from an index on.
    func bytes(_ count: Int, at index: Int = 0) -> ArraySlice<UInt8> {
        let start = min(index, waiting.count)
        return waiting[start..<min(start + count, waiting.count)]
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        let passed = Int(min(skipped, UInt64(bytes.count)))
        skipped -= UInt64(passed)
        waiting.append(contentsOf: bytes.dropFirst(passed))
    }

    /// Skips bytes, including bytes that have not arrived yet.
    mutating func drop(_ count: UInt64) {
        let here = Int(min(count, UInt64(self.count)))
        waiting.removeFirst(here)
        skipped &+= count - UInt64(here)
        position &+= count
    }

    /// Consumes and returns at most `count` available bytes.
    mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        let taken = bytes(count)
        drop(UInt64(taken.count))
        return taken
    }

    /// Discards the remaining bytes, because the next bytes come from another offset.
    mutating func jump(to position: UInt64) {
        waiting.removeAll(keepingCapacity: false)
        skipped = 0
        self.position = position
    }
}

extension Collection where Element == UInt8 {
    /// The big-endian number that up to eight bytes make.
    var bigEndian: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }

    /// The little-endian number that up to eight bytes make.
    var littleEndian: UInt64 { reversed().reduce(0) { $0 << 8 | UInt64($1) } }

    /// Returns whether the bytes are the characters of a code.
    func reads(_ text: StaticString) -> Bool { text.withUTF8Buffer { elementsEqual($0) } }
}
