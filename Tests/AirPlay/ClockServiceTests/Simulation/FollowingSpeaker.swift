import TuttiClockService
import TuttiMediaTime
import TuttiPTP
import TuttiSystemIO

/// Our speaker's follower in the simulation, on a machine with its own clock.
struct FollowingSpeaker: SimulatedFollower {
    static let sender = IPAddress(192, 0, 2, 1)

    var follower: ClockFollower
    var driftPPM: Double
    var epoch: Int64 = 77_000_000_000
    private var datagram = ClockDatagram()
    private(set) var sent: [PTPMessage] = []

    init(identity: ClockIdentity = ClockIdentity(rawValue: 0x5EA), driftPPM: Double = 0) {
        follower = ClockFollower(identity: identity)
        self.driftPPM = driftPPM
    }

    func ownTime(at now: HostTime) -> HostTime {
        HostTime(
            nanoseconds: now.nanoseconds + Int64((Double(now.nanoseconds) * driftPPM * 1e-6).rounded())
                + epoch)
    }

    /// Estimated network time minus the truth, which is host time; `nil` before it is known.
    func error(of identity: ClockIdentity, at now: HostTime) -> Duration? {
        let own = ownTime(at: now)
        return follower.mapping(of: identity, at: own).map {
            .nanoseconds($0.networkTime(at: own).nanoseconds - now.nanoseconds)
        }
    }

    var nextQuestion: HostTime? {
        follower.nextDeadline.map {
            let elapsed = Double($0.nanoseconds - epoch)
            return HostTime(nanoseconds: Int64((elapsed / (1 + driftPPM * 1e-6)).rounded(.up)) + 1)
        }
    }

    mutating func ask(at now: HostTime) -> PTPMessage? {
        let own = ownTime(at: now)
        guard follower.nextDatagram(into: &datagram, at: own) else { return nil }
        datagram.stamp(at: NetworkTime(nanoseconds: own.nanoseconds))
        if datagram.isQuestion { follower.questionLeft(datagram, at: own) }
        guard let message = try? PTPMessage(datagram: datagram.bytes) else { return nil }
        sent.append(message)
        return message
    }

    mutating func receive(_ message: PTPMessage, on port: ClockPort, at now: HostTime) {
        follower.receive(message.encoded[...], from: Self.sender, on: port, at: ownTime(at: now))
    }
}
