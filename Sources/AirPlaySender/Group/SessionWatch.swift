import ClockService
import MediaTime
import SystemIO

/// The group's side of one session at one moment.
struct SessionView: Sendable {
    var now: HostTime
    /// The line that the group plays along.
    var line: FrameLine?
    /// Whether the speaker has an anchor of the line.
    var isOnLine: Bool
    var playhead: Int64
    var sampleRate: SampleRate

    /// Returns the frames that a speaker has ahead of the playhead.
    func framesAhead(_ depth: SessionDepth) -> Int64 { (depth.endFrame ?? playhead) - playhead }
}

/// Watches one open session: asks for signs of life, and looks at the clock, the buffer and the answers.
struct SessionWatch: Sendable {
    let session: any SpeakerSession
    let id: SessionID
    /// The speaker's name.
    let name: String
    let timing: SenderTiming

    /// The number of signs of life after which the progress on displays is refreshed.
    private static let progressInterval = 10
    /// The number of looks at the clock per sign of life.
    private static let looks = 4

    /// Runs until the task is cancelled, or the group is gone.
    func run(for group: SpeakerGroup?) async {
        guard let group else { return }
        var (misses, rounds) = (0, 0)
        var clock: PeerClockState?
        var hasUnreadWarning = false
        while !Task.isCancelled {
            tell(group, &clock)
            for _ in 0..<Self.looks {
                try? await Task.sleep(for: timing.feedbackInterval / Self.looks)
                if Task.isCancelled { return }
                tell(group, &clock)
                await lookAtDepth(group, &hasUnreadWarning)
            }
            do {
                try await session.feedback()
                if misses >= 2 { group.tell(.answersAgain(name)) }
                misses = 0
                await group.alive(id, slowest: await session.answerTime)
                rounds += 1
                if rounds % Self.progressInterval == 0 { await group.refreshProgress(of: id) }
            } catch {
                misses += 1
                await missed(misses, group)
            }
        }
    }

    private func tell(_ group: SpeakerGroup, _ clock: inout PeerClockState?) {
        let state = session.clockState
        guard state != clock else { return }
        clock = state
        group.tell(.clock(speaker: name, state))
    }

    private func missed(_ misses: Int, _ group: SpeakerGroup) async {
        if misses == 2 { await tellSilence(group) }
        if misses >= 2, session.traits.isResumable { await probe(group) }
        if misses >= 3, await isOutOfSound(group) {
            let words = "\(name) has not answered for \(misses * 4) s and has no sound left"
            session.fail(SpeakerFailure(.silent, words))
        }
    }

    private func tellSilence(_ group: SpeakerGroup) async {
        let depth = await session.depth()
        guard let view = await group.view(of: id) else { return }
        let seconds = max(0, view.framesAhead(depth) / Int64(view.sampleRate.hertz))
        group.tell(
            .warning(
                speaker: name, code: SpeakerFailure.Code.silent.rawValue,
                message: "\(name) does not answer; it has \(seconds) s of sound and plays on"))
    }

    /// Probes a silent speaker with new connections, until it answers on the old connection or on a new one.
    ///
    /// TCP retransmits after ever longer pauses, up to two minutes on kernels that cannot limit them. A
    /// speaker that is back answers a new connection at once; the session then resumes on a new connection.
    private func probe(_ group: SpeakerGroup) async {
        let since = session.lastAnswer
        while !Task.isCancelled, session.lastAnswer == since {
            if await session.answersAnew() {
                try? await Task.sleep(for: timing.reachGrace)
                guard !Task.isCancelled, session.lastAnswer == since else { return }
                return session.detach(SpeakerFailure(.silent, "\(name) answers a new connection only"))
            }
            if await isOutOfSound(group) { return }
            try? await Task.sleep(for: timing.reachPause)
        }
    }

    /// Returns whether a silent speaker can no longer be playing; until then the group keeps it.
    private func isOutOfSound(_ group: SpeakerGroup) async -> Bool {
        let depth = await session.depth()
        guard let view = await group.view(of: id) else { return true }
        guard view.line != nil else { return view.now.since(session.lastAnswer) > timing.silenceLimit }
        return view.framesAhead(depth) <= 0
    }

    /// Reports a speaker as starved when its buffer is nearly played though there is more to send, and warns
    /// when a speaker does not read.
    private func lookAtDepth(_ group: SpeakerGroup, _ hasUnreadWarning: inout Bool) async {
        guard let before = await group.view(of: id), let line = before.line, before.isOnLine,
            before.now > line.host
        else { return }
        let depth = await session.depth()
        guard let view = await group.view(of: id), view.isOnLine else { return }
        let isShort = view.framesAhead(depth) < Int64(view.sampleRate.hertz) / 5 && !depth.isDrained
        await group.set(isShort ? .starved : .playing, of: id)
        guard depth.unread >= timing.unreadPatience else { return hasUnreadWarning = false }
        // A speaker that does not answer at all has a warning of its own.
        let answered = view.now.since(session.lastAnswer)
        guard !hasUnreadWarning, answered < timing.feedbackInterval * 3 else { return }
        hasUnreadWarning = true
        let words =
            "\(name) has read nothing of its sound for \(depth.unread.components.seconds) s; "
            + "if it is silent, restart it"
        group.tell(.warning(speaker: name, code: "not-reading", message: words))
    }
}

extension SpeakerGroupEvent {
    /// A speaker that was silent answers again, on the old connection or a new one.
    static func answersAgain(_ name: String) -> SpeakerGroupEvent {
        .warning(speaker: name, code: "answers-again", message: "\(name) answers again")
    }
}
