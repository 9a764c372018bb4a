import TuttiMediaTime

/// The requesting side of the NTP timing exchange, without its socket: decides when to ask, and evaluates the
/// answers.
///
/// Sends three requests 300 ms apart or closer, then others at intervals that double up to 3 s; senders expect three quick
/// ones, and one every 3 s (*observed*). The ones between soon get a quick answer if sound that fills the speaker has
/// delayed the first ones. A random token, known only to the recipient, identifies each request.
package struct NTPTimingExchange: Sendable {
    /// The result of one exchange.
    package struct Measurement: Hashable, Sendable {
        /// Host time of the request's departure.
        package var asked: HostTime
        /// Host time of the answer's arrival.
        package var answered: HostTime
        /// The sender's time of the request's arrival.
        package var received: NetworkTime
        /// The sender's time of the answer's departure.
        package var transmitted: NetworkTime
    }

    /// Number of requests at the short interval.
    package static let fastQuestions = 3
    /// The usual interval of the first requests.
    package static let fastInterval = Duration.milliseconds(300)
    /// The interval of later requests.
    package static let interval = Duration.seconds(3)
    /// The largest round trip accepted; a slower answer is too inexact (*observed*: shairport-sync's limit).
    package static let slowest = Duration.milliseconds(200)
    private static let mostOutstanding = 4

    private var outstanding: [(token: NTPTimestamp, asked: HostTime)] = []
    private var questionCount = 0
    /// The last time received, to resolve the era of later ones.
    private var reference: NetworkTime?
    /// Host time at which the next request is due.
    package private(set) var nextQuestion: HostTime
    /// Number of accepted answers.
    package private(set) var answerCount = 0

    /// The interval to the next request.
    private var wait: Duration

    /// Creates an exchange whose first request is due at `now`.
    ///
    /// - Parameter fastInterval: The interval of the first requests.
    package init(at now: HostTime, fastInterval: Duration = Self.fastInterval) {
        nextQuestion = now
        wait = fastInterval
    }

    /// Returns the request that is due.
    ///
    /// - Parameters:
    ///   - token: A new and unpredictable number.
    ///   - now: Host time of sending, right after this call.
    /// - Returns: `nil` if no request is due.
    package mutating func question(token: UInt64, at now: HostTime) -> [UInt8]? {
        guard now >= nextQuestion else { return nil }
        questionCount += 1
        if questionCount >= Self.fastQuestions { wait = min(wait * 2, Self.interval) }
        nextQuestion = now.advanced(by: wait)
        if outstanding.count >= Self.mostOutstanding { outstanding.removeFirst() }
        let token = NTPTimestamp(rawValue: token)
        outstanding.append((token, now))
        return NTPTimingPacket(question: token).encoded
    }

    /// Handles a datagram from the sender's timing port.
    ///
    /// - Parameter now: Host time of arrival, the kernel's timestamp.
    /// - Returns: `nil` unless the datagram answers an outstanding request in time.
    package mutating func receive(_ bytes: ArraySlice<UInt8>, at now: HostTime) -> Measurement? {
        guard bytes.count >= NTPTimingPacket.byteCount,
            let answer = try? NTPTimingPacket(exactly: Array(bytes.prefix(NTPTimingPacket.byteCount))),
            answer.kind == .answer,
            let index = outstanding.firstIndex(where: { $0.token == answer.reference })
        else { return nil }
        let asked = outstanding.remove(at: index).asked
        guard (.zero...Self.slowest).contains(now.since(asked)) else { return nil }
        let received = reference.map { answer.received.networkTime(near: $0) } ?? answer.received.networkTime
        let transmitted = answer.transmitted.networkTime(near: received)
        reference = transmitted
        answerCount += 1
        return Measurement(asked: asked, answered: now, received: received, transmitted: transmitted)
    }

    /// Returns the answer to a request, for a sender's timing port; `nil` if the datagram is no request.
    package static func answer(
        to bytes: ArraySlice<UInt8>, received: NetworkTime, transmitted: NetworkTime
    ) -> [UInt8]? {
        guard let question = try? NTPTimingPacket(exactly: Array(bytes)), question.kind == .question else {
            return nil
        }
        return NTPTimingPacket(
            answerTo: question, received: NTPTimestamp(received), transmitted: NTPTimestamp(transmitted)
        ).encoded
    }
}
