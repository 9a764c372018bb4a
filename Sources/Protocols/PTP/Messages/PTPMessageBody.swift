import TuttiWire

/// A PTP message: a header and a body.
protocol PTPMessageBody: Hashable, Sendable {
    var header: PTPHeader { get }
    /// Reads the body; the reader must hold exactly the message's bytes after the header.
    init(header: PTPHeader, parsing input: inout ByteReader) throws(WireError)
    func encodeBody(into output: inout ByteWriter)
}

extension PTPMessageBody {
    var encodedMessage: [UInt8] {
        var body = ByteWriter(reserving: 72)
        encodeBody(into: &body)
        var message = ByteWriter(reserving: PTPHeader.byteCount + body.bytes.count)
        header.encode(length: PTPHeader.byteCount + body.bytes.count, into: &message)
        message.append(body.bytes)
        return message.bytes
    }
}
