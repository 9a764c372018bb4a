import TuttiMediaTime
import TuttiSystemIO

/// Edits of the sound that the speakers already hold.
extension SpeakerGroup {
    /// Withdraws the sound from `frame` on from the speakers; returns `false` if that is too near the playhead.
    func takeBack(from frame: Int64) async -> Bool {
        let place = plan.place(ofCut: frame, at: SystemClock.now)
        guard let margin = place.margin, await canTakeBack(margin) else {
            if case .playing = place { return false }
            // Nothing is heard: the next start flushes the speakers.
            receive(.cut)
            for member in members { await member.session?.takeBackSilently(from: frame) }
            return true
        }
        receive(.cut)
        var tasks: [Task<Void, Never>] = []
        for member in members {
            if let task = await member.takeBack(from: frame, margin: margin, in: self) { tasks.append(task) }
        }
        // An unreachable speaker learns of the cut later; do not wait for it.
        await settle(tasks, within: timing.groupAnswerTimeout)
        return true
    }

    /// Returns whether every speaker can take back sound at this distance from its playhead.
    private func canTakeBack(_ margin: Duration) async -> Bool {
        guard margin >= .zero else { return false }
        for member in members {
            guard let session = member.session else { continue }
            guard let least = session.traits.takeBackMargin, margin + member.delay.duration >= least,
                await session.canTakeBack(at: playhead)
            else { return false }
        }
        return true
    }
}
