import MediaTime

/// The side of a connection that makes requests, without its socket.
///
/// One request is on its way at a time, because receivers take everything behind the headers as the
/// body (*observed*, shairport-sync 5.2); the others wait in a queue of ``queueLimit``. Answers
/// belong to requests by order. After every call that changes the value, take ``nextOutput()``
/// until it is `nil`.
public struct RTSPClientConnection: Sendable {
    /// What it means when a request has no answer in time.
    public enum TimeoutRule: Hashable, Sendable {
        /// The connection is of no more use and closes.
        case fatal
        /// The connection goes on. If the request was sent, the next one waits until its answer has
        /// come after all.
        case reported
    }

    /// What has happened, in order.
    public enum Event: Equatable, Sendable {
        case response(RTSPRequestID, RTSPResponse)
        /// The time is over and the answer has not come; it may still come as ``late(_:_:)``.
        case unanswered(RTSPRequestID)
        /// The time is over before it was this request's turn; it will not be sent.
        case unsent(RTSPRequestID)
        /// The answer to a request that was reported as unanswered.
        case late(RTSPRequestID, RTSPResponse)
        /// The answer has another `CSeq` than the request; it is taken all the same. *Observed* on
        /// third-party receivers.
        case wrongCSeq(RTSPRequestID, expected: Int, received: Int)
        /// An answer although nothing was asked; dropped.
        case unsolicited(RTSPResponse)
        /// The last event. Requests without an answer get no event of their own.
        case closed(RTSPError)
    }

    /// What the driver is asked to do.
    public typealias Output = RTSPConnectionOutput

    /// Requests that may wait behind the one on its way: more than a session's longest burst (a
    /// track change needs five), few enough that a dead peer costs nothing.
    public static let queueLimit = 32

    private struct Pending: Sendable {
        let id: RTSPRequestID
        let request: RTSPRequest
        let rule: TimeoutRule
        /// `nil` once it has been reported.
        var deadline: HostTime?
    }

    private var parser: RTSPResponseParser
    private var cipher: (any RTSPCipher)?
    private var current: (pending: Pending, cSeq: Int)?
    private var queue: [Pending] = []
    private var outputs: [Output] = []
    private var announcedWake: HostTime?
    private var nextID: UInt64 = 0
    private var nextCSeq = 1
    private var isClosed = false

    public init(limits: RTSPLimits = .standard) {
        parser = RTSPResponseParser(limits: limits)
    }

    /// Requests that have no answer yet, sent or waiting.
    public var pendingCount: Int { queue.count + (current == nil ? 0 : 1) }

    /// Whether encryption has begun; the same in both directions.
    public var isEncrypted: Bool { cipher != nil }

    /// Sends a request now, or when the ones before it have been answered.
    ///
    /// - Parameters:
    ///   - request: Its `CSeq` is set here.
    ///   - timeout: Counts from `now`, the wait in the queue included.
    /// - Throws: ``RTSPError/queueFull(limit:)``, or ``RTSPError/closedByUs`` on a closed connection.
    @discardableResult
    public mutating func send(
        _ request: RTSPRequest, timeout: Duration, rule: TimeoutRule = .fatal, at now: HostTime
    ) throws(RTSPError) -> RTSPRequestID {
        guard !isClosed else { throw .closedByUs }
        guard queue.count < Self.queueLimit else { throw .queueFull(limit: Self.queueLimit) }
        let id = RTSPRequestID(rawValue: nextID)
        nextID += 1
        queue.append(
            Pending(id: id, request: request, rule: rule, deadline: now.advanced(by: timeout)))
        sendNext()
        announceWake()
        return id
    }

    /// From now on both directions are encrypted.
    ///
    /// - Precondition: Once, and while no request is without its answer.
    public mutating func startEncryption(_ cipher: any RTSPCipher, at now: HostTime) -> [Event] {
        precondition(self.cipher == nil && current == nil, "encryption starts once, between requests")
        guard !isClosed else { return [] }
        self.cipher = cipher
        let alreadyRead = parser.takePending()
        return alreadyRead.isEmpty ? [] : receive(alreadyRead, at: now)
    }

