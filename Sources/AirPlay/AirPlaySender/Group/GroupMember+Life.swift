import AirPlayMessages
import TuttiMediaTime
import TuttiSystemIO

/// The life of one speaker: connect, open, keep, lose, reconnect.
extension GroupMember {
    func run(in group: isolated SpeakerGroup) async {
        while !Task.isCancelled {
            if interrupted == nil { group.set(.connecting, of: self) }
            let failure: SpeakerFailure
            var changesClock = false
            hasDescribed = false
            do {
                let session = try await group.opener.open(request(of: group))
                attempts.sessionOpened()
                let openedAt = group.machine.now
                let ended = await keep(session, in: group)
                attempts.sessionEnded(ended, after: group.machine.now.since(openedAt))
                changesClock = ended == changeOfClock
                // AirPlay 1 does not say who has a speaker. Two senders would take it from each other for ever.
                let isTaken = attempts.isContested && session.traits.receiver.info == nil
                failure = isTaken ? SpeakerFailure(takenFromUs: target.name) : ended
            } catch {
                failure = SpeakerFailure(error)
                changesClock = hasDescribed && clockTrial.openingFailed(failure)
                if let delay = attempts.attemptFailed(failure) {
                    await group.machine.pause(for: delay)
                    continue
                }
                if !failure.isPassing { endInterrupted() }
            }
            end()
            group.descriptionsChanged()
            if changesClock, !Task.isCancelled {
                await pauseForOtherClock(failure, in: group)
                continue
            }
            if Task.isCancelled || failure.code == .closed { break }
            tell(failure, to: group)
            switch attempts.next(after: failure, isPlayingOn: interrupted != nil) {
            case .abandon: return endInterrupted()
            case .retry(let pause): await group.machine.pause(for: pause)
            case .waitForRecall:
                await waitForRecall(in: group)
                attempts.restart()
            }
        }
        endInterrupted()
    }

    /// Ends a session without calling it a loss: the next one has another clock.
    private func pauseForOtherClock(_ failure: SpeakerFailure, in group: isolated SpeakerGroup) async {
        group.warn(self, failure)
        group.receive(.lost(id))
        await group.machine.pause(for: group.timing.firstPause)
    }

    /// Tells that the session is lost; a warning suffices while the speaker plays what it holds.
    private func tell(_ failure: SpeakerFailure, to group: isolated SpeakerGroup) {
        if let session = interrupted, (session.depth().endFrame ?? group.playhead) <= group.playhead {
            endInterrupted()
        }
        if interrupted == nil {
            group.set(.lost(failure), of: self)
        } else if failure.retryDelay != nil {
            group.warn(self, failure)
        }
        group.receive(.lost(id))
    }

    private func request(of group: isolated SpeakerGroup) -> SessionRequest {
        let speaker = target.named
        return SessionRequest(
            target: target, isReturning: attempts.wasUnreachable,
            yieldsToOthers: attempts.wasDropped || target.yieldsToOthers,
            instead: clockTrial.instead, interrupted: interrupted, sound: sound,
            onDescribed: { [weak group] receiver, choice in
                await group?.describe(self, as: receiver, choice)
            },
            onStep: { [weak group] step in group?.tell(.opening(speaker: speaker, step)) },
            format: { [weak group] in await group?.formatDecided() },
            onCommand: { [weak group] command in group?.tell(.command(speaker: speaker, command)) })
    }

