import AirPlayMessages
import MediaTime
import SystemIO

/// The life of one speaker: connect, open, keep, lose, reconnect.
extension SpeakerGroup {
    func add(_ target: SpeakerTarget) {
        guard isOpen, !members.contains(where: { $0.target == target }) else { return }
        let member = GroupMember(id: MemberID(number: newNumber()), target: target, timing: timing)
        members.append(member)
        receive(.joined(member.id))
        tell(.state(speaker: target.name, .connecting))
        member.task = Task { [weak self] in await self?.run(member) }
    }

    /// See ``setTargets(_:)``.
    func keepOnly(_ targets: [SpeakerTarget]) {
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
        for member in leaving { receive(.left(member.id)) }
    }

    private func run(_ member: GroupMember) async {
        while !Task.isCancelled {
            if member.interrupted == nil { set(.connecting, of: member) }
            let failure: SpeakerFailure
            do {
                let session = try await opener.open(request(for: member))
                member.attempts.sessionOpened()
                let openedAt = SystemClock.now
                failure = await keep(session, of: member)
                member.attempts.sessionEnded(failure, after: SystemClock.now.since(openedAt))
            } catch {
                failure = SpeakerFailure(error)
                if let delay = member.attempts.attemptFailed(failure) {
                    try? await Task.sleep(for: delay)
                    continue
                }
                if !failure.isPassing { member.interrupt(nil) }
            }
            member.end()
            wakeDescriptionWaiters()
            if Task.isCancelled || failure.code == .closed { break }
            // A speaker that plays its buffer is not lost.
            if let session = member.interrupted, hasPlayedAll(session) { member.interrupt(nil) }
            if member.interrupted == nil {
                set(.lost(failure), of: member)
            } else if failure.retryDelay != nil {
                warn(member, failure)
            }
            receive(.lost(member.id))
            switch member.attempts.next(after: failure, isPlayingOn: member.interrupted != nil) {
            case .giveUp: return member.interrupt(nil)
            case .retry(let pause): try? await Task.sleep(for: pause)
            case .waitForRecall:
                member.displace()
                await member.recalled()
                member.attempts.restart()
            }
        }
        member.interrupt(nil)
    }

    private func request(for member: GroupMember) -> SessionRequest {
        let name = member.target.name
        return SessionRequest(
            target: member.target, isReturning: member.attempts.wasUnreachable,
            yieldsToOthers: member.attempts.wasDropped, interrupted: member.interrupted,
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
        let id = SessionID(number: newNumber())
        var traits = session.traits
        // A command meanwhile has changed what is heard: the session begins anew.
        if member.interrupted == nil { traits.hasResumed = false }
        member.open(session, as: id)
        tell(
            .opened(
                speaker: member.target.name, address: session.traits.address,
                receiver: session.traits.receiver, bufferBytes: session.traits.bufferBytes))
        receive(.opened(member.id, id, traits))
        let watch = SessionWatch(session: session, id: id, name: member.target.name, timing: timing)
        let watching = Task { [weak self] in await watch.run(for: self) }
        defer { watching.cancel() }
        await greet(session, of: member)
        if traits.hasResumed { tell(.answersAgain(member.target.name)) }
        receive(.greeted(id))

        let failure = await session.ended()
        // Only the connection has ended, of a speaker that plays on and can resume on another connection.
        if session.traits.isResumable, failure.isPassing, plan.playsCorrectly(id) {
            member.interrupt(session)
            warn(member, failure)
        } else {
            session.abandon()
        }
        return failure
    }

    /// Sends metadata and volume before the first sound.
    private func greet(_ session: any SpeakerSession, of member: GroupMember) async {
        do {
            if session.traits.wantsMetadataFirst, let track = track(at: playhead) {
                try await show(track, on: session, withArtwork: false)
            }
            if let volume = member.volume ?? self.volume { try await session.setVolume(volume) }
        } catch {
            warn(member, SpeakerFailure(error))
        }
    }

    // MARK: Session watch

    /// The group's side of one session at this moment; `nil` once the session has left the group.
    func view(of id: SessionID) -> SessionView? {
        guard let member = member(id), let session = member.session else { return nil }
        return SessionView(
            now: SystemClock.now, line: plan.line, isOnLine: plan.sessions[id]?.place == .onLine,
            playhead: playhead, sampleRate: sampleRate, state: member.state, depth: session.depth())
    }

    /// Notes a sign of life, and the duration of the slowest recent answer.
    func alive(_ id: SessionID, slowest: Duration) { receive(.alive(id, slowest: slowest)) }

    func set(_ state: SpeakerState, of id: SessionID) {
        if let member = member(id) { set(state, of: member) }
    }

    /// Shows the progress of the current track, if one is heard.
    func refreshProgress(of id: SessionID) async {
        guard plan.line != nil, let session = session(id), let track = track(at: playhead),
            track.frameCount > 0
        else { return }
        // The next feedback detects a lost connection.
        try? await session.showProgress(of: track, playhead: playhead)
    }

    /// Returns whether a speaker has no sound left to play.
    private func hasPlayedAll(_ session: any SpeakerSession) -> Bool {
        let end = session.depth().endFrame ?? playhead
        return end <= playhead
    }
}
