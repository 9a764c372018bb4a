import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

/// The group's side of one session at one moment.
struct SessionView: Sendable {
    var now: HostTime
    /// Whether the group prepares a start.
    var isStarting = false
    /// The line that the group plays along.
    var line: FrameLine?
    /// Whether the speaker has an anchor of the line.
    var isOnLine: Bool
    var playhead: Int64
    var sampleRate: SampleRate
    var state: SpeakerState
    var depth: SessionDepth

    /// The frames that the speaker has ahead of the playhead.
    var framesAhead: Int64 { (depth.endFrame ?? playhead) - playhead }

    /// Whether the speaker plays now.
    var isHeard: Bool {
        guard let line, isOnLine else { return false }
        return now > line.host
    }

    /// Whether the speaker is to be heard, and plays nothing that the end of its session would take away.
    var isWaitedFor: Bool { isStarting || (line != nil && (!isOnLine || (isHeard && framesAhead <= 0))) }

    /// The state of a speaker that plays: starved when its buffer is nearly played though there is more to send.
    var playingState: SpeakerState {
        framesAhead < Int64(sampleRate.hertz) / 5 && !depth.isDrained ? .starved : .playing
    }

    /// Whether the speaker plays on until the next sign of life without any help.
    var isQuiet: Bool {
        isHeard && (depth.isDrained || framesAhead > Int64(sampleRate.hertz) * Self.quietSeconds)
    }

    private static let quietSeconds: Int64 = 5

    /// Returns the time since the speaker's last answer; none for one that always answers.
    func silence(since lastAnswer: HostTime?) -> Duration { lastAnswer.map { now.since($0) } ?? .zero }

    /// Returns the words for a speaker that does not answer. What was sent in a realtime stream may not have arrived.
    func silence(of name: String, isRealtime: Bool) -> String {
        let seconds = max(0, framesAhead / Int64(sampleRate.hertz))
        guard line != nil else {
            let kept = seconds > 0 && !isRealtime ? "; it keeps \(seconds) s of sound" : ""
            return "\(name) does not answer\(kept)"
        }
        if isRealtime {
            return
                "\(name) does not answer; if it is out of reach, it has been silent for seconds, "
                + "because it buffers a realtime stream for at most two seconds"
        }
        return seconds == 0
            ? "\(name) does not answer, and has no sound left"
            : "\(name) does not answer; it has \(seconds) s of sound and plays on"
    }
}

/// Watches one open session: asks for signs of life, and looks at the clock, the buffer and the answers.
struct SessionWatch: Sendable {
    let session: any SpeakerSession
    let id: SessionID
    let speaker: NamedSpeaker
    let timing: SenderTiming
    let machine: any Machine
    /// The speaker's name.
    private var name: String { speaker.name }

    /// The number of signs of life after which the progress on displays is refreshed.
    private static let progressInterval = 10
    /// The number of looks at clock and buffer per sign of life, unless all is quiet.
    private static let looks = 4

    /// Runs until the task is cancelled, or the group is gone.
    func run(for group: SpeakerGroup?) async {
        guard let group else { return }
        var (misses, rounds, stuck) = (0, 0, 0)
        var seen = Seen(since: machine.now)
        while !Task.isCancelled {
            var left = Self.looks
            while left > 0 {
                let pause = await look(group, &seen) ? left : 1
                await sleep(pause)
                if Task.isCancelled { return }
                left -= pause
                // A start may wait for it by now.
                if misses >= 2, await leavesSilentConnection(group) { return }
            }
            do {
                try await session.feedback()
                if misses >= 2 { group.tell(.answersAgain(speaker)) }
                misses = 0
                stuck = session.depth().repetitions >= Self.waitingRepetitions ? stuck + 1 : 0
                // The speaker is back and answers, while its sound waits for the kernel's next repetition.
                if stuck >= 2, await leave(group, because: "gets its sound only on a new connection") {
                    return
                }
                await group.alive(id, slowest: await session.answerTime)
                rounds += 1
                if rounds % Self.progressInterval == 0 { await group.refreshProgress(of: id) }
            } catch {
                misses += 1
                await group.silent(id)
                if await endsSession(after: misses, group) { return }
            }
        }
    }

    /// Sleeps for `count` looks, rounded to an instant that all sessions and the clock share.
    private func sleep(_ count: Int) async {
        let (now, interval) = (machine.now, timing.feedbackInterval / Self.looks)
        let next = now.advanced(by: interval * (count - 1)).next(multipleOf: interval)
        await machine.pause(for: next.since(now))
    }

    /// The clock state and the warnings that were last reported.
    private struct Seen {
        let since: HostTime
        var judgement: ClockJudgement
        var clock: PeerClockState?
        var clockTrouble: ClockTrouble?
        var isClockUsed = false
        var hasUnreadWarning = false

        init(since: HostTime) {
            self.since = since
            judgement = ClockJudgement(since: since)
        }
    }

    /// Tells what is new about the clock and the buffer.
    ///
    /// - Returns: Whether nothing needs a look before the next sign of life.
    private func look(_ group: SpeakerGroup, _ seen: inout Seen) async -> Bool {
        let clock = session.clockState
        if clock != seen.clock { group.tell(.clock(speaker: speaker, clock)) }
        seen.clock = clock
        await warnOfClock(group, &seen)
        guard let view = await group.view(of: id), view.isHeard else { return false }
        if view.state != view.playingState { await group.set(view.playingState, of: id) }
        warnOfUnreadSound(view, group, &seen.hasUnreadWarning)
        return view.isQuiet && clock == .ready
    }

