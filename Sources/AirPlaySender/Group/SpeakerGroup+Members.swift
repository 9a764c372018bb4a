import AirPlayMessages
import ClockService
import MediaTime
import RTSP
import SystemIO

/// The life cycle of one speaker: connect, open, keep, lose, reconnect.
extension SpeakerGroup {
    func add(_ target: SpeakerTarget) {
        guard isOpen, !members.contains(where: { $0.target == target }) else { return }
        let member = GroupMember(target: target)
        members.append(member)
        tell(.state(speaker: target.name, .connecting))
        member.task = Task { [weak self] in await self?.run(member) }
    }

    /// See ``setTargets(_:)``.
    func keepOnly(_ targets: [SpeakerTarget]) async {
        let leaving = members.filter { !targets.contains($0.target) }
        members.removeAll { member in leaving.contains { $0 === member } }
        for target in targets { add(target) }
        for member in leaving {
            member.task?.cancel()
            member.interrupt(nil)
            set(.closed, of: member)
        }
        wakeDescriptionWaiters()
        // A start may have waited for a removed speaker, whose teardown may take a second.
        let sessions = leaving.compactMap(\.session)
        Task { for session in sessions { await session.close() } }
        await tryStart()
    }

    private func run(_ member: GroupMember) async {
        var pauses = RetryPauses(timing)
        var hasWaited = false
        while !Task.isCancelled {
            if member.interrupted == nil { set(.connecting, of: member) }
            let failure: SpeakerFailure
            do {
                let session = try await opener.open(request(for: member))
                hasWaited = false
                failure = await keep(session, of: member)
                pauses.sessionEnded(after: SystemClock.now.since(member.openedAt))
            } catch {
                pauses.attemptFailed()
                failure = SpeakerFailure(error)
                if let delay = failure.retryDelay, delay <= timing.retryPatience, !hasWaited {
                    hasWaited = true
                    try? await Task.sleep(for: max(delay, timing.firstPause))
                    continue
                }
                if !failure.isPassing { member.interrupt(nil) }
            }
            member.hasTried = true
            member.wasUnreachable = failure.code == .unreachable
            member.session = nil
            member.isAnchored = false
            wakeDescriptionWaiters()
            if Task.isCancelled || failure.code == .closed { return member.interrupt(nil) }
            // A speaker that plays its buffer is not lost.
            if let session = member.interrupted, await hasPlayedAll(session) { member.interrupt(nil) }
            if member.interrupted == nil {
                set(.lost(failure), of: member)
            } else if failure.retryDelay != nil {
                warn(member, failure)
            }
            await tryStart()
            guard failure.isWorthRetrying else { return member.interrupt(nil) }
            if failure.code == .busy, member.hadSession {
                member.displace()
                await waitForRecall(of: member)
                pauses.restart()
                continue
            }
            let pause = pauses.next(
                isPlayingOn: member.interrupted != nil, isOutOfReach: failure.code == .unreachable,
                retryDelay: failure.retryDelay)
            try? await Task.sleep(for: pause)
        }
        member.interrupt(nil)
    }

    private func waitForRecall(of member: GroupMember) async { await member.recalled() }

    private func request(for member: GroupMember) -> SessionRequest {
        let name = member.target.name
        return SessionRequest(
            target: member.target, isReturning: member.wasUnreachable, yieldsToOthers: member.wasDropped,
            interrupted: member.interrupted,
            onDescribed: { [weak self] receiver in await self?.describe(member, as: receiver) },
            format: { [weak self] in await self?.formatDecided() },
            onCommand: { [weak self] command in self?.tell(.command(speaker: name, command)) })
    }

    /// Uses an open session until it ends; returns the cause of its end.
    private func keep(_ session: any SpeakerSession, of member: GroupMember) async -> SpeakerFailure {
        guard isOpen, !Task.isCancelled else {
            member.interrupt(nil)
            await session.close()
            return SpeakerFailure(.closed, "closed")
        }
        member.session = session
        member.openedAt = SystemClock.now
        member.hadSession = true
        member.hasTried = true
        member.refusals = 0
        member.hasMissedCut = false
        member.hasShownClock = !session.traits.showsWhetherItFollows
        let continues = member.interrupted != nil && session.traits.hasResumed
        member.interrupt(nil)
        tell(
            .opened(
                speaker: member.target.name, address: session.traits.address,
                receiver: session.traits.receiver, bufferBytes: session.traits.bufferBytes))
        if continues { member.isAnchored = true } else { set(.waitingForClock, of: member) }
        let life = Task { [weak self] in await self?.live(session, of: member) }
        defer { life.cancel() }
        await greet(session, of: member)
        if continues {
            tell(answersAgain(member))
        } else if case .playing = phase {
            joinLater(member, after: .zero)
        } else if case .paused(let frame) = phase {
            do { try await session.refill(from: frame) } catch { warn(member, SpeakerFailure(error)) }
            presentTracks(isForced: true)
        } else {
            await tryStart()
        }

        let failure = await session.ended()
        member.wasDropped = failure.code == .lost
        if canGoOn(with: session, of: member, after: failure) {
            member.interrupt(session)
            warn(member, failure)
        } else {
            session.abandon()
        }
        return failure
    }

