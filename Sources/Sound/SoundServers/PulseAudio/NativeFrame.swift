import TuttiWire

/// One frame of the native protocol: 20 bytes of descriptor, then the payload.
///
///     0   length of the payload   4
///     4   channel                 4   0xFFFFFFFF: a message
///     8   offset                  8
///     16  flags                   4   the seek mode, and what concerns shared memory
struct NativeFrame: Equatable {
    /// The descriptor's channel of messages.
    static let messageChannel: UInt32 = .max
    /// Longest message; the longest of a tunnel, its properties, has some hundred bytes.
    static let longestMessage = 64 << 10
    /// Longest block of sound; PulseAudio's memory blocks have 64 KiB.
    static let longestBlock = 256 << 10
    static let descriptorSize = 20

    /// The stream of a block; `nil` for a message.
    var channel: UInt32?
    var payload: [UInt8]

    /// The bytes of a message.
    static func message(_ payload: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(reserving: descriptorSize + payload.count)
        writer.integer(UInt32(truncatingIfNeeded: payload.count))
        writer.integer(messageChannel)
        writer.zeros(12)
        writer.append(payload)
        return writer.bytes
    }
}

/// Cuts a stream of bytes into frames.
struct NativeFrameReader {
    private var bytes: [UInt8] = []

    /// Bytes that wait for the rest of their frame; at most one frame and the last ``append(_:)``.
    var waiting: Int { bytes.count }

    mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

    /// Returns the next complete frame.
    ///
    /// - Throws: An error if a frame is longer than its kind may be, moves within the stream, or uses shared
    ///   memory.
    mutating func next() throws(WireError) -> NativeFrame? {
        guard bytes.count >= NativeFrame.descriptorSize else { return nil }
        var reader = ByteReader(bytes)
        let length = Int(try reader.integer(UInt32.self, field: "length"))
        let channel = try reader.integer(UInt32.self, field: "channel")
        let offset = try reader.integer(UInt64.self, field: "offset")
        let flags = try reader.integer(UInt32.self, field: "flags")
        let isMessage = channel == NativeFrame.messageChannel
        guard length <= (isMessage ? NativeFrame.longestMessage : NativeFrame.longestBlock) else {
            throw .outOfRange(field: "length", value: UInt64(length))
        }
        guard offset == 0 else { throw .unexpected(field: "offset", value: offset) }
        guard flags == 0 else { throw .unexpected(field: "flags", value: UInt64(flags)) }
        guard reader.remaining >= length else { return nil }
        let payload = try reader.bytes(count: length, field: "payload")
        bytes.removeFirst(NativeFrame.descriptorSize + length)
        return NativeFrame(channel: isMessage ? nil : channel, payload: payload)
    }
}
