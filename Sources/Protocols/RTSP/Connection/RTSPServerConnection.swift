import TuttiMediaTime

/// The server side of an RTSP connection, without its socket.
///
/// Sends responses in the order of the requests, whatever order they are given in. Repeats a request's
/// `CSeq`. After every mutating call, take ``nextOutput()`` until it is `nil`.
package struct RTSPServerConnection: Sendable {
    /// An event of the connection, in order.
    package enum Event: Equatable, Sendable {
        /// A complete request.
        case request(RTSPRequestID, RTSPRequest)
        /// The last event; comes after the requests parsed before the error.
        case closed(RTSPError)
    }

    /// The tasks for the driver.
    package typealias Output = RTSPConnectionOutput

    /// The headers to add to responses.
    package enum AnswerStyle: Hashable, Sendable {
        /// `Content-Length` only with a body: the style of a sender on the event channel. *Observed*:
        /// `Content-Length: 0` there silenced a HomePod.
        case minimal
        /// `Content-Length` always: the style of a receiver.
        case complete
    }

    /// Most requests without a response. Senders wait for each response; this leaves room for pipelining.
    package static let unansweredLimit = 16

    private struct Unanswered: Sendable {
        let id: RTSPRequestID
        var cSeq: String?
        let version: RTSPVersion
        var response: RTSPResponse?
        var cipher: (any RTSPCipher)?
    }

    private let style: AnswerStyle
    private let idleLimit: Duration?
    private var parser: RTSPRequestParser
    private var cipher: (any RTSPCipher)?
    private var unanswered: [Unanswered] = []
    private var outputs: [Output] = []
    private var idleDeadline: HostTime?
    private var announcedWake: HostTime?
    private var nextID: UInt64 = 0
    private var isClosed = false

    /// - Parameters:
    ///   - idleLimit: Time without received bytes after which the connection closes; `nil` for never.
    ///   - cipher: The cipher of a connection that is encrypted from its first byte, such as the event
    ///     channel.
    package init(
        style: AnswerStyle, idleLimit: Duration? = nil, cipher: (any RTSPCipher)? = nil,
        limits: RTSPLimits = .standard, at now: HostTime
    ) {
        self.style = style
        self.idleLimit = idleLimit
        self.cipher = cipher
        parser = RTSPRequestParser(limits: limits)
        restartIdleTimer(at: now)
        announceWake()
    }

    /// Whether both directions are encrypted.
    package var isEncrypted: Bool { cipher != nil }

    /// Sets the limits from the next message on: an authenticated peer may send more than a stranger.
    package mutating func setLimits(_ limits: RTSPLimits) { parser.setLimits(limits) }

    /// Handles bytes from the socket, in chunks of any size.
    package mutating func receive(_ bytes: [UInt8], at now: HostTime) -> [Event] {
        guard !isClosed else { return [] }
        var events: [Event] = []
        do throws(RTSPError) {
            parser.append(try decrypt(bytes))
            restartIdleTimer(at: now)
            while let request = try parser.nextRequest() { events.append(try accept(request)) }
        } catch {
            events.append(close(because: error))
        }
        return events
    }

    /// Responds to a request; drops the response to an unknown or already answered one.
    ///
    /// - Parameter newCipher: Encrypts both directions from the first byte after this response. Anything that
    ///   the peer has already sent after the request was unencrypted and unauthenticated: it closes the
    ///   connection.
    /// - Precondition: `newCipher` is given once, on an unencrypted connection.
    @discardableResult
    package mutating func respond(
        to id: RTSPRequestID, with response: RTSPResponse, thenEncryptWith newCipher: (any RTSPCipher)? = nil
    ) -> [Event] {
        respond(to: id, with: response, cSeq: nil, thenEncryptWith: newCipher)
    }

    /// Responds like ``respond(to:with:thenEncryptWith:)``, with a number of the caller's choice, for stand-ins of
    /// devices that number their responses wrongly.
    ///
    /// - Parameter cSeq: The number to send; `nil` for the request's own.
    package mutating func respond(
        to id: RTSPRequestID, with response: RTSPResponse, cSeq: String?,
        thenEncryptWith newCipher: (any RTSPCipher)?
    ) -> [Event] {
        guard let index = unanswered.firstIndex(where: { $0.id == id && $0.response == nil }) else {
            return []
        }
        precondition(newCipher == nil || cipher == nil, "encryption starts once, from plaintext")
        unanswered[index].response = response
        if let cSeq { unanswered[index].cSeq = cSeq }
        unanswered[index].cipher = newCipher
        return sendAnswers()
    }

    /// Closes the connection after the responses already given.
    package mutating func close() -> [Event] {
        isClosed ? [] : [close(because: .closedByUs)]
    }

    /// Handles the end of the peer's stream.
    package mutating func receiveEnd() -> [Event] {
        isClosed ? [] : [close(because: .closedByPeer)]
    }

    /// Handles the idle timeout. Idempotent; safe to call early. Call again at the next
    /// ``RTSPConnectionOutput/wake(at:)``.
    package mutating func handleTimeout(at now: HostTime) -> [Event] {
        guard !isClosed, let idleDeadline else { return [] }
        guard idleDeadline <= now else {
            announceWake()
            return []
        }
        return [close(because: .idleTimeout)]
    }

    /// Returns the next task for the driver, once; `nil` if there is none for now.
    package mutating func nextOutput() -> Output? {
        outputs.isEmpty ? nil : outputs.removeFirst()
    }

    private mutating func accept(_ request: RTSPRequest) throws(RTSPError) -> Event {
        guard unanswered.count < Self.unansweredLimit else {
            throw .tooManyUnansweredRequests(limit: Self.unansweredLimit)
        }
        let id = RTSPRequestID(rawValue: nextID)
        nextID += 1
        unanswered.append(Unanswered(id: id, cSeq: request.headers["CSeq"], version: request.version))
        return .request(id, request)
    }

    private mutating func sendAnswers() -> [Event] {
        while let first = unanswered.first, let response = first.response {
            unanswered.removeFirst()
            let bytes = complete(response, for: first).encoded
            outputs.append(.send(cipher?.seal(bytes) ?? bytes))
            guard let newCipher = first.cipher else { continue }
            cipher = newCipher
            guard unanswered.isEmpty, parser.pendingByteCount == 0 else {
                return [close(because: .plaintextBeforeEncryption)]
            }
        }
        return []
    }

    private func complete(_ response: RTSPResponse, for request: Unanswered) -> RTSPResponse {
        var answer = response
        answer.version = request.version
        answer.headers = [:]
        if let cSeq = request.cSeq { answer.headers["CSeq"] = cSeq }
        for field in response.headers.fields where !field.name.equalsIgnoringCase("CSeq") {
            answer.headers.append(field.name, field.value)
        }
        if style == .complete { answer.headers["Content-Length"] = String(answer.body.count) }
        return answer
    }

    private mutating func decrypt(_ bytes: [UInt8]) throws(RTSPError) -> [UInt8] {
        do {
            return try cipher?.open(bytes) ?? bytes
        } catch {
            throw .decryptionFailed(reason: "\(error)")
        }
    }

    private mutating func restartIdleTimer(at now: HostTime) {
        if let idleLimit { idleDeadline = now.advanced(by: idleLimit) }
    }

    /// Announces a new deadline. Every read moves the deadline; the driver learns of that at the old one.
    private mutating func announceWake() {
        guard let idleDeadline, idleDeadline != announcedWake else { return }
        announcedWake = idleDeadline
        outputs.append(.wake(at: idleDeadline))
    }

    private mutating func close(because error: RTSPError) -> Event {
        isClosed = true
        unanswered = []
        outputs.append(.close)
        return .closed(error)
    }
}
