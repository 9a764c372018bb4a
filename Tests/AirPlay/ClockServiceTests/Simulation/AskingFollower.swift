import TuttiClockService
import TuttiMediaTime
import TuttiPTP

/// A receiver that measures the path with Delay_Req, as the standard says, without a filter.
struct AskingFollower: SimulatedFollower {
    let identity = PTPPortIdentity(clock: ClockIdentity(rawValue: 0x55AA), port: 1)
    /// Its own clock minus host time.
    var epoch: Int64 = -5_000_000_000
    var interval: Duration
    private(set) var nextQuestion: HostTime?
    /// Own time minus network time after the last exchange; the truth is ``epoch``.
    private(set) var offsets: [(time: HostTime, offset: Int64, pathDelay: Int64)] = []
    private(set) var responseCount = 0
    private var sequence: UInt16 = 0
    private var askedAt: Int64 = 0
    private var syncArrivals: [UInt16: Int64] = [:]
    private var lastDifference: Int64?
    private var differenceWhenAsked: Int64?

    init(firstQuestion: HostTime, interval: Duration = .milliseconds(125)) {
        nextQuestion = firstQuestion
        self.interval = interval
    }

    mutating func stopAsking() { nextQuestion = nil }
    mutating func ask(again time: HostTime) { nextQuestion = time }

    mutating func ask(at now: HostTime) -> PTPMessage? {
        nextQuestion = now.advanced(by: interval)
        sequence &+= 1
        askedAt = now.nanoseconds + epoch
        differenceWhenAsked = lastDifference
        return .delayRequest(PTPDelayRequest(source: identity, sequence: sequence))
    }

    mutating func receive(_ message: PTPMessage, on port: ClockPort, at now: HostTime) {
        let ownTime = now.nanoseconds + epoch
        switch message {
        case .sync(let sync): syncArrivals[sync.header.sequence] = ownTime
        case .followUp(let followUp):
            guard let arrival = syncArrivals.removeValue(forKey: followUp.header.sequence) else { return }
            lastDifference = arrival - followUp.preciseOriginTimestamp.networkTime.nanoseconds
        case .delayResponse(let response):
            responseCount += 1
            guard response.requester == identity, response.header.sequence == sequence,
                let difference = differenceWhenAsked
            else { return }
            let back = response.receiveTimestamp.networkTime.nanoseconds - askedAt
            let pathDelay = (difference + back) / 2
            offsets.append((now, difference - pathDelay, pathDelay))
        default: break
        }
    }
}
