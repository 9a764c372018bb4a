import AirPlayMessages
import TuttiAudioOutput
import TuttiClockService
import TuttiMediaTime

/// The line of the packets behind a leap of RTP time, while the packets before the leap play out along theirs.
struct LeapLine {
    var anchor: Anchor
    /// The position of the first packet behind the leap; `nil` until it has arrived.
    var start: Int64?
    /// Whether the sender has announced the line for these packets. Otherwise the line is the one from before.
    var isAnnounced: Bool
}

// Leaps of RTP time: a sender begins another stream without a flush.
extension Playout {
    /// The longest lateness, in seconds, of a leap that nobody has announced. Beyond, its announcement is yet to come.
    private static let unannouncedSeconds = 2.0
    /// The longest distance, in seconds, from the packets to an anchor of theirs: more than any sender's lead.
    private static let anchorSeconds = 20.0

    /// Plays packets that come from now on along the line through this anchor; earlier ones play out.
    mutating func playNext(along anchor: Anchor, on clock: ClockIdentity) {
        guard decoder.mayLeap, isOnLine(of: clock) else { return play(along: anchor, on: clock) }
        leapLine = LeapLine(anchor: anchor, start: leapAhead, isAnnounced: true)
    }

    /// Takes an anchor that belongs to packets behind a leap.
    ///
    /// - Returns: Whether it does.
    mutating func takeForLeap(_ anchor: Anchor, on clock: ClockIdentity) -> Bool {
        guard decoder.mayLeap, isOnLine(of: clock) else { return false }
        guard leapAhead != nil || isFarFromPackets(anchor) else { return false }
        leapLine = LeapLine(anchor: anchor, start: leapAhead, isAnnounced: true)
        return true
    }

    /// Gives the packet that has arrived the line that is announced for it.
    ///
    /// - Parameter leap: The latest leap before the packet arrived.
    mutating func arrived(after leap: Int64?) {
        guard decoder.leap != leap, let start = decoder.leap else {
            // The announced line is that of the packets at hand, without a leap.
            if let next = leapLine, next.start == nil, !isFarFromPackets(next.anchor), let clock {
                play(along: next.anchor, on: clock)
            }
            return
        }
        guard cursor != nil, line != nil, let anchor = leapLine?.anchor ?? anchor else {
            // Nothing is heard along the line yet; its position depends on the latest packet.
            (anchor, leapLine, line) = (leapLine?.anchor ?? anchor, nil, nil)
            return
        }
        let isAnnounced = leapLine.map { $0.isAnnounced && $0.start == nil } ?? false
        leapLine = LeapLine(anchor: anchor, start: start, isAnnounced: isAnnounced)
        mixedSound.outages.permitJump()
    }

    /// The position of a leap that the cursor has not reached.
    private var leapAhead: Int64? {
        guard let cursor, let leap = decoder.leap, cursor.position < leap else { return nil }
        return leap
    }

    private func isOnLine(of clock: ClockIdentity) -> Bool {
        isPlaying && clock == self.clock && line != nil && cursor != nil
    }

    private func isFarFromPackets(_ anchor: Anchor) -> Bool {
        decoder.distance(to: anchor.rtpTime).map { $0 > Int64(Self.anchorSeconds * hertz) } ?? false
    }

    /// Returns the device frames from `frame` on that belong to the packets before a leap; `nil` without a leap.
    func framesBeforeLeap(at frame: Int64, _ time: DeviceClock) -> Int64? {
        guard let next = leapLine, let start = next.start, let line = lineBehindLeap(), time.isSane else {
            return nil
        }
        let late = time.frames(of: line, at: frame) - Double(start - line.position)
        if !next.isAnnounced, late > Self.unannouncedSeconds * Double(line.rate.hertz) { return nil }
        let step = Double(line.rate.hertz) / Double(deviceRate.hertz) * (1 + servo.drift)
        return Int64(max(0, min((-late / step).rounded(), 0x1p40)))
    }

    private func lineBehindLeap() -> PlayLine? {
        guard let next = leapLine, let rate = line?.rate else { return nil }
        return PlayLine(through: next.anchor, rate: rate, in: decoder, configuration)
    }

    /// Continues with the packets behind the leap.
    mutating func passLeap(at frame: Int64) {
        guard let next = leapLine, let line = lineBehindLeap() else { return }
        (anchor, self.line, leapLine, cursor) = (next.anchor, line, nil, nil)
        lineFrame = frame
        mixedSound.outages.permitJump()
    }

    /// Returns the first of the frames from `frame` on that follow the present line; the ones before it may be the
    /// rest of a stream that ended at a leap.
    func frameOnLine(from frame: Int64) -> Int64 {
        // A device that starts again counts from another number.
        guard let lineFrame, lineFrame - frame < Int64(deviceRate.hertz) else { return frame }
        return max(frame, lineFrame)
    }
}
