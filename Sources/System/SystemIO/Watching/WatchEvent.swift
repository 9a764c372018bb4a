import Glibc

/// An event as inotify writes it.
///
/// Layout, in the machine's byte order: 32-bit watch number, 32-bit mask, 32-bit cookie, 32-bit length of the
/// name, then the name, filled up with zeros.
struct WatchEvent: Hashable {
    /// The watch; -1 for an overflow of the queue.
    var number: Int32
    var mask: UInt32
    /// The name of the entry; empty for the folder itself.
    var name: String

    private static let headByteCount = 16

    /// Returns the whole events of a buffer.
    static func all(in bytes: UnsafeRawBufferPointer) -> [WatchEvent] {
        var events: [WatchEvent] = []
        var rest = bytes[...]
        while rest.count >= headByteCount {
            let head = UnsafeRawBufferPointer(rebasing: rest.prefix(headByteCount))
            let length = Int(head.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
            guard rest.count - headByteCount >= length else { break }
            let name = rest.dropFirst(headByteCount).prefix(length).prefix { $0 != 0 }
            events.append(
                WatchEvent(
                    number: head.loadUnaligned(as: Int32.self),
                    mask: head.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
                    name: String(decoding: name, as: UTF8.self)))
            rest = rest.dropFirst(headByteCount + length)
        }
        return events
    }

    func has(_ flag: Int32) -> Bool { mask & UInt32(bitPattern: flag) != 0 }
    func has(_ flag: UInt32) -> Bool { mask & flag != 0 }
}
