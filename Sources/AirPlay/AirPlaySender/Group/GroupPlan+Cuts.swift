import TuttiMediaTime

// Edits of the sound that the speakers hold: where a cut lies, and which speakers have not carried it out.
extension GroupPlan {
    func place(ofCut frame: Int64, at now: HostTime) -> CutPlace {
        switch phase {
        case .playing(let play): .playing(play.line.host(of: frame).since(now))
        case .paused(let pause): .paused(.nanoseconds(sampleRate.nanoseconds(of: frame - pause.frame)))
        case .idle, .starting: .silent
        }
    }

    /// Whether a session's speaker plays along the line, with the sound that it should have.
    func playsCorrectly(_ id: SessionID) -> Bool {
        guard case .playing = phase, let session = sessions[id] else { return false }
        return session.place == .onLine && !session.hasMissedCut && session.cutsUnderWay == 0
    }

    /// Marks a speaker that still holds the withdrawn sound; refills it at once or when it answers again.
    mutating func missedCut(_ id: SessionID, _ failure: SpeakerFailure) {
        guard sessions[id] != nil else { return }
        sessions.emit(.warn(id, failure))
        sessions.change(id) {
            $0.hasMissedCut = true
            $0.cutsUnderWay -= 1
        }
        // While the cut is open, the store still has the old sound, and a refill would send it again.
        if failure.code == .refused, !isCutOpen { refillMissed(id) }
    }

    /// Clears a speaker that holds the wrong sound, and lets it rejoin the line.
    mutating func refillMissed(_ id: SessionID) {
        sessions.change(id) { $0.hasMissedCut = false }
        sessions.rejoin(id, after: .clear)
    }
}