    /// Uses an open session until it ends; returns the cause of its end.
    private func keep(_ session: any SpeakerSession, in group: isolated SpeakerGroup) async -> SpeakerFailure
    {
        guard group.isOpen, !Task.isCancelled else {
            endInterrupted()
            await session.close()
            return .closed
        }
        let id = SessionID(number: group.newNumber())
        var traits = session.traits
        // A command meanwhile has changed what is heard: the session begins anew.
        if interrupted == nil { traits.hasResumed = false }
        // Its stream may continue one that a cut held, and that cut may be over.
        if session.traits.hasResumed, !traits.hasResumed { session.resume(from: .max) }
        open(session, as: id, at: group.machine.now)
        keptBack = .opened(
            speaker: target.named, address: session.traits.address,
            receiver: session.traits.receiver, bufferBytes: session.traits.bufferBytes)
        if !attempts.isQuiet { tellKeptBack(in: group) }
        group.receive(.opened(self.id, id, traits))
        let watch = SessionWatch(
            session: session, id: id, speaker: target.named, timing: group.timing, machine: group.machine)
        let watching = Task { [weak group] in await watch.run(for: group) }
        defer { watching.cancel() }
        await holdAtCut(session, in: group)
        await greet(session, in: group)
        if traits.hasResumed { group.tell(.answersAgain(target.named)) }
        group.receive(.greeted(id))

        let failure = await session.ended()
        // Only the connection has ended, of a speaker that plays on and can resume on another connection.
        if session.traits.isResumable, failure.isPassing, group.plan.playsCorrectly(id) {
            interrupt(session)
            group.warn(self, failure)
        } else {
            session.abandon()
        }
        return failure
    }

    /// Holds a new session while a cut is open, because the store still has the sound that the other speakers were
    /// told to skip.
    private func holdAtCut(_ session: any SpeakerSession, in group: isolated SpeakerGroup) async {
        guard let frame = group.cutFrame else { return }
        await session.takeBackSilently(from: frame)
        // The cut may be over by now.
        if group.cutFrame == nil { session.resume(from: frame) }
    }

    /// Sends again after the program's edit, also what was withdrawn while that was under way.
    func resume(from frame: Int64) {
        session?.resume(from: min(frame, withdrawnFrom ?? frame))
        withdrawnFrom = nil
    }

    /// Withdraws sound that lies `margin` ahead of the playhead; the task ends when the speaker has the message.
    func takeBack(
        from frame: Int64, margin: Duration, in group: isolated SpeakerGroup
    ) async -> Task<Void, Never>? {
        guard let session, let sessionID else { return nil }
        // Before the packets are withdrawn: if the connection breaks now, the speaker may keep them.
        group.receive(.cutSent(sessionID))
        guard let withdrawal = await session.takeBack(from: frame) else {
            group.receive(.cutTaken(sessionID))
            return nil
        }
        // A speaker that plays before the line is nearer to the cut.
        let patience = margin + delay.duration - (session.traits.takeBackMargin ?? .zero)
        return Task { [weak group] in
            do {
                try await withdrawal(patience)
                await group?.receive(.cutTaken(sessionID))
            } catch {
                await group?.receive(.cutMissed(sessionID, SpeakerFailure(error)))
            }
        }
    }

    /// Whether the speaker does not answer, so that others need not wait for it.
    func isOutOfReach(in group: isolated SpeakerGroup) -> Bool {
        sessionID.flatMap { group.plan.sessions[$0]?.isOutOfReach(at: group.machine.now) } ?? false
    }

    /// The group's side of the open session at this moment.
    func view(in group: isolated SpeakerGroup) -> SessionView? {
        guard let session, let sessionID else { return nil }
        let plan = group.plan
        return SessionView(
            now: group.machine.now, isStarting: plan.isStarting, line: plan.line,
            isOnLine: plan.sessions[sessionID]?.place == .onLine,
            playhead: group.playhead, sampleRate: group.sampleRate, state: state, depth: session.depth())
    }

    /// How far ahead the speaker is filled.
    func depth(at playhead: Int64, sampleRate: SampleRate) -> SpeakerDepth {
        var depth = SpeakerDepth(
            speaker: target.named, state: state, secondsAhead: 0, bytesHeld: 0, bufferBytes: 0)
        if let session {
            let filled = session.depth()
            (depth.bytesHeld, depth.bufferBytes) = (filled.bytesHeld, session.traits.bufferBytes)
            if let end = filled.endFrame {
                depth.secondsAhead = max(0, Double(end - playhead) / Double(sampleRate.hertz))
            }
        }
        return depth
    }
}
