import TuttiMediaTime

/// A request to a server and its outcome.
public struct TransferRecord: Hashable, Sendable {
    /// The reason for a request.
    public enum Cause: Hashable, Sendable {
        /// The first request for an address.
        case opening
        /// The reader moved to an offset that was not cached.
        case jump
        /// The reader needs data again after its idle connection was closed.
        case needed
        /// The previous request ended prematurely; carries the reason.
        case retry(String)

        /// Whether the request repeats a failed request.
        public var isRetry: Bool {
            if case .retry = self { return true }
            return false
        }
    }

    /// The index of the request in its log, from 0.
    public let number: Int
    /// The address after redirects, without user and password.
    public internal(set) var address: String
    /// The server's IP address and port, e.g. `192.0.2.1:443`; `nil` before the connection.
    public internal(set) var serverAddress: String?
    /// The reason for the request.
    public let cause: Cause
    /// The first byte requested.
    public let offset: Int64
    /// The time of the request, on the host clock.
    public let began: HostTime
    /// Bytes of the body received.
    public internal(set) var byteCount: Int64 = 0
    /// The time from the request to the last byte, without back-pressure pauses.
    public internal(set) var duration: Duration = .zero
    /// The HTTP status code; `nil` before the response.
    public internal(set) var status: Int?
    /// The failure; `nil` while the request runs, or if it completed or was abandoned.
    public internal(set) var failure: String?
    /// Whether the request is still running.
    public internal(set) var isRunning = true

    init(number: Int, address: String, cause: Cause, offset: Int64, began: HostTime) {
        (self.number, self.address, self.cause) = (number, address, cause)
        (self.offset, self.began) = (offset, began)
    }
}

/// Sums over all requests, including those that ``TransferLog/records`` no longer holds.
public struct TransferTotals: Hashable, Sendable {
    /// All requests, including retries.
    public internal(set) var requestCount = 0
    /// Requests that repeat a failed request.
    public internal(set) var retryCount = 0
    /// Requests that ended with a failure.
    public internal(set) var failureCount = 0
    /// Bytes of all bodies.
    public internal(set) var byteCount: Int64 = 0
}
