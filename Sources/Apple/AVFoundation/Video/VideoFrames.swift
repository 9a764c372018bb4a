import CoreMedia
import Foundation

/// Queued frames in the order of their times.
struct VideoFrames {
    struct Frame {
        let buffer: CMSampleBuffer
        /// Deadline in timebase time; negative infinity means at once.
        let time: CMTime
        /// Deadline of the next frame by this frame's duration; ``time`` if the duration is unknown.
        let end: CMTime
        let isShown: Bool
        let isDecoded: Bool
        let byteCount: Int

        var isImmediate: Bool { time == .negativeInfinity }
    }

    /// The frames due at one moment.
    struct Due {
        /// Frames overtaken by a later due frame, or marked not to be shown.
        var skipped: [CMSampleBuffer] = []
        var shown: CMSampleBuffer?
    }

    /// High-water marks, any of which stops requests: a second of frames, 240 frames (a second of the fastest
    /// screens), or 256 MiB (a second of raw frames of 1920 × 1080).
    static let fullSeconds = 1.0
    static let fullCount = 240
    static let fullByteCount = 256 << 20
    /// Low-water mark: requests resume at this share of the high-water marks.
    static let lowShare = 0.75
    /// Seconds of frames that suffice for a reliable start.
    static let sufficientSeconds = 0.25

    private var frames: ArraySlice<Frame> = []
    private var byteCount = 0
    private(set) var isFull = false
    /// The program has signalled the end of the frames.
    var isComplete = false
    /// Deadline of the frame shown last. An earlier one that comes after it is too late, unless the time went back.
    private var lastShown: CMTime?

    var isEmpty: Bool { frames.isEmpty }

    /// The number of frames that hold a picture.
    var decodedCount: Int { frames.count { $0.isDecoded } }

    /// Deadline of the next frame.
    var nextTime: CMTime? { frames.first?.time }

    mutating func insert(_ frame: Frame, at now: CMTime) {
        // Encoded frames may arrive in decode order, so insert by presentation time.
        let place = frames.lastIndex { $0.time <= frame.time }.map { $0 + 1 } ?? frames.startIndex
        frames.insert(frame, at: place)
        byteCount += frame.byteCount
        isComplete = false
        updateMarks(at: now)
    }

    /// Removes the due frames. Of several frames to show, only the last is shown; an immediate frame takes
    /// precedence over timed frames.
    mutating func takeDue(at now: CMTime) -> Due {
        let taken = frames.prefix { $0.time <= now }
        frames.removeFirst(taken.count)
        byteCount -= taken.reduce(0) { $0 + $1.byteCount }
        updateMarks(at: now)
        var due = Due()
        if let last = lastShown, now < last { lastShown = nil }
        for frame in taken.filter({ !$0.isImmediate }) + taken.filter(\.isImmediate) {
            let isLate = !frame.isImmediate && lastShown.map { frame.time < $0 } ?? false
            guard frame.isShown, !isLate else {
                due.skipped.append(frame.buffer)
                continue
            }
            if let overtaken = due.shown { due.skipped.append(overtaken) }
            due.shown = frame.buffer
            if !frame.isImmediate { lastShown = frame.time }
        }
        return due
    }

    mutating func removeAll() { self = VideoFrames() }

    func hasSufficient(at now: CMTime) -> Bool {
        isComplete || isFull || secondsAhead(of: now) >= Self.sufficientSeconds
    }

    private mutating func updateMarks(at now: CMTime) {
        let share = max(
            secondsAhead(of: now) / Self.fullSeconds, Double(frames.count) / Double(Self.fullCount),
            Double(byteCount) / Double(Self.fullByteCount))
        if share >= 1 { isFull = true }
        if share <= Self.lowShare { isFull = false }
    }

    /// Seconds from the playhead, or from the first frame if that is later, to the end of the last frame.
    private func secondsAhead(of now: CMTime) -> Double {
        guard let first = frames.first, let last = frames.last else { return 0 }
        let seconds = (last.end - max(now, first.time)).seconds
        return seconds.isFinite ? max(0, seconds) : 0
    }
}

extension VideoFrames.Frame {
    /// Fails for a buffer with neither a numeric time nor the attachment to display immediately.
    init?(_ buffer: CMSampleBuffer) {
        let isImmediate = Self.flag(kCMSampleAttachmentKey_DisplayImmediately, of: buffer)
        let time = isImmediate ? .negativeInfinity : buffer.outputPresentationTimeStamp
        guard isImmediate || time.isNumeric else { return nil }
        let end = time + buffer.outputDuration
        self.buffer = buffer
        self.time = time
        self.end = end.isNumeric ? end : time
        isShown = !Self.flag(kCMSampleAttachmentKey_DoNotDisplay, of: buffer)
        isDecoded = buffer.imageBuffer != nil
        byteCount = max(buffer.totalSampleSize, buffer.imageByteCount)
    }

    private static func flag(_ key: CFString, of buffer: CMSampleBuffer) -> Bool {
        let attachments = CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: false)
        guard let first = attachments?.firstObject as? NSDictionary else { return false }
        return (first.object(forKey: key) as? NSNumber)?.boolValue
            ?? (first.object(forKey: key) as? Bool) ?? false
    }
}