    /// Takes bytes as the socket gave them, cut anywhere.
    public mutating func receive(_ bytes: [UInt8], at now: HostTime) -> [Event] {
        guard !isClosed else { return [] }
        var events: [Event] = []
        do throws(RTSPError) {
            parser.append(try decrypt(bytes))
            while let response = try parser.nextResponse() { events += accept(response) }
        } catch {
            events.append(close(because: error))
        }
        announceWake()
        return events
    }

    /// The peer closed its end of the socket.
    public mutating func receiveEnd() -> [Event] {
        isClosed ? [] : [close(because: .closedByPeer)]
    }

    /// Closes behind what has been sent; requests without an answer are forgotten.
    public mutating func close() -> [Event] {
        isClosed ? [] : [close(because: .closedByUs)]
    }

    /// Safe to call early or twice; only the time decides.
    public mutating func handleTimeout(at now: HostTime) -> [Event] {
        guard !isClosed else { return [] }
        var events: [Event] = []
        if let current, let deadline = current.pending.deadline, deadline <= now {
            guard current.pending.rule == .reported else {
                return [close(because: .requestTimedOut(current.pending.request.method))]
            }
            self.current?.pending.deadline = nil
            events.append(.unanswered(current.pending.id))
        }
        let expired = queue.filter { pending in pending.deadline.map { $0 <= now } ?? false }
        queue.removeAll { pending in expired.contains { $0.id == pending.id } }
        events += expired.map { .unsent($0.id) }
        if let fatal = expired.first(where: { $0.rule == .fatal }) {
            events.append(close(because: .requestTimedOut(fatal.request.method)))
        }
        announceWake()
        return events
    }

    /// The next thing to do, once; `nil` when there is nothing more for now.
    public mutating func nextOutput() -> Output? {
        outputs.isEmpty ? nil : outputs.removeFirst()
    }

    private mutating func accept(_ response: RTSPResponse) -> [Event] {
        guard let current else { return [.unsolicited(response)] }
        guard !response.status.isInterim else { return [] }
        var events: [Event] = []
        if let received = response.headers.cSeq, received != current.cSeq {
            events.append(.wrongCSeq(current.pending.id, expected: current.cSeq, received: received))
        }
        let id = current.pending.id
        events.append(current.pending.deadline == nil ? .late(id, response) : .response(id, response))
        self.current = nil
        sendNext()
        return events
    }

    private mutating func sendNext() {
        guard current == nil, !queue.isEmpty else { return }
        let pending = queue.removeFirst()
        var request = pending.request
        var headers: RTSPHeaders = ["CSeq": String(nextCSeq)]
        request.headers["CSeq"] = nil
        for field in request.headers.fields { headers.append(field.name, field.value) }
        request.headers = headers
        let bytes = request.encoded
        outputs.append(.send(cipher?.seal(bytes) ?? bytes))
        current = (pending, nextCSeq)
        // Receivers read CSeq as a signed 32-bit number.
        nextCSeq = nextCSeq == Int(Int32.max) ? 1 : nextCSeq + 1
    }

    private mutating func decrypt(_ bytes: [UInt8]) throws(RTSPError) -> [UInt8] {
        do {
            return try cipher?.open(bytes) ?? bytes
        } catch {
            throw .decryptionFailed(reason: "\(error)")
        }
    }

    private mutating func announceWake() {
        guard !isClosed else { return }
        let deadlines = queue.compactMap(\.deadline) + [current?.pending.deadline].compactMap { $0 }
        guard let earliest = deadlines.min(), earliest != announcedWake else { return }
        announcedWake = earliest
        outputs.append(.wake(at: earliest))
    }

    private mutating func close(because error: RTSPError) -> Event {
        isClosed = true
        current = nil
        queue = []
        outputs.append(.close)
        return .closed(error)
    }
}
