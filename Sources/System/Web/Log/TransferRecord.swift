import TuttiMediaTime

/// A request to a server and its outcome.
package struct TransferRecord: Hashable, Sendable {
    /// The reason for a request.
    package enum Cause: Hashable, Sendable {
        /// The first request for an address.
        case opening
        /// The reader moved to an offset that was not cached.
        case jump
        /// The reader needs data again after its idle connection was closed.
        case needed
        /// The previous request ended prematurely; carries the reason.
        case retry(String)

        /// Whether the request repeats a failed request.
        package var isRetry: Bool {
            if case .retry = self { return true }
            return false
        }
    }

    /// The index of the request in its log, from 0.
    package let number: Int
    /// The address after redirects, without user and password.
    package internal(set) var address: String
    /// The server's IP address and port, e.g. `192.0.2.1:443`; `nil` before the connection.
    package internal(set) var serverAddress: String?
    /// The reason for the request.
    package let cause: Cause
    /// The first byte requested.
    package let offset: Int64
    /// The time of the request, on the host clock.
    package let began: HostTime
    /// Bytes of the body received.
    package internal(set) var byteCount: Int64 = 0
    /// The time from the request to the last byte, without back-pressure pauses.
    package internal(set) var duration: Duration = .zero
    /// The HTTP status code; `nil` before the response.
    package internal(set) var status: Int?
    /// The failure; `nil` while the request runs, or if it completed or was abandoned.
    package internal(set) var failure: String?
    /// Whether the request is still running.
    package internal(set) var isRunning = true

    init(number: Int, address: String, cause: Cause, offset: Int64, began: HostTime) {
        (self.number, self.address, self.cause) = (number, address, cause)
        (self.offset, self.began) = (offset, began)
    }
}

/// Sums over all requests, including those that ``TransferLog/records`` no longer holds.
package struct TransferTotals: Hashable, Sendable {
    /// All requests, including retries.
    package internal(set) var requestCount = 0
    /// Requests that repeat a failed request.
    package internal(set) var retryCount = 0
    /// Requests that ended with a failure.
    package internal(set) var failureCount = 0
    /// Bytes of all bodies.
    package internal(set) var byteCount: Int64 = 0
}
