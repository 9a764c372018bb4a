import TuttiMediaTime
import TuttiRTP

/// The sound that one speaker holds, as far as its sender knows: what was sent, played and kept.
struct SpeakerContents {
    /// The packets sent and not played yet.
    private(set) var sent = SentPackets()
    /// The line along which the speaker plays; `nil` while it plays nothing.
    private(set) var line: FrameLine?
    /// The first frame sent since the last immediate flush; `nil` when none was.
    private(set) var firstFrame: Int64?
    /// The frame of the start that restarted sending; none of its sound may have arrived yet.
    private var preparedFrame: Int64?
    /// Whether the speaker has played or dropped part of what was sent since the last flush.
    private var isUsed = false
    /// Whether the speaker may hold sound from before the last restart, whose flush has failed before anything was sent.
    private var owesFlush = false
    /// The first frame that the stopped speaker still holds, with all that was sent after it; `nil` when unknown.
    private var heldFrom: Int64?

    /// Forgets what the speaker has played by now.
    mutating func played(by now: HostTime) {
        if let line { sent.played(to: line.frame(at: now)) }
    }

    /// Notes that the speaker plays along another line, or along none.
    mutating func play(along line: FrameLine?, at now: HostTime) {
        played(by: now)
        self.line = line
        if line != nil { (isUsed, heldFrom) = (true, nil) }
    }

    /// Notes that the speaker is about to be stopped.
    ///
    /// - Returns: The first frame that the speaker has not played yet; `nil` when it plays nothing.
    mutating func stop(at now: HostTime) -> Int64? {
        defer { line = nil }
        played(by: now)
        return line?.frame(at: now)
    }

    /// Notes that the stopped speaker still has `frame` and all that was sent after it.
    mutating func keep(from frame: Int64) {
        if let firstFrame { heldFrom = max(frame, firstFrame) }
    }

    /// Makes the next start flush, because the speaker may not have what was sent.
    mutating func distrust() {
        if firstFrame != nil { (isUsed, heldFrom) = (true, nil) } else { owesFlush = true }
    }

    /// Notes that the speaker drops everything.
    ///
    /// - Parameter frame: The frame of the start for which sending restarts.
    mutating func restart(for frame: Int64? = nil) { self = SpeakerContents(preparedFrame: frame) }

    /// Whether the speaker may hold sound, which it has to drop before a new run.
    var mayHoldSound: Bool { firstFrame != nil || owesFlush }

    init() {}

    private init(preparedFrame: Int64?) { self.preparedFrame = preparedFrame }

    /// Notes a packet that was sent.
    mutating func append(_ entry: SentPackets.Entry) { sent.append(entry) }

    /// Notes where a run begins; not at its lead-in silence, because a start there must be heard.
    mutating func begin(at frame: Int64) { firstFrame = frame }

    /// Returns whether the speaker has `frame`, or will be sent it soon.
    ///
    /// - Parameter isFull: Whether the speaker has no room until it plays; withdrawn packets take room until then. A start behind
    ///   the last packet would wait in vain.
    func holds(_ frame: Int64, isFull: Bool) -> Bool {
        if owesFlush { return false }
        if frame == preparedFrame, !isUsed { return true }
        guard let first = isUsed ? heldFrom : firstFrame, first <= frame else { return false }
        return frame <= (sent.endFrame ?? first) + (isFull ? -Self.beginning : Self.worthSending)
    }

    /// The frames that a start needs to be there: more than ``BufferedSession`` waits for.
    private static let beginning: Int64 = 44_100 / 10

    /// The distance, in frames, from the last sent packet up to which a start waits for the sound in between;
    /// beyond it sending restarts, because several rooms would be sent seconds of sound that nobody hears. At least as long as
    /// what ``BufferedSession`` counts as held behind the place of a pause.
    private static let worthSending: Int64 = 44_100 / 2

    /// Withdraws the packets from `entry` on: the speaker skips them.
    ///
    /// - Parameter lead: The time before the entry is heard at which the speaker skips them.
    mutating func withdraw(from entry: SentPackets.Entry, lead: Duration = .zero) {
        sent.withdraw(from: entry, lead: line?.sampleRate.frames(in: lead.wholeNanoseconds) ?? 0)
    }

    /// Removes the packets from this number on, which the speaker has not received.
    ///
    /// - Returns: The first packet removed; `nil` when there is none.
    mutating func takeBack(from sequence: SequenceNumber) -> SentPackets.Entry? {
        sent.takeBack(from: sequence)
    }
}
