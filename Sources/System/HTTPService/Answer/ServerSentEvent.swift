/// An event of a `text/event-stream` (HTML standard, "Server-sent events").
package struct ServerSentEvent: Hashable, Sendable {
    /// The bytes on the wire, with the empty line at the end.
    package let bytes: [UInt8]

    /// Makes an event.
    ///
    /// - Parameters:
    ///   - name: The type; one line.
    ///   - id: The text that a client sends as `Last-Event-ID` when it comes back; one line.
    ///   - data: Any text; line breaks become lines of data.
    package init(name: String, id: String? = nil, data: [UInt8]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + 64)
        if let id { bytes += "id: ".utf8 + Self.line(id) + "\n".utf8 }
        bytes += "event: ".utf8 + Self.line(name) + "\n".utf8
        for line in Self.lines(of: data) { bytes += "data: ".utf8 + line + "\n".utf8 }
        bytes.append(0x0A)
        self.bytes = bytes
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// A comment, which keeps the connection alive and shows a dead one.
    static let keepAlive = ServerSentEvent(bytes: Array(": \n\n".utf8))

    /// JSON has one line, and is copied as it is.
    private static func lines(of data: [UInt8]) -> [ArraySlice<UInt8>] {
        guard data.contains(0x0A) || data.contains(0x0D) else { return [data[...]] }
        return data.filter { $0 != 0x0D }.split(separator: 0x0A, omittingEmptySubsequences: false)
    }

    private static func line(_ text: String) -> [UInt8] {
        text.utf8.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
    }
}
