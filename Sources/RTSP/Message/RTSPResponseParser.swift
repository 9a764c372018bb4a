/// Reads answers from a stream of bytes, cut anywhere.
///
/// Work is linear in the bytes. Answers before a malformed one are still delivered; after an error
/// every call throws that error. An answer without `Content-Length` has no body.
public struct RTSPResponseParser: Sendable {
    private var splitter: MessageSplitter

    public init(limits: RTSPLimits = .standard) { splitter = MessageSplitter(limits: limits) }

    /// Bytes that are no complete answer yet.
    public var pendingByteCount: Int { splitter.pendingByteCount }

    /// Adds bytes as the socket gave them; after an error they are dropped.
    public mutating func append(_ bytes: some Collection<UInt8>) { splitter.append(bytes) }

    /// The next answer, or `nil` when it is not complete.
    public mutating func nextResponse() throws(RTSPError) -> RTSPResponse? {
        guard let message = try splitter.next() else { return nil }
        // Bytes, not characters: a space and an accent behind it are one character.
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
