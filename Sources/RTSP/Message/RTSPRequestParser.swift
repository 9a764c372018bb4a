/// Reads requests from a stream of bytes, cut anywhere.
///
/// Work is linear in the bytes. Requests before a malformed one are still delivered; after an
/// error every call throws that error.
public struct RTSPRequestParser: Sendable {
    private var splitter: MessageSplitter

    public init(limits: RTSPLimits = .standard) { splitter = MessageSplitter(limits: limits) }

    /// Bytes that are no complete request yet.
    public var pendingByteCount: Int { splitter.pendingByteCount }

    /// Adds bytes as the socket gave them; after an error they are dropped.
    public mutating func append(_ bytes: some Collection<UInt8>) { splitter.append(bytes) }

    /// The next request, or `nil` when it is not complete.
    public mutating func nextRequest() throws(RTSPError) -> RTSPRequest? {
        guard let message = try splitter.next() else { return nil }
        // Bytes, not characters: a space and an accent behind it are one character.
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