    /// Warns, once for each trouble, of a speaker that finds no clock: it answers requests, and stays silent.
    private func warnOfClock(_ group: SpeakerGroup, _ seen: inout Seen) async {
        let (report, now) = (session.clockReport, machine.now)
        let elapsed = now.since(seen.since)
        if !seen.isClockUsed, report.isProven, report.readyTime != nil {
            seen.isClockUsed = true
            await GroupMember.noteUse(of: report.clock, by: id, in: group)
        }
        let trouble = seen.judgement.trouble(
            report, lastAnswer: session.lastAnswer ?? now, at: now)
        if let trouble, trouble != seen.clockTrouble, let failure = report.trouble(of: name, after: elapsed) {
            await group.warnOfClock(trouble, failure, of: id)
        }
        seen.clockTrouble = trouble
    }

    /// Ends the session of a speaker that has given no sign of life several times, unless it may be playing on.
    ///
    /// - Returns: Whether the session has ended, or is left to be resumed.
    private func endsSession(after misses: Int, _ group: SpeakerGroup) async -> Bool {
        if misses == 2 { await tellSilence(group) }
        // One that is left to be resumed must not be ended.
        if misses >= 2, await leavesSilentConnection(group) { return true }
        guard misses >= 3, await isOutOfSound(group) else { return false }
        session.fail(
            SpeakerFailure(.silent, "\(name) has not answered for \(misses * 4) s and has no sound left"))
        return true
    }

    /// The repetitions after which the kernel pauses for at least six seconds.
    private static let waitingRepetitions = 5

    private func tellSilence(_ group: SpeakerGroup) async {
        guard let view = await group.view(of: id) else { return }
        group.tell(
            .warning(
                speaker: speaker, code: SpeakerFailure.Code.silent.rawValue,
                message: view.silence(of: name, isRealtime: session.traits.isRealtime)))
    }

    /// Probes a silent speaker with new connections, until it answers on the old connection or on a new one, if its session
    /// can be resumed or is waited for.
    ///
    /// TCP retransmits after ever longer pauses, up to two minutes on kernels that cannot limit them, ours or the
    /// speaker's. A speaker that is back answers a new connection at once; the session then resumes there, or begins anew.
    ///
    /// - Returns: Whether the session has ended, or is left to be resumed.
    private func leavesSilentConnection(_ group: SpeakerGroup) async -> Bool {
        guard let since = session.lastAnswer, machine.now.since(since) >= timing.feedbackTimeout * 2 else {
            return false
        }
        while !Task.isCancelled, session.lastAnswer == since {
            let isWaitedFor = await group.view(of: id)?.isWaitedFor == true
            guard session.traits.isResumable || isWaitedFor else { return false }
            if await session.answersAnew() {
                await machine.pause(for: timing.reachGrace)
                guard !Task.isCancelled, session.lastAnswer == since else { return false }
                return await leave(group, because: "answers only on a new connection")
            }
            if await isOutOfSound(group) { return false }
            await machine.pause(for: timing.reachPause)
        }
        return false
    }

    /// Leaves the session to be resumed, or ends it if it is waited for.
    ///
    /// - Returns: `false` for a speaker that would lose what it plays, or that nobody waits for.
    private func leave(_ group: SpeakerGroup, because reason: String) async -> Bool {
        let failure = SpeakerFailure(.silent, "\(name) \(reason)")
        if await group.view(of: id)?.isWaitedFor == true {
            session.fail(failure)
        } else if session.traits.isResumable {
            session.detach(failure)
        } else {
            return false
        }
        return true
    }

    /// Returns whether a silent speaker can no longer be playing; until then the group keeps it.
    private func isOutOfSound(_ group: SpeakerGroup) async -> Bool {
        guard let view = await group.view(of: id), !session.traits.isRealtime else { return true }
        guard view.line != nil else { return view.silence(since: session.lastAnswer) > timing.silenceLimit }
        return view.framesAhead <= 0
    }

    /// Warns when a speaker does not read its sound.
    private func warnOfUnreadSound(_ view: SessionView, _ group: SpeakerGroup, _ hasWarned: inout Bool) {
        let unread = view.depth.unread
        guard unread >= timing.unreadPatience else { return hasWarned = false }
        // A speaker that does not answer at all has a warning of its own.
        let answered = view.silence(since: session.lastAnswer)
        guard !hasWarned, answered < timing.feedbackInterval * 3 else { return }
        hasWarned = true
        let words =
            "\(name) has read nothing of its sound for \(unread.components.seconds) s; "
            + "if it is silent, restart it"
        group.tell(.warning(speaker: speaker, code: "not-reading", message: words))
    }
}

extension SpeakerGroupEvent {
    /// A speaker that was silent answers again, on the old connection or a new one.
    static func answersAgain(_ speaker: NamedSpeaker) -> SpeakerGroupEvent {
        .warning(speaker: speaker, code: "answers-again", message: "\(speaker) answers again")
    }
}
