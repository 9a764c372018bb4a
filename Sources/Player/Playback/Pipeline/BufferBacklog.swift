import CoreMedia

/// A queue of sample buffers in time order that are not packed or not heard yet.
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

    /// The queued buffers, oldest first.
    var all: [CMSampleBuffer] { Array(buffers[head...]) }

    /// Removes buffers that end at or before `time`.
    mutating func removeHeard(before time: CMTime) {
        while let first, first.outputPresentationTimeStamp + first.outputDuration <= time { removeFirst() }
    }

    mutating func removeAll() {
        buffers.removeAll()
        head = 0
    }

    /// Drops sound from `time` on; cuts a buffer that spans `time`.
    mutating func drop(from time: CMTime) {
        let keep = buffers[head...].firstIndex { $0.outputPresentationTimeStamp >= time } ?? buffers.count
        buffers.removeSubrange(keep...)
        guard !isEmpty, let last = buffers.last else { return }
        let end = last.outputPresentationTimeStamp + last.outputDuration
        guard end.isNumeric, end > time else { return }
        // A buffer that cannot be split stays whole, and the following sound overlaps its end.
        if let cut = try? Self.head(of: last, before: time) { buffers[buffers.count - 1] = cut }
    }

    /// Copies the packets up to the one that holds `time`, and trims that packet from `time` on.
    static func head(of buffer: CMSampleBuffer, before time: CMTime) throws -> CMSampleBuffer {
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

    /// Queued sound.
    var size: UnpackedSound.Amount {
        buffers[head...].reduce(into: UnpackedSound.Amount()) { $0 += UnpackedSound.Amount(of: $1) }
    }
}
