import AirPlayMessages
import TuttiMediaTime

@testable import AirPlaySender

/// A group plan whose sessions the test simulates.
struct PlanRun {
    /// An unanswered request.
    struct Sent {
        var request: GroupRequest
        var id: SessionID
        var round: Int
    }

    /// An unanswered start.
    struct Start {
        var id: SessionID
        var line: FrameLine
        var needsBeginning: Bool
    }

    var plan: GroupPlan
    var now = HostTime(nanoseconds: 1_000_000_000)
    /// The times from which speakers follow the clock, `nil` if unknown; a session without an entry always
    /// follows.
    var ready: [SessionID: HostTime?] = [:]
    /// The unanswered requests, in order.
    var requests: [Sent] = []
    /// All other actions since the test last cleared them.
    var reports: [GroupAction] = []

    static let a = SessionID(number: 1)
    static let b = SessionID(number: 2)

    init(timing: SenderTiming = SenderTiming()) { plan = GroupPlan(timing: timing) }

    /// Creates a group whose sessions are open and greeted.
    init(
        open ids: [SessionID], timing: SenderTiming = SenderTiming(), traits: SessionTraits = Self.traits()
    ) {
        self.init(timing: timing)
        for id in ids { open(id, traits) }
        reports = []
    }

    static func traits(
        seek: Duration = .milliseconds(40), resume: Duration = .milliseconds(100), showsClock: Bool = false
    ) -> SessionTraits {
        var traits = SessionTraits(receiver: ReceiverDescription(), address: "", bufferBytes: 1 << 20)
        traits.leads = SessionTraits.Leads(start: .milliseconds(100), resume: resume, seek: seek)
        (traits.takeBackMargin, traits.showsWhetherItFollows) = (.milliseconds(1200), showsClock)
        return traits
    }

    static func line(frame: Int64, at host: HostTime) -> FrameLine {
        FrameLine(frame: frame, host: host, sampleRate: .hz44100)
    }

    mutating func open(_ id: SessionID, _ traits: SessionTraits = Self.traits()) {
        let member = MemberID(number: id.number)
        if !plan.sessions.members.contains(where: { $0.id == member }) { give(.joined(member)) }
        give(.opened(member, id, traits))
        give(.greeted(id))
    }

    mutating func give(_ input: GroupInput) {
        let ready = ready
        plan.receive(input, at: now) { id in ready[id] ?? HostTime(nanoseconds: 0) }
        while let action = plan.nextAction() {
            if case .send(let request, let id, let round) = action {
                requests.append(Sent(request: request, id: id, round: round))
            } else {
                reports.append(action)
            }
        }
    }

    /// Advances time, and gives the plan each deadline.
    mutating func wait(_ duration: Duration) {
        let end = now.advanced(by: duration)
        var looks = 0
        while let deadline = plan.deadline, deadline <= end {
            now = max(now, deadline)
            give(.time)
            looks += 1
            precondition(looks < 100_000, "a deadline that does not move")
        }
        now = end
    }

    /// Answers the oldest request to a session.
    mutating func answer(_ id: SessionID, _ answer: GroupAnswer = .done, slowest: Duration = .zero) {
        guard let index = requests.firstIndex(where: { $0.id == id }) else { return }
        let sent = requests.remove(at: index)
        give(.answered(id, round: sent.round, answer, slowest: slowest))
    }

    /// Answers the newest wait for a session's beginning, if there is one.
    mutating func answerBeginning(of id: SessionID) {
        let index = requests.lastIndex {
            if case .waitForBeginning = $0.request { $0.id == id } else { false }
        }
        guard let index else { return }
        let sent = requests.remove(at: index)
        give(.answered(id, round: sent.round, .sent(blocked: .zero), slowest: .zero))
    }

    /// Answers all requests of a start that precede its anchors.
    mutating func prepareAll() {
        while let next = requests.first(where: { if case .start = $0.request { false } else { true } }) {
            answer(next.id)
        }
    }

    /// Starts a line, and answers that all speakers accept it.
    mutating func playing(frame: Int64 = 0) {
        give(.start(frame: frame, wanted: nil))
        prepareAll()
        for id in plan.sessions.ids { answer(id, .start(.accepted)) }
        (requests, reports) = ([], [])
    }

    /// The unanswered starts, in the order of sending.
    var starts: [Start] {
        requests.compactMap { sent in
            guard case .start(let line, let needs) = sent.request else { return nil }
            return Start(id: sent.id, line: line, needsBeginning: needs)
        }
    }

    var started: [HostTime] {
        reports.compactMap { if case .started(let host) = $0 { host } else { nil } }
    }
}
