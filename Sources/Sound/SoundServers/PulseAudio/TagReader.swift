import TuttiWire

/// Reads the fields of a message of the native protocol: each has a byte that names its type.
struct TagReader {
    /// Most channels of a stream.
    static let channelLimit = 32

    private var reader: ByteReader

    init(_ payload: [UInt8]) { reader = ByteReader(payload) }

    mutating func integer(_ field: StaticString) throws(WireError) -> UInt32 {
        try expect("L", field)
        return try reader.integer(UInt32.self, field: field)
    }

    mutating func boolean(_ field: StaticString) throws(WireError) -> Bool {
        let tag = try reader.byte(field: field)
        switch tag {
        case UInt8(ascii: "1"): return true
        case UInt8(ascii: "0"): return false
        default: throw .unexpected(field: "\(field)", value: UInt64(tag))
        }
    }

    /// Skips a text, which may be absent.
    mutating func skipText(_ field: StaticString) throws(WireError) {
        let tag = try reader.byte(field: field)
        if tag == UInt8(ascii: "N") { return }
        guard tag == UInt8(ascii: "t") else { throw .unexpected(field: "\(field)", value: UInt64(tag)) }
        while try reader.byte(field: field) != 0 {}
    }

    /// Skips bytes without a meaning here, such as a cookie.
    mutating func skipArbitrary(_ field: StaticString) throws(WireError) {
        try expect("x", field)
        try reader.skip(Int(try reader.integer(UInt32.self, field: field)), field: field)
    }

    /// A time of day: seconds and microseconds.
    mutating func time(_ field: StaticString) throws(WireError) -> NativeTime {
        try expect("T", field)
        let seconds = try reader.integer(UInt32.self, field: field)
        return NativeTime(seconds: seconds, microseconds: try reader.integer(UInt32.self, field: field))
    }

    mutating func sampleSpecification(_ field: StaticString) throws(WireError) -> NativeSampleSpecification {
        try expect("a", field)
        let format = try reader.byte(field: field)
        let channelCount = try reader.byte(field: field)
        return NativeSampleSpecification(
            format: format, channelCount: channelCount, hertz: try reader.integer(UInt32.self, field: field))
    }

    mutating func skipChannelMap(_ field: StaticString) throws(WireError) {
        try expect("m", field)
        try reader.skip(try channelCount(field), field: field)
    }

    /// The volume of each channel.
    mutating func volumes(_ field: StaticString) throws(WireError) -> [UInt32] {
        try expect("v", field)
        var volumes: [UInt32] = []
        for _ in 0..<(try channelCount(field)) {
            volumes.append(try reader.integer(UInt32.self, field: field))
        }
        return volumes
    }

    private mutating func channelCount(_ field: StaticString) throws(WireError) -> Int {
        let count = Int(try reader.byte(field: field))
        guard (1...Self.channelLimit).contains(count) else {
            throw .outOfRange(field: "\(field)", value: UInt64(count))
        }
        return count
    }

    private mutating func expect(_ tag: Unicode.Scalar, _ field: StaticString) throws(WireError) {
        let found = try reader.byte(field: field)
        guard found == UInt8(ascii: tag) else { throw .unexpected(field: "\(field)", value: UInt64(found)) }
    }
}

/// A time of day in a message.
struct NativeTime: Hashable {
    var seconds: UInt32
    var microseconds: UInt32
}

/// The form of a stream's samples.
struct NativeSampleSpecification: Hashable {
    /// 5: binary32 of little endian; 6: of big endian.
    var format: UInt8
    var channelCount: UInt8
    var hertz: UInt32

    /// Stereo floats in native byte order.
    static func stereo(hertz: Int) -> NativeSampleSpecification {
        NativeSampleSpecification(
            format: 1.littleEndian == 1 ? 5 : 6, channelCount: 2, hertz: UInt32(clamping: hertz))
    }
}
