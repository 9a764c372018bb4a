public import MediaTime

/// One request to a server and what came of it.
public struct TransferRecord: Hashable, Sendable {
    /// Why it was asked.
    public enum Cause: Hashable, Sendable {
        /// The first bytes of an address.
        case opening
        /// The reader went to a place that was not at hand.
        case jump
        /// The connection had been closed while nobody needed it.
        case needed
        /// The one before it ended in the middle; in words, why.
        case retry(String)

        public var isRetry: Bool {
            if case .retry = self { return true }
            return false
        }
    }

    /// Counts the requests of a log, from 0.
    public let number: Int
    /// Without user and password; after redirects, where they led to.
    public internal(set) var address: String
    /// Number and port, e.g. `192.0.2.1:443`; `nil` before there is a connection.
    public internal(set) var serverAddress: String?
    public let cause: Cause
    /// The first byte that was asked for.
    public let offset: Int64
    public let began: HostTime
    /// Bytes of the body that came.
    public internal(set) var byteCount: Int64 = 0
    /// From asking to the last byte, without the times when the window was full.
    public internal(set) var duration: Duration = .zero
    /// HTTP's number; `nil` before the answer.
    public internal(set) var status: Int?
    /// What went wrong; `nil` while it runs, and when it came whole or was not needed any more.
    public internal(set) var failure: String?
    public internal(set) var isRunning = true

    init(number: Int, address: String, cause: Cause, offset: Int64, began: HostTime) {
        (self.number, self.address, self.cause) = (number, address, cause)
        (self.offset, self.began) = (offset, began)
    }
}

/// Sums over all requests, those included that ``TransferLog/records`` does not keep any more.
public struct TransferTotals: Hashable, Sendable {
    public internal(set) var requestCount = 0
    public internal(set) var retryCount = 0
    /// Requests that ended with a failure.
    public internal(set) var failureCount = 0
    public internal(set) var byteCount: Int64 = 0
    /// Time in which bytes were on their way.
    public internal(set) var duration: Duration = .zero

    /// Bits per second while bytes were on their way; `nil` before any.
    public var observedBitRate: Double? {
        duration > .zero && byteCount > 0 ? Double(byteCount) * 8 / duration.inSeconds : nil
    }
}
