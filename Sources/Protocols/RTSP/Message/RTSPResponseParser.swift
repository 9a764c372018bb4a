/// Parses responses from a byte stream, in chunks of any size.
///
/// Runs in linear time. Delivers the responses before a malformed one; after an error, every call throws the
/// same error. A response without `Content-Length` has no body.
package struct RTSPResponseParser: Sendable {
    private var splitter: MessageSplitter

    /// Creates a parser with limits for each response.
    package init(limits: RTSPLimits = .standard) { splitter = MessageSplitter(limits: limits) }

    /// Bytes that do not form a complete response yet.
    package var pendingByteCount: Int { splitter.pendingByteCount }

    /// Appends bytes from the socket; drops them after an error.
    package mutating func append(_ bytes: some Collection<UInt8>) { splitter.append(bytes) }

    /// Returns the next response, or `nil` if it is incomplete.
    package mutating func nextResponse() throws(RTSPError) -> RTSPResponse? {
        guard let message = try splitter.next() else { return nil }
        // Split bytes, not characters: a space and a combining accent form one character.
        let words = message.startLine.utf8.split(
            separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false
        ).map { Substring($0) }
        guard words.count >= 2, let version = RTSPVersion(rawValue: String(words[0])),
            words[1].utf8.count == 3, words[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let status = Int(words[1]), status >= 100
        else { throw splitter.fail(.malformedStartLine) }
        return RTSPResponse(
            RTSPStatus(rawValue: status), reason: words.count > 2 ? String(words[2]) : "",
            version: version, headers: message.headers, body: message.body)
    }

    mutating func takePending() -> [UInt8] { splitter.takePending() }
}
