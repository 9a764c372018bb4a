import TuttiClockService
import TuttiMediaTime
import TuttiPTP

/// A receiver that never asks, after the observed behaviour of shairport-sync's clock follower:
/// a Follow_Up's time counts as its arrival time, and the offset is smoothed.
struct ListeningFollower: SimulatedFollower {
    /// Skew of its own clock, parts per million.
    var driftPPM = 0.0
    /// Its own clock at host time zero, nanoseconds.
    var epoch: Int64 = 77_000_000_000
    /// Duration after the first Announce during which arrivals are timestamped late.
    var busyAfterAnnounce = Duration.milliseconds(150)

    private(set) var grandmaster: ClockIdentity?
    /// Network time minus its own.
    private(set) var offset: Int64?
    private(set) var masteredSince: HostTime?
    private(set) var announceCount = 0
    private var busyUntil = HostTime(nanoseconds: .min)

    init(driftPPM: Double = 0) { self.driftPPM = driftPPM }

    var nextQuestion: HostTime? { nil }
    mutating func ask(at now: HostTime) -> PTPMessage? { nil }

    func ownTime(at now: HostTime) -> Int64 {
        now.nanoseconds + Int64(Double(now.nanoseconds) * driftPPM * 1e-6) + epoch
    }

    /// Estimated network time, minus the truth.
    func error(at now: HostTime) -> Duration? {
        offset.map { .nanoseconds(ownTime(at: now) + $0 - now.nanoseconds) }
    }

    /// 400 ms of one clock suffice to play.
    func isUsable(at now: HostTime) -> Bool {
        masteredSince.map { now.since($0) >= .milliseconds(400) } ?? false
    }

    /// Resets everything, as a stream SETUP does.
    mutating func wipe() {
        let kept = self
        self = ListeningFollower(driftPPM: kept.driftPPM)
        epoch = kept.epoch
    }

    mutating func receive(_ message: PTPMessage, on port: ClockPort, at now: HostTime) {
        switch message {
        case .announce(let announce):
            announceCount += 1
            if grandmaster != announce.grandmaster {
                if grandmaster == nil { busyUntil = now.advanced(by: busyAfterAnnounce) }
                grandmaster = announce.grandmaster
                offset = nil
                masteredSince = nil
            }
        case .followUp(let followUp):
            guard grandmaster != nil else { return }
            take(followUp, at: max(now, busyUntil))
        default: break
        }
    }

    private mutating func take(_ followUp: PTPFollowUp, at arrival: HostTime) {
        let sample = followUp.preciseOriginTimestamp.networkTime.nanoseconds - ownTime(at: arrival)
        guard let old = offset, let masteredSince else {
            offset = sample
            masteredSince = arrival
            return
        }
        let change = sample - old
        if arrival.since(masteredSince) < .seconds(1) {
            offset = max(old, sample)
        } else if change >= 0 {
            offset = old + change / 16
        } else {
            offset = old + max(change, -2_500_000) / 256
        }
    }
}
