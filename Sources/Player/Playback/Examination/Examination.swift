import AirPlaySender
import TuttiMediaTime

/// The examination of one speaker after its addresses are known, without sessions, sockets and tasks: the events of a
/// group with this speaker alone go in, with times; ended stages and actions come out.
///
/// After every call, take ``nextAction()`` until it is `nil`.
struct Examination: Sendable {
    enum Action: Equatable, Sendable {
        case tell(ExaminationStage)
        /// Start the line at its first frame.
        case start
        /// The last action: close the group.
        case end
    }

    private enum Phase: Sendable {
        /// `failed` is the last step that failed: the group may try again.
        case opening(failed: OpeningStep?)
        case findingClock(since: HostTime)
        case starting(since: HostTime)
        case playing(since: HostTime)
        case over
    }

    let name: String
    /// The length of the test sound.
    private let length: Duration
    private var phase = Phase.opening(failed: nil)
    private var begun: HostTime
    private var openedAt: HostTime?
    /// The host time at which the first frame is heard.
    private var firstHeard: HostTime?
    private var isStarved = false
    /// Whether the speaker has shown that it follows the clock, which ends an earlier doubt.
    private(set) var isClockShown = false
    private var actions: [Action] = []
    /// The stages that have ended.
    private(set) var stages: [ExaminationStage] = []
    /// The kind of session.
    private(set) var choice: SessionChoice?

    /// The timeout of a stage that has no limit of its own.
    static let patience = Duration.seconds(20)
    /// The timeout of a speaker that has no clock yet.
    static let clockPatience = Duration.seconds(8)

    init(of name: String, length: Duration, at now: HostTime) {
        (self.name, self.length, begun) = (name, length, now)
    }

    /// Whether a stage failed, so that there was no sound.
    var hasFailed: Bool { stages.contains(where: \.hasFailed) }

    mutating func nextAction() -> Action? { actions.isEmpty ? nil : actions.removeFirst() }

    // MARK: Inputs

    /// Takes an event of the group.
    mutating func receive(_ event: SpeakerGroupEvent, at now: HostTime) {
        switch (event, phase) {
        case (_, .over): break
        case (.chosen(_, let choice), _): self.choice = choice
        case (.opening(_, let step), .opening): take(step)
        case (.opened, .opening):
            phase = .findingClock(since: now)
            openedAt = now
        case (.state(_, .playing), .starting(let since)):
            tell(.anchor, since: since, at: now)
            phase = .playing(since: now)
        case (.state(_, .starved), _): isStarved = true
        case (.state(_, .lost(let failure)), _): fail(failure, at: now)
        default: break
        }
    }

    /// Takes the host time at which the first frame is heard; a later one replaces it.
    mutating func started(at host: HostTime) { firstHeard = host }

    /// Checks the clock and the time; call it several times a second.
    mutating func look(_ report: ClockReport?, at now: HostTime) {
        switch phase {
        case .opening:
            if now.since(begun) > Self.patience * 2 { fail(silent, at: now) }
        case .findingClock(let since):
            if let report { judge(report, since: since, at: now) }
        case .starting(let since):
            if now.since(since) > Self.patience { fail(silent, at: now) }
        case .playing(let since):
            guard now >= max(firstHeard ?? since, since).advanced(by: length) else { return }
            let late = openedAt.flatMap { report?.trouble(of: name, after: now.since($0)) }
            isClockShown = late == nil && report?.isProven == true
            let slow = isStarved ? SpeakerFailure(.silent, slowWords) : nil
            // A clock that was in doubt already has its stage.
            let isTold = stages.contains { $0.kind == .clock && $0.failure != nil }
            tell(
                .sound, since: since, at: now,
                (slow ?? (isTold ? nil : late)).map { .doubtful($0) } ?? .passed)
            end()
        case .over: break
        }
    }

    // MARK: Steps

    private mutating func take(_ step: OpeningStep) {
        guard step.failure == nil else {
            phase = .opening(failed: step)
            return
        }
        phase = .opening(failed: nil)
        let kind = ExaminationStage.Kind.opening(step.kind)
        guard !stages.contains(where: { $0.kind == kind }) else { return }
        let detail = step.kind == .session ? choice?.description : nil
        emit(ExaminationStage(kind, duration: step.duration, detail: detail))
    }

    private mutating func judge(_ report: ClockReport, since: HostTime, at now: HostTime) {
        let elapsed = now.since(since)
        let trouble = report.trouble(of: name, after: elapsed)
        if let readyTime = report.readyTime, readyTime <= now {
            let isShown = report.isProven || report.clock == .host
            guard isShown || trouble != nil else { return }
            tell(
                .clock, since: since, at: now, detail: report.words,
                trouble.map { .doubtful($0) } ?? .passed)
            phase = .starting(since: now)
            actions.append(.start)
        } else if elapsed > Self.clockPatience {
            fail(trouble ?? silent, at: now)
        }
    }

    /// Ends with a failure of the current stage.
    private mutating func fail(_ failure: SpeakerFailure, at now: HostTime) {
        switch phase {
        case .opening(let step?) where failure.code == .noClock:
            tell(.clock, lasting: step.duration, .failed(failure))
        case .opening(let step?): tell(.opening(step.kind), lasting: step.duration, .failed(failure))
        case .opening(nil): tell(.opening(.port), since: begun, at: now, .failed(failure))
        case .findingClock(let since): tell(.clock, since: since, at: now, .failed(failure))
        case .starting(let since): tell(.anchor, since: since, at: now, .failed(failure))
        case .playing(let since): tell(.sound, since: since, at: now, .failed(failure))
        case .over: return
        }
        end()
    }

    private mutating func end() {
        phase = .over
        actions.append(.end)
    }

    private mutating func tell(
        _ kind: ExaminationStage.Kind, since: HostTime, at now: HostTime, detail: String? = nil,
        _ outcome: ExaminationStage.Outcome = .passed
    ) {
        emit(ExaminationStage(kind, duration: now.since(since), detail: detail, outcome))
    }

    private mutating func tell(
        _ kind: ExaminationStage.Kind, lasting duration: Duration, _ outcome: ExaminationStage.Outcome
    ) {
        emit(ExaminationStage(kind, duration: duration, outcome))
    }

    private mutating func emit(_ stage: ExaminationStage) {
        stages.append(stage)
        actions.append(.tell(stage))
    }

    private var silent: SpeakerFailure {
        SpeakerFailure(.silent, "\(name) stopped responding: restart it, and try again")
    }

    private var slowWords: String {
        "\(name) receives the sound more slowly than it plays it: its network is too slow, so move it nearer to the access point or use a cable"
    }
}

extension ClockReport {
    /// The exchange so far, in words.
    fileprivate var words: String {
        let name = clock.rawValue.uppercased()
        if clock == .host { return "this machine's own" }
        guard requests == 0, neverAsks else {
            return "\(name), asked \(requests) \(requests == 1 ? "time" : "times")"
        }
        if isProven { return "\(name), without requests from the speaker; its nqptp has answered" }
        return "\(name), without requests from the speaker, so nothing shows that it follows"
    }
}
