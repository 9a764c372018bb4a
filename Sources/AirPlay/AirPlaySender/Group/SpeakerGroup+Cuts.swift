import TuttiMediaTime
import TuttiSystemIO

/// Edits of the sound that the speakers already hold.
extension SpeakerGroup {
    /// Withdraws the sound from `frame` on from the speakers; returns `false` if that is too near the playhead.
    func takeBack(from frame: Int64) async -> Bool {
        let place = plan.place(ofCut: frame, at: machine.now)
        guard let margin = place.margin, await members.canTakeBack(margin, in: self) else {
            if case .playing = place { return false }
            // Nothing is heard: the next start flushes the speakers.
            cutFrame = frame
            receive(.cut)
            for member in members { await member.session?.takeBackSilently(from: frame) }
            return true
        }
        cutFrame = frame
        receive(.cut)
        await members.takeBack(from: frame, margin: margin, isExchanged: false, in: self)
        return true
    }
}
