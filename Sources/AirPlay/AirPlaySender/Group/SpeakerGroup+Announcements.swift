import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO

/// An announcement for some of a group's speakers.
struct PlannedAnnouncement: Sendable {
    let id: Int
    /// The sound for each speaker, by its key; all of the same length.
    let overlays: [String: SoundOverlay]
}

/// An announcement with its place in the sound of a group.
struct RunningAnnouncement: Sendable {
    let id: Int
    let frame: Int64
    /// The end of the announcement itself, before the music has its own level again.
    let soundEnd: Int64
    let endFrame: Int64
    /// The speakers that it is for, by their keys.
    let speakers: Set<String>
}

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
    /// The time in which an exchange is carried out here, before its messages leave.
    private static let slack = Duration.milliseconds(30)

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
        guard let running = announcements.first(where: { $0.id == id }), let line = plan.line else {
            return .dropped
        }
        let end = line.host(of: running.soundEnd)
        return SystemClock.now < end ? .until(end) : .ended
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
        if let frame = nextChange(of: concerned) {
            await exchange(from: frame, of: concerned)
        } else {
            await sendAgain(from: playhead, to: concerned)
        }
    }

    private func retryTreatment(of key: String) {
        Task { [weak self] in
            await Task.pause(for: Self.treatmentPause)
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
        guard !plan.isCutOpen,
            announcement.overlays.values.allSatisfy({ $0.sound.format.sampleRate == sampleRate })
        else { return .notNow }
        let overlays = announcement.overlays
        let concerned = members.filter { overlays[$0.target.key] != nil }
        guard plan.line != nil, !concerned.isEmpty, let frame = nextChange(of: concerned),
            let line = plan.line
        else { return .nothingPlays }
        let soundEnd = frame + Int64(overlays.values.map(\.sound.frameCount).max() ?? 0)
        let end = frame + (overlays.values.map(\.frameCount).max() ?? 0)
        // Sound that ends before cannot carry it.
        guard !store.isComplete || (store.endFrame ?? .min) >= soundEnd else { return .nothingPlays }
        for member in concerned where member.session != nil {
            guard await member.session?.canTakeBack(at: playhead) != false else { return .notNow }
        }
        announcements.append(
            RunningAnnouncement(
                id: announcement.id, frame: frame, soundEnd: soundEnd, endFrame: end,
                speakers: Set(overlays.keys)))
        for member in concerned {
            guard let overlay = overlays[member.target.key] else { continue }
            member.sound.add(
                SpeakerSound.PlacedOverlay(id: announcement.id, overlay: overlay, frame: frame))
        }
        await exchange(from: frame, of: concerned)
        forget(after: line.host(of: end))
        return .begins(line.host(of: frame))
    }

    func endAnnouncement(_ id: Int) async {
        guard let index = announcements.firstIndex(where: { $0.id == id }) else { return }
        let running = announcements[index]
        let concerned = members.filter { running.speakers.contains($0.target.key) }
        guard let frame = nextChange(of: concerned), frame < running.endFrame else {
            announcements.remove(at: index)
            for member in concerned { member.sound.removeOverlay(id) }
            return
        }
        // Kept until the music has its own level: a jump before must find it.
        announcements[index] = RunningAnnouncement(
            id: id, frame: running.frame, soundEnd: min(running.soundEnd, max(frame, running.frame)),
            endFrame: min(running.endFrame, frame + Int64(Self.endSeconds * sampleRate.hertz)),
            speakers: running.speakers)
        for member in concerned { member.sound.endOverlay(id, at: frame) }
        await exchange(from: frame, of: concerned)
    }

    /// Takes all announcements out of what will be sent: the music stops, or goes elsewhere.
    ///
    /// - Returns: The speakers that may hold some of them.
    func dropAnnouncements() -> [GroupMember] {
        forgetAnnouncements()
        let dropped = announcements
        announcements = []
        for announcement in dropped {
            for member in members { member.sound.removeOverlay(announcement.id) }
        }
        return members.filter { member in dropped.contains { $0.speakers.contains(member.target.key) } }
    }

    /// Forgets an announcement, whose sound may be large, some time after its end.
    private func forget(after end: HostTime) {
        let pause = end.since(SystemClock.now) + .seconds(Self.keptSeconds + 1)
        Task { [weak self] in
            await Task.pause(for: pause)
            await self?.forgetAnnouncements()
        }
    }

    /// Forgets announcements that were heard.
    private func forgetAnnouncements() {
        guard let line = plan.line else { return }
        let now = line.frame(at: SystemClock.now)
        let limit = now - Int64(Self.keptSeconds * line.sampleRate.hertz)
        for announcement in announcements where announcement.endFrame < limit {
            for member in members { member.sound.removeOverlay(announcement.id) }
        }
        announcements.removeAll { $0.endFrame < limit }
    }

    // MARK: Exchanging

    /// Returns the first frame of a packet from which on all of some speakers can change what they hold; `nil` if
    /// nothing plays.
    private func nextChange(of members: [GroupMember]) -> Int64? {
        guard let line = plan.line else { return nil }
        let margin =
            members.compactMap { member in
                member.session.map { $0.exchangeMargin - member.delay.duration }
            }.max() ?? .zero
        let frame = line.frame(at: SystemClock.now.advanced(by: max(.zero, margin) + Self.slack))
        // At the end of the next packet: one that is heard partly before cannot be changed.
        guard let packet = store.packet(holding: max(frame, line.frame)) else { return frame }
        return packet.frame >= frame ? packet.frame : packet.endFrame
    }

    /// Sends some speakers that are silent what follows a frame once more, as their sound is now.
    func sendAgain(from frame: Int64, to members: [GroupMember]) async {
        guard !members.isEmpty, plan.line == nil else { return }
        receive(.cut)
        for member in members {
            await member.session?.takeBackSilently(from: frame)
            member.session?.resume(from: frame)
        }
        await carryOut(.resume)
    }

    /// Sends some speakers what they hold from a frame on once more, as their sound is now.
    private func exchange(from frame: Int64, of members: [GroupMember]) async {
        guard let line = plan.line else { return }
        let margin = line.host(of: frame).since(SystemClock.now)
        var tasks: [Task<Void, Never>] = []
        for member in members {
            if let task = await member.takeBack(from: frame, margin: margin, in: self) { tasks.append(task) }
            member.session?.resume(from: frame)
        }
        await settle(tasks, within: timing.groupAnswerTimeout)
    }
}
