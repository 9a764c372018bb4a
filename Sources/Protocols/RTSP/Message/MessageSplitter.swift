import TuttiWire

/// Splits a byte stream into messages, whatever the chunk boundaries: start line, headers and body.
///
/// Examines every byte once and moves it O(1) times. Lines end in CR LF or LF; skips empty lines before a
/// message.
struct MessageSplitter: Sendable {
    struct Message: Sendable {
        var startLine: String
        var headers: RTSPHeaders
        var body: [UInt8]
    }

    private struct Head: Sendable {
        var startLine: String
        var headers: RTSPHeaders
        var bodyByteCount: Int
    }

    var limits: RTSPLimits
    /// The bytes of the current message and those after it.
    private var buffer = IndexedQueue<UInt8>(compaction: .onAppend)
    /// Start of the current line, and the end of the bytes searched for its end.
    private var lineStart = 0
    private var searched = 0
    /// The complete lines of the current head, without line ends.
    private var lines: [Range<Int>] = []
    private var head: Head?
    private var failure: RTSPError?

    init(limits: RTSPLimits) { self.limits = limits }

    /// Bytes that do not form a complete message yet.
    var pendingByteCount: Int { buffer.count }

    mutating func append(_ bytes: some Collection<UInt8>) {
        guard failure == nil else { return }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next complete message; `nil` if more bytes are needed. After an error, always throws the
    /// same error.
    mutating func next() throws(RTSPError) -> Message? {
        if let failure { throw failure }
        do {
            if head == nil { head = try readHead() }
            return takeMessage()
        } catch {
            throw fail(error)
        }
    }

    /// Stops parsing: drops all bytes, and ``next()`` throws this error from now on.
    mutating func fail(_ error: RTSPError) -> RTSPError {
        failure = error
        buffer.removeAll(keepingCapacity: false)
        head = nil
        beginMessage(at: 0)
        return error
    }

    /// Removes and returns the bytes after the last complete message.
    mutating func takePending() -> [UInt8] {
        let pending = Array(buffer[0..<buffer.count])
        self = MessageSplitter(limits: limits)
        return pending
    }

    private mutating func takeMessage() -> Message? {
        guard let ready = head, buffer.count >= ready.bodyByteCount else { return nil }
        let body = Array(buffer[0..<ready.bodyByteCount])
        head = nil
        beginMessage(at: ready.bodyByteCount)
        return Message(startLine: ready.startLine, headers: ready.headers, body: body)
    }

    /// Drops the bytes before `position`, where the next message or the body begins.
    private mutating func beginMessage(at position: Int) {
        buffer.removeFirst(position)
        (lineStart, searched) = (0, 0)
        lines.removeAll(keepingCapacity: true)
    }

    /// Reads up to the empty line that ends a head, and drops it.
    private mutating func readHead() throws(RTSPError) -> Head? {
        while let end = nextLineEnd() {
            var line = lineStart..<end
            if let last = buffer[line].last, last == 0x0D { line = lineStart..<end - 1 }
            (lineStart, searched) = (end + 1, end + 1)
            if line.isEmpty && lines.isEmpty {
                beginMessage(at: lineStart)
                continue
            }
            guard lineStart <= limits.headByteCount else {
                throw .headTooLong(limit: limits.headByteCount)
            }
            if line.isEmpty { return try parseHead() }
            guard lines.count <= limits.headerCount else { throw .tooManyHeaders(limit: limits.headerCount) }
            lines.append(line)
        }
        guard buffer.count < limits.headByteCount else {
            throw .headTooLong(limit: limits.headByteCount)
        }
        return nil
    }

    private mutating func nextLineEnd() -> Int? {
        while searched < buffer.count {
            if buffer[searched] == 0x0A { return searched }
            searched += 1
        }
        return nil
    }

    private mutating func parseHead() throws(RTSPError) -> Head {
        guard let first = lines.first else { throw .malformedStartLine }
        var headers = RTSPHeaders()
        for (index, line) in lines.enumerated().dropFirst() {
            let bytes = buffer[line]
            guard let colon = bytes.firstIndex(of: 0x3A), isToken(bytes[..<colon]) else {
                throw .malformedHeader(line: index)
            }
            headers.append(
                String(decoding: bytes[..<colon], as: UTF8.self),
                String(decoding: withoutBlankEnds(bytes[(colon + 1)...]), as: UTF8.self))
        }
        let startLine = String(decoding: buffer[first], as: UTF8.self)
        let count = try bodyByteCount(headers)
        beginMessage(at: lineStart)
        return Head(startLine: startLine, headers: headers, bodyByteCount: count)
    }

    /// Trims blanks at both ends. Compares bytes, not characters, because a space and a combining accent form
    /// one character. Control characters become spaces in a header, so they count as blank.
    private func withoutBlankEnds(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isInk = { (byte: UInt8) in byte > 0x20 && byte != 0x7F }
        guard let first = bytes.firstIndex(where: isInk), let last = bytes.lastIndex(where: isInk) else {
            return []
        }
        return bytes[first...last]
    }

    private func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    private func bodyByteCount(_ headers: RTSPHeaders) throws(RTSPError) -> Int {
        let values = headers.values(of: "Content-Length")
        guard let text = values.first else { return 0 }
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, values.allSatisfy({ $0 == text }) else { throw .malformedContentLength }
        // A number too large for an Int also exceeds the body limit.
        guard let count = Int(text), count <= limits.bodyByteCount else {
            throw .bodyTooLong(limit: limits.bodyByteCount)
        }
        return count
    }
}
