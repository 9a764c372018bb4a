/// Parses requests from a byte stream, in chunks of any size.
///
/// Runs in linear time. Delivers the requests before a malformed one; after an error, every call throws the
/// same error.
package struct RTSPRequestParser: Sendable {
    private var splitter: MessageSplitter

    /// Creates a parser with limits for each request.
    package init(limits: RTSPLimits = .standard) { splitter = MessageSplitter(limits: limits) }

    /// Bytes that do not form a complete request yet.
    package var pendingByteCount: Int { splitter.pendingByteCount }

    /// Appends bytes from the socket; drops them after an error.
    package mutating func append(_ bytes: some Collection<UInt8>) { splitter.append(bytes) }

    /// Returns the next request, or `nil` if it is incomplete.
    package mutating func nextRequest() throws(RTSPError) -> RTSPRequest? {
        guard let message = try splitter.next() else { return nil }
        // Split bytes, not characters: a space and a combining accent form one character.
        let words = message.startLine.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
            .map { Substring($0) }
        guard words.count == 3, !words[0].isEmpty, !words[1].isEmpty,
            words[0].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            words[1].utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
            let version = RTSPVersion(rawValue: String(words[2]))
        else { throw splitter.fail(.malformedStartLine) }
        return RTSPRequest(
            RTSPMethod(rawValue: String(words[0])), String(words[1]), version: version,
            headers: message.headers, body: message.body)
    }

    mutating func setLimits(_ limits: RTSPLimits) { splitter.limits = limits }

    mutating func takePending() -> [UInt8] { splitter.takePending() }
}