    /// Returns whether only the connection ended, of a correctly playing speaker that can resume on another
    /// connection.
    private func canGoOn(
        with session: any SpeakerSession, of member: GroupMember, after failure: SpeakerFailure
    ) -> Bool {
        guard case .playing = phase else { return false }
        return member.isAnchored && !member.hasMissedCut && failure.isPassing
            && session.traits.isResumable
    }

    /// Sends metadata and volume before the first sound.
    private func greet(_ session: any SpeakerSession, of member: GroupMember) async {
        do {
            if session.traits.wantsMetadataFirst, let track = track(at: playhead) {
                try await show(track, on: session, withArtwork: false)
            }
            if let volume = member.volume ?? startVolume { try await session.setVolume(volume) }
        } catch {
            warn(member, SpeakerFailure(error))
        }
    }

    // MARK: Liveness

    private static let progressInterval = 10

    /// Sends feedback every two seconds, and watches the clock, the buffer and the answers.
    private func live(_ session: any SpeakerSession, of member: GroupMember) async {
        var (misses, round) = (0, 0)
        var clockState: PeerClockState?
        while !Task.isCancelled {
            let state = session.clockState
            if state != clockState {
                clockState = state
                tell(.clock(speaker: member.target.name, state))
            }
            // Poll the clock more often than the control connection.
            for _ in 0..<4 {
                try? await Task.sleep(for: timing.feedbackInterval / 4)
                if Task.isCancelled { return }
                let state = session.clockState
                if state != clockState {
                    clockState = state
                    tell(.clock(speaker: member.target.name, state))
                }
                await watchDepth(session, of: member)
            }
            do {
                try await session.feedback()
                if misses >= 2 { tell(answersAgain(member)) }
                misses = 0
                if member.hasMissedCut { await refill(member) }
                round += 1
                if round % Self.progressInterval == 0 { await refreshProgress(on: session) }
            } catch {
                misses += 1
                if misses == 2 { await tellSilence(session, of: member) }
                if misses >= 2, session.traits.isResumable {
                    await reach(session, of: member)
                }
                if misses >= 3, await isOutOfSound(session) {
                    let words =
                        "\(member.target.name) has not answered for \(misses * 4) s and has no sound left"
                    session.fail(SpeakerFailure(.silent, words))
                }
            }
        }
    }

    /// Probes a silent speaker with new connections, until it answers on the old connection or on a new one.
    ///
    /// TCP retransmits after ever longer pauses, up to two minutes on kernels that cannot limit them. A
    /// speaker that is back answers a new connection at once; the session then resumes on a new connection.
    private func reach(_ session: any SpeakerSession, of member: GroupMember) async {
        let since = session.lastAnswer
        while !Task.isCancelled, session.lastAnswer == since {
            if await session.answersAnew() {
                try? await Task.sleep(for: timing.reachGrace)
                guard !Task.isCancelled, session.lastAnswer == since else { return }
                return session.detach(
                    SpeakerFailure(.silent, "\(member.target.name) answers a new connection only"))
            }
            if await isOutOfSound(session) { return }
            try? await Task.sleep(for: timing.reachPause)
        }
    }

    private func tellSilence(_ session: any SpeakerSession, of member: GroupMember) async {
        let depth = await session.depth()
        let seconds = max(0, ((depth.endFrame ?? playhead) - playhead) / Int64(sampleRate.hertz))
        tell(
            .warning(
                speaker: member.target.name, code: SpeakerFailure.Code.silent.rawValue,
                message: "\(member.target.name) does not answer; it has \(seconds) s of sound and plays on"))
    }

    private func answersAgain(_ member: GroupMember) -> SpeakerGroupEvent {
        .warning(
            speaker: member.target.name, code: "answers-again", message: "\(member.target.name) answers again"
        )
    }

    /// Returns whether a silent speaker can no longer be playing; until then the group keeps it.
    private func isOutOfSound(_ session: any SpeakerSession) async -> Bool {
        guard case .playing = phase else {
            return SystemClock.now.since(session.lastAnswer) > timing.silenceLimit
        }
        return await hasPlayedAll(session)
    }

    private func hasPlayedAll(_ session: any SpeakerSession) async -> Bool {
        let depth = await session.depth()
        return (depth.endFrame ?? playhead) <= playhead
    }

    /// Reports a speaker as starved when its buffer is nearly played though there is more to send, and warns
    /// when a speaker does not read.
    private func watchDepth(_ session: any SpeakerSession, of member: GroupMember) async {
        guard case .playing(let line) = phase, member.isAnchored, SystemClock.now > line.host else { return }
        let depth = await session.depth()
        let ahead = (depth.endFrame ?? playhead) - playhead
        let isShort = ahead < Int64(sampleRate.hertz) / 5 && !depth.isDrained
        set(isShort ? .starved : .playing, of: member)
        guard depth.unread >= timing.unreadPatience else { return member.hasUnreadWarning = false }
        // A speaker that does not answer at all has a warning of its own.
        let answered = SystemClock.now.since(session.lastAnswer)
        guard !member.hasUnreadWarning, answered < timing.feedbackInterval * 3 else { return }
        member.hasUnreadWarning = true
        let words =
            "\(member.target.name) has read nothing of its sound for \(depth.unread.components.seconds) s; "
            + "if it is silent, restart it"
        tell(.warning(speaker: member.target.name, code: "not-reading", message: words))
    }
}
