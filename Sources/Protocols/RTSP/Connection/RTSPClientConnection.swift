import TuttiMediaTime

/// The client side of an RTSP connection, without its socket.
///
/// Sends one request at a time, because receivers take everything after the headers as the body (*observed*,
/// shairport-sync 5.2). Further requests wait in a queue of ``queueLimit``. Matches responses to requests by
/// order. After every mutating call, take ``nextOutput()`` until it is `nil`.
package struct RTSPClientConnection: Sendable {
    /// The consequence of a request timeout.
    package enum TimeoutRule: Hashable, Sendable {
        /// The connection closes.
        case fatal
        /// The connection continues. If the request was sent, the next one waits until the late response has
        /// arrived.
        case reported
    }

    /// An event of the connection, in order.
    package enum Event: Equatable, Sendable {
        /// The response to a request.
        case response(RTSPRequestID, RTSPResponse)
        /// The timeout expired without a response; the response may still arrive as ``late(_:_:)``.
        case unanswered(RTSPRequestID)
        /// The timeout expired while the request was queued; it will not be sent.
        case unsent(RTSPRequestID)
        /// The response to a request that was reported as unanswered.
        case late(RTSPRequestID, RTSPResponse)
        /// The response has another `CSeq` than the request, and is accepted nevertheless. *Observed* on
        /// third-party receivers.
        case wrongCSeq(RTSPRequestID, expected: Int, received: Int)
        /// A response without a request; dropped.
        case unsolicited(RTSPResponse)
        /// The last event. Outstanding requests get no event of their own.
        case closed(RTSPError)
    }

    /// The tasks for the driver.
    package typealias Output = RTSPConnectionOutput

    /// Most requests queued behind the outstanding one: more than a session's longest burst (a track change
    /// needs five), few enough that a dead peer costs nothing.
    package static let queueLimit = 32

    private struct Pending: Sendable {
        let id: RTSPRequestID
        let request: RTSPRequest
        let rule: TimeoutRule
        /// `nil` once the timeout has been reported.
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

    /// Creates an open connection without encryption.
    package init(limits: RTSPLimits = .standard) {
        parser = RTSPResponseParser(limits: limits)
    }

    /// Number of requests without a response, outstanding or queued.
    package var pendingCount: Int { queue.count + (current == nil ? 0 : 1) }

    /// Whether both directions are encrypted.
    package var isEncrypted: Bool { cipher != nil }

    /// Sends a request, or queues it behind earlier ones.
    ///
    /// - Parameters:
    ///   - request: The request; the connection sets its `CSeq`.
    ///   - timeout: Time from `now` to the response, including the wait in the queue.
    /// - Throws: ``RTSPError/queueFull(limit:)``, or ``RTSPError/closedByUs`` on a closed connection.
    @discardableResult
    package mutating func send(
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

    /// Encrypts both directions from now on.
    ///
    /// - Precondition: Called once, with no request outstanding.
    package mutating func startEncryption(_ cipher: any RTSPCipher, at now: HostTime) -> [Event] {
        precondition(self.cipher == nil && current == nil, "encryption starts once, between requests")
        guard !isClosed else { return [] }
        self.cipher = cipher
        let alreadyRead = parser.takePending()
        return alreadyRead.isEmpty ? [] : receive(alreadyRead, at: now)
    }

    /// Handles bytes from the socket, in chunks of any size.
    package mutating func receive(_ bytes: [UInt8], at now: HostTime) -> [Event] {
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

    /// Handles the end of the peer's stream.
    package mutating func receiveEnd() -> [Event] {
        isClosed ? [] : [close(because: .closedByPeer)]
    }

    /// Closes the connection after everything that has been sent; forgets outstanding requests.
    package mutating func close() -> [Event] {
        isClosed ? [] : [close(because: .closedByUs)]
    }

    /// Sends a last request behind those that have been sent, also before they are answered, and closes the connection;
    /// forgets requests that wait, and the driver closes the socket.
    package mutating func close(after request: RTSPRequest) {
        guard !isClosed else { return }
        transmit(request)
        (isClosed, current, queue) = (true, nil, [])
    }

    /// Handles expired timeouts. Idempotent; safe to call early.
    package mutating func handleTimeout(at now: HostTime) -> [Event] {
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

    /// Returns the next task for the driver, once; `nil` if there is none for now.
    package mutating func nextOutput() -> Output? {
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
        current = (pending, nextCSeq)
        transmit(pending.request)
    }

    private mutating func transmit(_ request: RTSPRequest) {
        var request = request
        var headers: RTSPHeaders = ["CSeq": String(nextCSeq)]
        request.headers["CSeq"] = nil
        for field in request.headers.fields { headers.append(field.name, field.value) }
        request.headers = headers
        let bytes = request.encoded
        outputs.append(.send(cipher?.seal(bytes) ?? bytes))
        // Receivers parse CSeq as a signed 32-bit number.
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
