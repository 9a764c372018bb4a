import AirPlayMessages
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

/// A session's knowledge of its speaker's clock, and its meaning in words.
package struct ClockReport: Equatable, Sendable {
    /// The clock that the speaker is to follow.
    package var clock: SessionChoice.Clock
    /// Whether it follows.
    package var state = PeerClockState.waiting
    /// The speaker's requests that were answered: each one shows that both directions work.
    package var requests = 0
    /// Whether speakers of its family follow without requests, so that only ``isHeard`` and ``readsByClock`` show it.
    package var neverAsks = false
    /// Whether a message of the speaker has come to our clock's ports.
    package var isHeard = false
    /// Whether the speaker's machine has answered that no program listens for the clock there.
    package var isRefused = false
    /// Whether the speaker has read sound by the clock, as far as its answers tell; `nil` if they do not.
    package var readsByClock: Bool?
    /// Whether our clock has other ports than the usual ones, which no other maker's speaker finds.
    package var hasOtherPorts = false
    /// Whether the speaker keeps announcing its own clock although ours is served to it.
    package var insists = false
    /// Whether it has announced its own clock more often than followers do, and never asked for ours.
    package var announcesItsOwn = false
    /// The host time from which the speaker can be heard; `nil` while that is unknown.
    package var readyTime: HostTime?

    /// The time without a request after which a speaker that should ask finds no clock (*reported*).
    package static let patience = Duration.seconds(5)
    /// The time after which a refusal counts: nqptp tells of itself within 0.2 s.
    private static let refusalPatience = Duration.seconds(1)

    /// Creates a report from its parts.
    package init(
        _ clock: SessionChoice.Clock, state: PeerClockState = .waiting, requests: Int = 0,
        neverAsks: Bool = false, isHeard: Bool = false, insists: Bool = false, announcesItsOwn: Bool = false,
        readyTime: HostTime? = nil
    ) {
        (self.clock, self.state, self.requests) = (clock, state, requests)
        (self.neverAsks, self.isHeard) = (neverAsks, isHeard)
        (self.insists, self.announcesItsOwn) = (insists, announcesItsOwn)
        self.readyTime = readyTime
    }

    /// Whether the speaker has shown that both directions work.
    package var isProven: Bool {
        guard state != .stalled else { return false }
        if requests > 0 || clock == .theirs || readsByClock == true { return true }
        return neverAsks && isHeard && readsByClock == nil
    }

    /// The state as far as the speaker has shown it: one that never asks is assumed to be ready after some time.
    var shownState: PeerClockState { neverAsks && state == .ready && !isProven ? .waiting : state }

    /// Returns the sign that the speaker does not follow its clock; `nil` for none.
    ///
    /// - Parameter elapsed: The time since the session was opened.
    func trouble(after elapsed: Duration) -> ClockTrouble? {
        let isUnused = requests == 0 && !neverAsks && elapsed >= Self.patience
        switch clock {
        case .host: return nil
        case .ptp where insists || isUnused && announcesItsOwn: return .insists
        case .ptp where neverAsks:
            guard !isProven else { return nil }
            if isRefused, !isHeard, elapsed >= Self.refusalPatience { return .refused }
            guard elapsed >= Self.patience else { return nil }
            return isHeard ? .unread : .unshown
        case .ptp, .ntp: return isUnused ? .unused : state == .stalled ? .stalled : nil
        case .theirs:
            return state == .stalled || (readyTime == nil && elapsed >= Self.patience) ? .unheard : nil
        }
    }

    /// Returns the reason why the speaker stays silent, and what to do; `nil` if nothing speaks against it.
    ///
    /// - Parameters:
    ///   - name: The speaker's name.
    ///   - elapsed: The time since the session was opened.
    package func trouble(of name: String, after elapsed: Duration) -> SpeakerFailure? {
        guard let trouble = trouble(after: elapsed) else { return nil }
        let seconds = max(elapsed, Self.patience).components.seconds
        let isPTP = clock.isPTP
        let what = isPTP ? "our clock" : "the time"
        var ports = isPTP ? "UDP 319 and 320" : "UDP"
        var way = isPTP ? "between it and this machine are blocked" : "from it to this machine is blocked"
        if isPTP, hasOtherPorts {
            ports = "our clock uses other ports than UDP 319 and 320 (--clock-ports),"
            way = "where only speakers by Tutti find it"
        }
        let words =
            switch trouble {
            case .insists:
                "\(name) keeps announcing its own clock, and may be silent with ours; try --clock theirs, with which Tutti follows its clock"
            case .unused:
                "\(name) never asked for \(what) in \(seconds) s: \(ports) \(way), or it needs \(isPTP ? "NTP" : "PTP"); try --clock \(isPTP ? "ntp" : "ptp")"
            case .stalled:
                "\(name) no longer asks for \(what), after \(requests == 1 ? "one request" : "\(requests) requests"): \(ports) \(way), or it is no longer on the network"
            case .unheard where readyTime != nil:
                "the clock of \(name) is no longer heard: \(ports) \(way), or it is no longer on the network; try --clock ptp"
            case .unheard:
                "no message of the clock of \(name) arrived in \(seconds) s: \(ports) \(way), it sends its clock by multicast only, or it follows ours; try --clock ptp"
            case .unshown:
                "nothing shows that \(name) follows our clock, because its nqptp sent no message in \(seconds) s: if it is silent, \(ports) \(way), or nqptp does not run there"
            case .refused:
                "\(name) refuses our clock's messages on UDP 319: nqptp does not run there, or a firewall on it rejects them; without nqptp it is silent, so start it ('systemctl start nqptp')"
            case .unread:
                "\(name) has read no sound with our clock, although its nqptp runs: if it is silent, restart both"
            }
        return SpeakerFailure(.clock, words)
    }
}

/// A sign that a speaker does not follow its clock.
enum ClockTrouble: Hashable, Sendable {
    /// It announces its own clock, and follows no other.
    case insists
    /// It never asked for the clock.
    case unused
    /// It no longer asks.
    case stalled
    /// Its own clock, which we follow, is not heard.
    case unheard
    /// It never asks, and has given no other sign that it follows.
    case unshown
    /// It never asks, and its machine says that no program listens for the clock.
    case refused
    /// It never asks, gave a sign that it follows, and reads no sound.
    case unread
}

extension ClockReport {
    /// Followers send a few Announces at first, to wake others.
    private static let tellingAnnounces = 3

    /// The report of a speaker that is served by PTP.
    ///
    /// - Parameters:
    ///   - peer: The speaker's address, which may be no peer of the clock any more.
    ///   - clock: Our clock.
    ///   - readsByClock: See ``readsByClock``.
    init(
        ptp peer: IPAddress, of clock: any SenderClock, _ receiver: ReceiverDescription,
        readsByClock: Bool? = nil
    ) {
        let status = clock.status(of: peer)
        self.init(
            .ptp, state: status?.state ?? .waiting, requests: status?.delayRequestCount ?? 0,
            neverAsks: !receiver.quirks.asksForDelay, isHeard: status?.isHeard ?? false,
            insists: status?.insistsOn != nil,
            announcesItsOwn: status.map {
                $0.announceCount >= Self.tellingAnnounces && $0.announcedGrandmaster != clock.identity
            } ?? false,
            readyTime: status?.readyTime)
        self.readsByClock = readsByClock
        isRefused = status?.isRefused ?? false
        hasOtherPorts = !clock.hasUsualPorts && receiver.family != .tutti
    }
}
