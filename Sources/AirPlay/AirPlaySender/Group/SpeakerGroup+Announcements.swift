import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO

/// The answer to an announcement.
package enum AnnouncementStart: Sendable, Equatable {
    /// It begins at this host time on the group's line.
    case begins(HostTime)
    /// Nothing plays that it could be mixed into, or what plays ends before it would.
    case nothingPlays
    /// A speaker cannot change more of what it holds for the moment; try again soon.
    case notNow
}

/// The progress of an announcement.
package enum AnnouncementProgress: Sendable, Equatable {
    /// It is heard, or about to be, and ends at this host time on the group's line.
    case until(HostTime)
    /// It was heard to its end.
    case ended
    /// It was dropped: by its end, or because the music was stopped or went elsewhere.
    case dropped
}

/// Sound of single speakers, exchanged while they play: their treatment and announcements.
extension SpeakerGroup {
    /// More seconds than an announcement that is ended takes to fade, with the music after it.
    private static let endSeconds = 4
    /// Seconds after its end for which an announcement is kept, for whoever asks how far it is.
    private static let keptSeconds = 10
    /// The pause before a treatment that could not be exchanged is tried again.
    private static let treatmentPause = Duration.milliseconds(250)

    // MARK: From any thread

    /// Sets what one speaker's sound goes through; what the speaker holds is sent again.
    ///
    /// - Parameter speaker: The speaker's ``SpeakerTarget/key``.
    package nonisolated func setTreatment(_ treatment: SoundTreatment, speaker: String) {
        _ = post(.treatment(treatment, speaker: speaker))
    }

    /// Mixes an announcement into what some speakers play, as soon as all of them can change what they hold.
    ///
    /// - Parameters:
    ///   - id: A number that the group has not seen before.
    ///   - overlays: The sound for each speaker, by its ``SpeakerTarget/key``, at ``wireRate``. A speaker without a session plays what is
    ///     left of it once it has one.
    package nonisolated func announce(
        _ id: Int, _ overlays: [String: SoundOverlay]
    ) async -> AnnouncementStart {
        let announcement = PlannedAnnouncement(id: id, overlays: overlays)
        return await withCheckedContinuation { continuation in
            let isPosted = post(
                .announce(announcement, answer: { continuation.resume(returning: $0) }))
            if !isPosted { continuation.resume(returning: .nothingPlays) }
        }
    }

    /// Ends an announcement soon: the music has its own level from the next moment on that the speakers can change.
    package nonisolated func cancelAnnouncement(_ id: Int) { _ = post(.endAnnouncement(id)) }

    /// The frames per second of the packets; `nil` before the first.
    package var wireRate: SampleRate? { format?.sampleRate }

    /// Returns how far an announcement is.
    package func progress(ofAnnouncement id: Int) -> AnnouncementProgress {
        guard let running = announcements[id], let line = plan.line else { return .dropped }
        let end = line.host(of: running.soundEnd)
        return machine.now < end ? .until(end) : .ended
    }

    // MARK: Commands

    func setTreatment(_ treatment: SoundTreatment, ofOne key: String) async {
        let concerned = members.filter { $0.target.key == key && $0.sound.treatment != treatment }
        for member in concerned {
            let takesMore = await member.session?.canTakeBack(at: playhead) ?? true
            if takesMore, !plan.isCutOpen { continue }
            // The newest one counts.
            let isWaiting = waitingTreatments.updateValue(treatment, forKey: key) != nil
            if !isWaiting { retryTreatment(of: key) }
            return
        }
        waitingTreatments[key] = nil
        for member in concerned { member.sound.setTreatment(treatment) }
        if let frame = concerned.nextChange(in: self) {
            await concerned.exchange(from: frame, in: self)
        } else {
            await concerned.sendAgain(from: playhead, in: self)
        }
    }

    private func retryTreatment(of key: String) {
        Task { [weak self, machine] in
            await machine.pause(for: Self.treatmentPause)
            guard let self, let treatment = await takeWaitingTreatment(of: key) else { return }
            setTreatment(treatment, speaker: key)
        }
    }

    private func takeWaitingTreatment(of key: String) -> SoundTreatment? {
        waitingTreatments.removeValue(forKey: key)
    }

    func begin(_ announcement: PlannedAnnouncement) async -> AnnouncementStart {
        forgetAnnouncements()
        // An edit of the program is under way, or its sound has another rate by now.
        guard !plan.isCutOpen, announcement.isMade(for: sampleRate) else { return .notNow }
        let overlays = announcement.overlays
        let concerned = members.filter { overlays[$0.target.key] != nil }
        guard let line = plan.line, !concerned.isEmpty, let frame = concerned.nextChange(in: self) else {
            return .nothingPlays
        }
        let running = RunningAnnouncement(announcement, at: frame)
        // Sound that ends before cannot carry it.
        guard !store.isComplete || (store.endFrame ?? .min) >= running.soundEnd else { return .nothingPlays }
        for member in concerned where member.session != nil {
            guard await member.session?.canTakeBack(at: playhead) != false else { return .notNow }
        }
        announcements.add(running)
        for member in concerned {
            guard let overlay = overlays[member.target.key] else { continue }
            member.sound.add(
                SpeakerSound.PlacedOverlay(id: announcement.id, overlay: overlay, frame: frame))
        }
        await concerned.exchange(from: frame, in: self)
        forget(after: line.host(of: running.endFrame))
        return .begins(line.host(of: frame))
    }

    func endAnnouncement(_ id: Int) async {
        guard let running = announcements[id] else { return }
        let concerned = members.filter { running.speakers.contains($0.target.key) }
        guard let frame = concerned.nextChange(in: self), frame < running.endFrame else {
            announcements.remove(id)
            for member in concerned { member.sound.removeOverlay(id) }
            return
        }
        announcements.end(id, at: frame, fade: Int64(Self.endSeconds * sampleRate.hertz))
        for member in concerned { member.sound.endOverlay(id, at: frame) }
        await concerned.exchange(from: frame, in: self)
    }

    /// Takes all announcements out of what will be sent: the music stops, or goes elsewhere.
    ///
    /// - Returns: The speakers that may hold some of them.
    func dropAnnouncements() -> [GroupMember] {
        forgetAnnouncements()
        let dropped = announcements.removeAll()
        removeOverlays(of: dropped)
        return members.filter { member in dropped.contains { $0.speakers.contains(member.target.key) } }
    }

    /// Forgets an announcement, whose sound may be large, some time after its end.
    private func forget(after end: HostTime) {
        let pause = end.since(machine.now) + .seconds(Self.keptSeconds + 1)
        Task { [weak self, machine] in
            await machine.pause(for: pause)
            await self?.forgetAnnouncements()
        }
    }

    /// Forgets announcements that were heard.
    private func forgetAnnouncements() {
        guard let line = plan.line else { return }
        let now = line.frame(at: machine.now)
        let limit = now - Int64(Self.keptSeconds * line.sampleRate.hertz)
        removeOverlays(of: announcements.removeAll(endingBefore: limit))
    }

    private func removeOverlays(of announcements: [RunningAnnouncement]) {
        for announcement in announcements {
            for member in members { member.sound.removeOverlay(announcement.id) }
        }
    }
}
