import TuttiMediaTime

/// The wait for the line after a flush: a sender that pauses by a flush continues along a new line, whose
/// announcement may arrive after the first packets.
struct FlushHold {
    /// Longest wait for a new line, seconds: senders announce theirs every second.
    private static let patienceSeconds = 1.2

    /// Whether a flush came and no device frame has had a position since.
    var isActive = false
    /// Device frames that passed while the first packet after a flush waited for a line.
    private(set) var waited = 0

    /// Decides whether a late first packet waits for this many more device frames: the line may still be
    /// the line from before the pause.
    mutating func waits(for frames: Int, at deviceRate: SampleRate) -> Bool {
        waited += frames
        return Double(waited) <= Self.patienceSeconds * Double(deviceRate.hertz)
    }
}
