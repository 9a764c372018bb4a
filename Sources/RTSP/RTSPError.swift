/// Why an RTSP connection or message is of no more use.
public enum RTSPError: Error, Hashable, Sendable {
    /// The start line and headers did not end within the limit, in bytes.
    case headTooLong(limit: Int)
    /// More header lines than the limit.
    case tooManyHeaders(limit: Int)
    /// `Content-Length` says more than the limit, in bytes.
    case bodyTooLong(limit: Int)
    /// `Content-Length` is not a number, or is there twice with different numbers.
    case malformedContentLength
    /// The first line is no request line or status line of RTSP/1.0 or HTTP/1.1. Usual reason: the
    /// peer encrypts and we do not, or the other way around.
    case malformedStartLine
    /// A line of the head is not `Name: value`; the first header is line 1.
    case malformedHeader(line: Int)
    /// An encrypted frame could not be opened: the keys of the two sides differ, or bytes were changed.
    case decryptionFailed(reason: String)
    /// The peer sent more in the clear after the request whose answer turns encryption on.
    case plaintextBeforeEncryption
    /// A request whose timeout is fatal was not answered in time.
    case requestTimedOut(RTSPMethod)
    /// The peer sent nothing for the idle limit.
    case idleTimeout
    /// The peer sent more requests than the limit without waiting for answers.
    case tooManyUnansweredRequests(limit: Int)
    /// Our own queue of requests that wait to be sent is full.
    case queueFull(limit: Int)
    /// The peer closed its end.
    case closedByPeer
    /// We closed the connection.
    case closedByUs
}
