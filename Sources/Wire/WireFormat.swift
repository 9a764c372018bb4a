/// A structure with one form on the wire, read and written by the same type.
public protocol WireFormat: Sendable {
    /// Reads one value and leaves the reader behind it.
    init(parsing input: inout ByteReader) throws(WireError)
    func encode(into output: inout ByteWriter)
}

extension WireFormat {
    /// A value that must fill the bytes from first to last.
    public init(exactly bytes: [UInt8]) throws(WireError) {
        var reader = ByteReader(bytes)
        try self.init(parsing: &reader)
        guard reader.isAtEnd else { throw .trailingBytes(count: reader.remaining) }
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter()
        encode(into: &writer)
        return writer.bytes
    }
}
