import AirPlayMessages
import TuttiMediaTime

/// The kind of a start, by which speakers need different times before it. Behind a start that never began, the later of two
/// kinds counts.
enum StartKind: Int, Comparable, Sendable {
    /// Other sound, or a pause that has only just begun.
    case jump
    /// A pause.
    case resume
    /// Nothing.
    case first

    static func < (one: StartKind, other: StartKind) -> Bool { one.rawValue < other.rawValue }

    /// A speaker's lead for such a start.
    func lead(of leads: SessionTraits.Leads) -> Duration {
        switch self {
        case .jump: leads.seek
        case .resume: leads.resume
        case .first: leads.start
        }
    }
}

/// A decision when a group starts: as soon as every speaker that matters can be heard.
///
/// A value: times and states go in, the instant or the reason to wait comes out.
struct StartPlan {
    /// The state of one speaker, as far as the plan needs it.
    enum Candidate: Equatable {
        /// The first attempt to reach the speaker is still under way.
        case connecting
        /// The session is open, and the speaker can be heard from `readyAt` on (`nil`: not known yet).
        case open(since: HostTime, readyAt: HostTime?)
        case lost
    }

    enum Decision: Equatable {
        case start(HostTime)
        /// Decide again at this time, or when a speaker changes.
        case wait(until: HostTime)
        /// There is no speaker to wait for.
        case nobody
    }

    /// The time that ready speakers wait for one that is not.
    static let patience = Duration.milliseconds(1500)

    let requestedAt: HostTime
    /// The instant that the program asked for.
    let wanted: HostTime?
    /// The least time from now to the first sound.
    var lead = DeviceQuirks().startLead
    /// The least time from the decision to the first sound, for speakers that are sent nothing before it.
    var leadOfDecision = Duration.zero
    /// The time by which a speaker plays before the line.
    var headroom = Duration.zero

    func decide(_ candidates: [Candidate], at now: HostTime) -> Decision {
        var ready: [HostTime] = []
        var firstOpen: HostTime?
        var isWaiting = false
        for candidate in candidates {
            switch candidate {
            case .open(let since, let readyAt):
                firstOpen = min(firstOpen ?? since, since)
                if let readyAt { ready.append(readyAt) } else { isWaiting = true }
            case .connecting: isWaiting = true
            case .lost: break
            }
        }
        if isWaiting {
            let limit = max(requestedAt, firstOpen ?? now).advanced(by: Self.patience)
            if ready.isEmpty || now < limit { return .wait(until: now.advanced(by: .milliseconds(25))) }
        }
        guard let latest = ready.max() else { return .nobody }
        let earliest = max(latest, now.advanced(by: max(lead, leadOfDecision) + headroom))
        return .start(max(earliest, wanted ?? earliest))
    }

    /// Returns the rest of a lead of which `spent` has elapsed. If the speakers were slow to prepare or to
    /// answer, they may be as slow for the anchor.
    static func lead(_ lead: Duration, after spent: Duration, preparing: Duration, answer: Duration)
        -> Duration
    {
        max(lead - spent, min(lead / 2 + max(preparing, answer * 2), Self.longestLead))
    }

    private static let longestLead = Duration.milliseconds(150)
}
