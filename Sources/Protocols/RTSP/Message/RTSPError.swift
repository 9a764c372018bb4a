/// The reason that an RTSP connection or message cannot be used any further.
package enum RTSPError: Error, Hashable, Sendable {
    /// The start line and headers did not end within the limit, in bytes.
    case headTooLong(limit: Int)
    /// There are more header lines than the limit.
    case tooManyHeaders(limit: Int)
    /// `Content-Length` exceeds the limit, in bytes.
    case bodyTooLong(limit: Int)
    /// `Content-Length` is not a number, or repeated with different values.
    case malformedContentLength
    /// The first line is no request line or status line of RTSP/1.0 or HTTP/1.1. Usual reason: only one of
    /// the two sides encrypts.
    case malformedStartLine
    /// A header line is not `Name: value`; the first header is line 1.
    case malformedHeader(line: Int)
    /// An encrypted frame is not authentic: the keys of the two sides differ, or bytes were changed.
    case decryptionFailed(reason: String)
    /// The peer sent plaintext after the request whose response starts encryption.
    case plaintextBeforeEncryption
    /// A request with a fatal timeout was not answered in time.
    case requestTimedOut(RTSPMethod)
    /// The peer sent nothing within the idle limit.
    case idleTimeout
    /// The peer sent more requests than the limit without waiting for responses.
    case tooManyUnansweredRequests(limit: Int)
    /// The queue of requests to send is full.
    case queueFull(limit: Int)
    /// The peer closed its end of the connection.
    case closedByPeer
    /// The connection was closed locally.
    case closedByUs
}
