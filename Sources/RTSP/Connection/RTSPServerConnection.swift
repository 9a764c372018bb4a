import MediaTime

/// The side of a connection that answers requests, without its socket.
///
/// Answers go out in the order of the requests, whatever the order in which they are given. `CSeq`
/// is repeated if the request had one. After every call that changes the value, take
/// ``nextOutput()`` until it is `nil`.
public struct RTSPServerConnection: Sendable {
    /// What has happened, in order.
    public enum Event: Equatable, Sendable {
        case request(RTSPRequestID, RTSPRequest)
        /// The last event; requests parsed before the error come before it.
        case closed(RTSPError)
    }

    /// What the driver is asked to do.
    public typealias Output = RTSPConnectionOutput

    /// Which headers an answer gets that nobody asked for.
    public enum AnswerStyle: Hashable, Sendable {
        /// `Content-Length` only with a body: what a sender answers on the event channel. *Observed*:
        /// `Content-Length: 0` there silenced a HomePod.
        case minimal
        /// `Content-Length` always: what a receiver answers.
        case complete
    }

    /// Requests that may be without an answer at once. Senders wait for each answer; this leaves
    /// room for those that do not.
    public static let unansweredLimit = 16

    private struct Unanswered: Sendable {
        let id: RTSPRequestID
        let cSeq: String?
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
    ///   - idleLimit: The connection closes when the peer sends nothing for so long; `nil` for never.
    ///   - cipher: For a connection that is encrypted from its first byte, as the event channel is.
    public init(
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

    /// Whether encryption has begun; the same in both directions.
    public var isEncrypted: Bool { cipher != nil }

    /// From the next message on: a peer that has shown who it is may send more than a stranger.
    public mutating func setLimits(_ limits: RTSPLimits) { parser.setLimits(limits) }

    /// Takes bytes as the socket gave them, cut anywhere.
    public mutating func receive(_ bytes: [UInt8], at now: HostTime) -> [Event] {
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

    /// Answers a request; an answer to an unknown or closed one is dropped.
    ///
    /// - Parameter newCipher: Encrypts both directions from the first byte behind this answer. What the peer
    ///   has already sent behind the request came in the clear, from anyone: it ends the connection.
    /// - Precondition: `newCipher` is given once, on a connection that is not encrypted.
    @discardableResult
    public mutating func respond(
        to id: RTSPRequestID, with response: RTSPResponse, thenEncryptWith newCipher: (any RTSPCipher)? = nil
    ) -> [Event] {
        guard let index = unanswered.firstIndex(where: { $0.id == id && $0.response == nil }) else {
            return []
        }
        precondition(newCipher == nil || cipher == nil, "encryption starts once, from plaintext")
        unanswered[index].response = response
        unanswered[index].cipher = newCipher
        return sendAnswers()
    }

    /// Closes behind the answers that have been given.
    public mutating func close() -> [Event] {
        isClosed ? [] : [close(because: .closedByUs)]
    }

    /// The peer closed its end of the socket.
    public mutating func receiveEnd() -> [Event] {
        isClosed ? [] : [close(because: .closedByPeer)]
    }

    /// Safe to call early or twice; only the time decides. Call it again at the next ``RTSPConnectionOutput/wake(at:)``.
    public mutating func handleTimeout(at now: HostTime) -> [Event] {
        guard !isClosed, let idleDeadline else { return [] }
        guard idleDeadline <= now else {
            announceWake()
            return []
        }
        return [close(because: .idleTimeout)]
    }

    /// The next thing to do, once; `nil` when there is nothing more for now.
    public mutating func nextOutput() -> Output? {
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

    /// The deadline moves with every read; the driver hears of it when the old one has come.
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
