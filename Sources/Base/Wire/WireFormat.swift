/// A structure with one wire encoding, read and written by the same type.
package protocol WireFormat: Sendable {
    /// Reads one value and advances the reader past it.
    init(parsing input: inout ByteReader) throws(WireError)
    /// Appends the value's encoding.
    func encode(into output: inout ByteWriter)
}

extension WireFormat {
    /// Reads a value that must fill all of the bytes.
    package init(exactly bytes: [UInt8]) throws(WireError) {
        var reader = ByteReader(bytes)
        try self.init(parsing: &reader)
        guard reader.isAtEnd else { throw .trailingBytes(count: reader.remaining) }
    }

    /// The value's encoding.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        encode(into: &writer)
        return writer.bytes
    }
}
