import CoreMedia

/// Sample buffers in time order: those that wait to be packed, or that were not heard yet.
struct BufferBacklog {
    private var buffers: [CMSampleBuffer] = []
    private var head = 0

    var isEmpty: Bool { head == buffers.count }
    var first: CMSampleBuffer? { isEmpty ? nil : buffers[head] }

    mutating func append(_ buffer: CMSampleBuffer) { buffers.append(buffer) }

    mutating func removeFirst() {
        head += 1
        if head > 32, head * 2 > buffers.count {
            buffers.removeFirst(head)
            head = 0
        }
    }

    /// All of them, the first one first.
    var all: [CMSampleBuffer] { Array(buffers[head...]) }

    /// Lets go of those that end at `time` or before.
    mutating func removeHeard(before time: CMTime) {
        while let first, first.outputPresentationTimeStamp + first.outputDuration <= time { removeFirst() }
    }

    mutating func removeAll() {
        buffers.removeAll()
        head = 0
    }

    /// Drops what begins at `time` or later.
    ///
    /// A buffer that spans the time is cut to its samples before it.
    mutating func drop(from time: CMTime) {
        let keep = buffers[head...].firstIndex { $0.outputPresentationTimeStamp >= time } ?? buffers.count
        buffers.removeSubrange(keep...)
        guard !isEmpty, let last = buffers.last else { return }
        let end = last.outputPresentationTimeStamp + last.outputDuration
        guard end.isNumeric, end > time else { return }
        // Where a buffer cannot be divided it stays whole, and what follows overlaps its end.
        if let cut = try? Self.head(of: last, before: time) { buffers[buffers.count - 1] = cut }
    }

    /// The samples up to the one that holds `time`; of that one, the part from `time` on is trimmed.
    private static func head(of buffer: CMSampleBuffer, before time: CMTime) throws -> CMSampleBuffer {
        let trimmed = buffer.outputPresentationTimeStamp - buffer.presentationTimeStamp
        let wanted = buffer.presentationTimeStamp + trimmed + (time - buffer.outputPresentationTimeStamp)
        var (count, end) = (0, buffer.presentationTimeStamp)
        for packet in buffer.packets where end < wanted {
            (count, end) = (count + 1, end + packet.duration)
        }
        let head = try CMSampleBuffer(copying: buffer, forRange: 0..<max(1, count))
        let rest = end - wanted
        if rest > .zero, rest.isNumeric {
            CMSetAttachment(
                head, key: kCMSampleBufferAttachmentKey_TrimDurationAtEnd,
                value: CMTimeCopyAsDictionary(rest, allocator: nil),
                attachmentMode: kCMAttachmentMode_ShouldPropagate)
        }
        return head
    }

    /// Seconds and bytes that wait.
    var size: (seconds: Double, bytes: Int) {
        buffers[head...].reduce(into: (0.0, 0)) { sum, buffer in
            let seconds = buffer.outputDuration.seconds
            sum.0 += seconds.isFinite ? max(0, seconds) : 0
            sum.1 += buffer.totalSampleSize
        }
    }
}
