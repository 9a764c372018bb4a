import Glibc

/// Bytes that grow at their end: answers are made of some hundred thousand short texts, which `Array.append`
/// takes one by one at several times the cost.
struct ByteBuffer: Sendable {
    private var storage: [UInt8] = []
    /// The number of bytes that were appended; the rest of the storage is room.
    private(set) var count = 0

    /// Returns the bytes, and forgets them.
    mutating func take() -> [UInt8] {
        let bytes = Array(storage[..<count])
        // A long answer has many parts of the same size. Its last part is smaller, and gives the room back.
        if count < storage.count / 4, storage.count > 4096 { storage = [] }
        count = 0
        return bytes
    }

    private mutating func makeRoom(_ size: Int) {
        guard storage.count - count < size else { return }
        let grown = max(storage.count * 2, count + size, 256)
        storage += Array(repeating: 0, count: grown - storage.count)
    }

    mutating func append(_ byte: UInt8) {
        makeRoom(1)
        storage[count] = byte
        count += 1
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, bytes.count > 0 else { return }
        makeRoom(bytes.count)
        storage.withUnsafeMutableBytes { room in
            room.baseAddress.map { _ = memcpy($0 + count, source, bytes.count) }
        }
        count += bytes.count
    }

    /// Appends a text in which control characters become spaces.
    mutating func append(line bytes: UnsafeRawBufferPointer) {
        let start = count
        append(bytes)
        storage.withUnsafeMutableBytes { room in
            for place in start..<count where room[place] < 0x20 { room[place] = 0x20 }
        }
    }

    /// Appends the last digits of a number that is not negative.
    mutating func append(digits value: Int, count digits: Int) {
        makeRoom(digits)
        var rest = value
        storage.withUnsafeMutableBytes { room in
            var place = count + digits
            while place > count {
                place -= 1
                room[place] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
                rest /= 10
            }
        }
        count += digits
    }
}
