public import MediaTime

/// The asker's side of the timing exchange, without its socket: when to ask, and what answers say.
///
/// Three questions 300 ms apart, then one every 3 s (*observed*: what senders are used to). A question is
/// known by a number that only its receiver has seen.
public struct NTPTimingExchange: Sendable {
    /// One answered question.
    public struct Measurement: Hashable, Sendable {
        /// Departure of the question and arrival of its answer, host time.
        public var asked: HostTime
        public var answered: HostTime
        /// Arrival of the question and departure of its answer, on the sender's clock.
        public var received: NetworkTime
        public var transmitted: NetworkTime
    }

    public static let fastQuestions = 3
    public static let fastInterval = Duration.milliseconds(300)
    public static let interval = Duration.seconds(3)
    /// A slower answer says too little (*observed*: shairport-sync's limit).
    public static let slowest = Duration.milliseconds(200)
    private static let mostOutstanding = 4

    private var outstanding: [(token: NTPTimestamp, asked: HostTime)] = []
    private var questionCount = 0
    /// The last time heard, to know the turn of later ones.
    private var reference: NetworkTime?
    /// When the next question is due.
    public private(set) var nextQuestion: HostTime
    public private(set) var answerCount = 0

    public init(at now: HostTime) { nextQuestion = now }

    /// The question that is due.
    ///
    /// - Parameters:
    ///   - token: Never used before, and not to be guessed.
    ///   - now: When it is sent, right after this.
    /// - Returns: `nil` when none is due.
    public mutating func question(token: UInt64, at now: HostTime) -> [UInt8]? {
        guard now >= nextQuestion else { return nil }
        questionCount += 1
        nextQuestion = now.advanced(
            by: questionCount < Self.fastQuestions ? Self.fastInterval : Self.interval)
        if outstanding.count >= Self.mostOutstanding { outstanding.removeFirst() }
        let token = NTPTimestamp(rawValue: token)
        outstanding.append((token, now))
        return NTPTimingPacket(question: token).encoded
    }

    /// Takes a datagram of the sender's timing port.
    ///
    /// - Parameter now: When it came, the kernel's stamp.
    /// - Returns: `nil` for anything but the answer, in time, to a question that waits for one.
    public mutating func receive(_ bytes: ArraySlice<UInt8>, at now: HostTime) -> Measurement? {
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

    /// The answer to a question, for a sender's timing port; `nil` for what is no question.
    public static func answer(
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
