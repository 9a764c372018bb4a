import TuttiMediaTime
import TuttiRTP

/// The sequence numbers and RTP times of one speaker's packets.
///
/// Sequence numbers go up by one and are never reused. RTP time is frames of the timeline plus ``base``, which
/// moves forward at every immediate flush.
struct PacketNumbering: Sendable {
    /// The number of the next packet.
    private(set) var nextSequence: SequenceNumber
    private(set) var packetCount: Int64 = 0
    /// The RTP time of timeline frame 0.
    private var base: RTPTime
    /// The greatest end of all packets so far.
    private var timeEnd: RTPTime
    /// Whether nothing has been numbered since the last restart.
    private(set) var isFresh = true

    init(firstSequence: SequenceNumber, firstTime: RTPTime) {
        nextSequence = firstSequence
        (base, timeEnd) = (firstTime, firstTime)
    }

    /// The position before which the speaker has to drop everything at an immediate flush.
    var end: (sequence: SequenceNumber, time: RTPTime) { (nextSequence, timeEnd) }

    /// Returns the RTP time of a timeline frame.
    func time(of frame: Int64) -> RTPTime { base.advanced(by: frame) }

    /// Begins a new run of packets, whose RTP times are later than all before.
    mutating func restart() { isFresh = true }

    /// Sets the RTP time of a new run's first frame, if nothing of the run has been numbered.
    ///
    /// Moves RTP time forward at every flush, by more than a speaker decodes ahead: old sound left in the
    /// speaker is then late, and does not hide the new sound.
    mutating func begin(at frame: Int64) {
        guard isFresh else { return }
        let step = packetCount == 0 ? 0 : Self.stepAfterFlush
        base = timeEnd.advanced(by: step - frame)
        isFresh = false
    }

    /// Gives a frame this RTP time, for a receiver whose RTP time runs on.
    mutating func place(_ frame: Int64, at time: RTPTime) {
        base = time.advanced(by: -frame)
        isFresh = false
    }

    private static let stepAfterFlush: Int64 = 96_000

    /// Counts a packet that has ``nextSequence``.
    mutating func count(frame: Int64, frameCount: Int32) {
        let end = time(of: frame + Int64(frameCount))
        if end.frames(since: timeEnd) > 0 { timeEnd = end }
        nextSequence = nextSequence.advanced(by: 1)
        packetCount += 1
    }
}
