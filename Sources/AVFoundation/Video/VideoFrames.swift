import CoreMedia
import Foundation

/// Frames that wait for their time, in the order of their times.
struct VideoFrames {
    struct Frame {
        let buffer: CMSampleBuffer
        /// When it is due; negative infinity for at once.
        let time: CMTime
        /// When the next one is due, as far as its duration tells.
        let end: CMTime
        let isShown: Bool
        let byteCount: Int

        var isImmediate: Bool { time == .negativeInfinity }
    }

    /// What is due at one moment.
    struct Due {
        /// Overtaken by a later frame that is due too, or not to be shown at all.
        var skipped: [CMSampleBuffer] = []
        var shown: CMSampleBuffer?
    }

    /// At any of these no more is asked for: a second of pictures, two hundred and forty of them (a second
    /// of the fastest screens), or 256 MiB (a second of raw pictures of 1920 × 1080).
    static let fullSeconds = 1.0
    static let fullCount = 240
    static let fullByteCount = 256 << 20
    /// More is asked for again at this share of them.
    static let lowShare = 0.75
    /// As much as a start should have.
    static let sufficientSeconds = 0.25

    private var frames: ArraySlice<Frame> = []
    private var byteCount = 0
    private(set) var isFull = false
    /// No more frames will come.
    var isComplete = false

    var isEmpty: Bool { frames.isEmpty }

    /// When the next frame is due.
    var nextTime: CMTime? { frames.first?.time }

    mutating func insert(_ frame: Frame, at now: CMTime) {
        // Frames of a codec may come in the order in which they are decoded.
        let place = frames.lastIndex { $0.time <= frame.time }.map { $0 + 1 } ?? frames.startIndex
        frames.insert(frame, at: place)
        byteCount += frame.byteCount
        isComplete = false
        updateMarks(at: now)
    }

    /// Takes out what is due. Of several that are to be shown the last is; one that is due at once beats
    /// those with a time.
    mutating func takeDue(at now: CMTime) -> Due {
        let taken = frames.prefix { $0.time <= now }
        frames.removeFirst(taken.count)
        byteCount -= taken.reduce(0) { $0 + $1.byteCount }
        updateMarks(at: now)
        var due = Due()
        for frame in taken.filter({ !$0.isImmediate }) + taken.filter(\.isImmediate) {
            guard frame.isShown else {
                due.skipped.append(frame.buffer)
                continue
            }
            if let overtaken = due.shown { due.skipped.append(overtaken) }
            due.shown = frame.buffer
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

    /// Seconds from the playhead, or from the first frame after it, to the end of the last one.
    private func secondsAhead(of now: CMTime) -> Double {
        guard let first = frames.first, let last = frames.last else { return 0 }
        let seconds = (last.end - max(now, first.time)).seconds
        return seconds.isFinite ? max(0, seconds) : 0
    }
}

extension VideoFrames.Frame {
    /// `nil` for a buffer that says neither when it is due nor that it is to be shown at once.
    init?(_ buffer: CMSampleBuffer) {
        let isImmediate = Self.flag(kCMSampleAttachmentKey_DisplayImmediately, of: buffer)
        let time = isImmediate ? .negativeInfinity : buffer.outputPresentationTimeStamp
        guard isImmediate || time.isNumeric else { return nil }
        let end = time + buffer.outputDuration
        self.buffer = buffer
        self.time = time
        self.end = end.isNumeric ? end : time
        isShown = !Self.flag(kCMSampleAttachmentKey_DoNotDisplay, of: buffer)
        byteCount = buffer.totalSampleSize
    }

    private static func flag(_ key: CFString, of buffer: CMSampleBuffer) -> Bool {
        let attachments = CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: false)
        guard let first = attachments?.firstObject as? NSDictionary else { return false }
        return (first.object(forKey: key) as? NSNumber)?.boolValue
            ?? (first.object(forKey: key) as? Bool) ?? false
    }
}
