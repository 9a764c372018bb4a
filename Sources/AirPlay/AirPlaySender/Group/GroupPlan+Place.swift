import TuttiMediaTime

// The line, and the frame that is heard or shown at a time.
extension GroupPlan {
    /// The line that the group plays along; `nil` while it does not play.
    var line: FrameLine? { if case .playing(let play) = phase { play.line } else { nil } }

    /// The frame that is heard at a time, or at which a start will begin; `nil` before the first start.
    func playhead(at now: HostTime) -> Int64? {
        switch phase {
        case .idle: nil
        case .starting(let start): start.frame
        case .playing(let play): play.line.frame(at: now)
        case .paused(let pause): pause.frame
        }
    }

    /// The frame whose track displays show: what is heard, or will be heard after a pause.
    func shownFrame(at now: HostTime) -> Int64? {
        switch phase {
        case .playing, .paused: playhead(at: now)
        case .idle, .starting: nil
        }
    }
}
