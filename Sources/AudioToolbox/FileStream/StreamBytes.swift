/// Bytes of a stream that were given and are not used up, and where they are in the file.
///
/// Bytes to be passed over are counted, not kept.
struct StreamBytes {
    private var storage: [UInt8] = []
    private var head = 0
    /// Bytes that come next and are not wanted.
    private var skipped: UInt64 = 0
    /// Where ``subscript(_:)`` 0 is in the file.
    private(set) var position: UInt64 = 0

    var count: Int { storage.count - head }

    subscript(index: Int) -> UInt8 { storage[head + index] }

    /// Bytes from an index on, as many as there are up to `count`.
    func bytes(_ count: Int, at index: Int = 0) -> ArraySlice<UInt8> {
        let start = min(head + index, storage.count)
        return storage[start..<min(start + count, storage.count)]
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        let passed = Int(min(skipped, UInt64(bytes.count)))
        skipped -= UInt64(passed)
        if head > 0 {
            storage.removeFirst(head)
            head = 0
        }
        storage.append(contentsOf: bytes.dropFirst(passed))
    }

    /// Passes over bytes, those that have not come yet too.
    mutating func drop(_ count: UInt64) {
        let here = Int(min(count, UInt64(self.count)))
        head += here
        skipped &+= count - UInt64(here)
        position &+= count
    }

    /// Takes bytes that are there.
    mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        let taken = bytes(count)
        drop(UInt64(taken.count))
        return taken
    }

    /// Forgets what is left: the next bytes are from another place.
    mutating func jump(to position: UInt64) {
        (storage, head, skipped) = ([], 0, 0)
        self.position = position
    }
}

extension Collection where Element == UInt8 {
    /// The number that up to eight bytes make, the highest first.
    var bigEndian: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }

    /// The number that up to eight bytes make, the lowest first.
    var littleEndian: UInt64 { reversed().reduce(0) { $0 << 8 | UInt64($1) } }

    /// Whether these are the characters of a code.
    func reads(_ text: StaticString) -> Bool { text.withUTF8Buffer { elementsEqual($0) } }
}
