internal import Glibc
internal import MediaTime

/// Sound of one packet, or silence, at its place.
struct SoundBlock: Sendable {
    var position: Int64
    var frameCount: Int64
    var sequence: Int64
    var rate: SampleRate
    /// The left channel's samples, then the right one's; empty for silence.
    var samples: [Float]
    /// Silence in the place of a packet that did not come or could not be decoded.
    var isMissing = false

    var end: Int64 { position + frameCount }
}

/// Decoded sound by its place, before resampling: from a little before the playhead to seconds ahead of it.
///
/// Places are RTP times, extended. Blocks lie end to end, or with silent blocks between them.
struct DecodedTimeline: Sendable {
    struct RateChange: Sendable {
        var position: Int64
        var rate: SampleRate
    }

    private var blocks: [SoundBlock] = []
    private var head = 0
    /// Where blocks begin whose rate is not the one of the block before.
    private var changes: [RateChange] = []
    /// Where the next block begins; `nil` when anything may come.
    private(set) var end: Int64?

    var start: Int64? { head < blocks.count ? blocks[head].position : nil }
    var firstSequence: Int64? { head < blocks.count ? blocks[head].sequence : nil }
    var last: SoundBlock? { head < blocks.count ? blocks[blocks.count - 1] : nil }

    func covers(_ position: Int64) -> Bool {
        guard let start, let end else { return false }
        return start <= position && position < end
    }

    /// - Precondition: The block begins where the last one ended.
    mutating func append(_ block: SoundBlock) {
        guard block.frameCount > 0 else { return }
        precondition(end == nil || end == block.position, "blocks lie end to end")
        if let last, last.rate != block.rate {
            changes.append(RateChange(position: block.position, rate: block.rate))
        }
        blocks.append(block)
        end = block.end
    }

    mutating func removeAll() {
        blocks.removeAll(keepingCapacity: true)
        changes.removeAll()
        (head, end) = (0, nil)
    }

    /// Takes out what belongs to packets from `sequence` on and lies behind `position`. A sound that has begun there is
    /// kept whole; a silence is cut.
    mutating func cut(fromSequence sequence: Int64, notBefore position: Int64) {
        var first = head
        while first < blocks.count, blocks[first].sequence < sequence || blocks[first].end <= position {
            first += 1
        }
        guard first < blocks.count else { return }
        if blocks[first].position < position {
            if blocks[first].samples.isEmpty {
                blocks[first].frameCount = position - blocks[first].position
            }
            first += 1
        }
        let end = first > head ? blocks[first - 1].end : blocks[first].position
        blocks.removeSubrange(first...)
        changes.removeAll { $0.position >= end }
        self.end = end
    }

    /// Lets go of what ends before `position`.
    mutating func drop(before position: Int64) {
        while head < blocks.count, blocks[head].end <= position {
            blocks[head].samples = []
            head += 1
        }
        if head >= 256, head >= blocks.count / 2 {
            blocks.removeFirst(head)
            head = 0
        }
        changes.removeAll { $0.position < position }
    }

    /// The rate of the block at a place, if there is one.
    func rate(at position: Int64) -> SampleRate? {
        let index = index(at: position)
        return index < blocks.count && blocks[index].position <= position ? blocks[index].rate : nil
    }

    /// The next place behind `position` where the rate becomes another one.
    func rateChange(after position: Int64) -> RateChange? { changes.first { $0.position > position } }

    /// Frames of `range` that are silent because a packet is missing.
    func missingFrames(in range: Range<Int64>) -> Int64 {
        var (sum, index) = (Int64(0), self.index(at: range.lowerBound))
        while index < blocks.count, blocks[index].position < range.upperBound {
            let block = blocks[index]
            if block.isMissing {
                sum += max(0, min(block.end, range.upperBound) - max(block.position, range.lowerBound))
            }
            index += 1
        }
        return sum
    }

    /// Copies both channels of a range; what is not there, or of another rate, is silence.
    ///
    /// - Returns: Whether there was any sound.
    func copy(
        _ range: Range<Int64>, rate: SampleRate, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>
    ) -> Bool {
        memset(left, 0, range.count * MemoryLayout<Float>.stride)
        memset(right, 0, range.count * MemoryLayout<Float>.stride)
        var (isSound, index) = (false, self.index(at: range.lowerBound))
        while index < blocks.count, blocks[index].position < range.upperBound {
            let block = blocks[index]
            index += 1
            let from = max(block.position, range.lowerBound)
            let to = min(block.end, range.upperBound)
            if block.samples.isEmpty || block.rate != rate || from >= to { continue }
            isSound = true
            let (source, target) = (Int(from - block.position), Int(from - range.lowerBound))
            block.samples.withUnsafeBufferPointer { samples in
                guard let base = samples.baseAddress else { return }
                left.advanced(by: target).update(from: base + source, count: Int(to - from))
                right.advanced(by: target).update(
                    from: base + Int(block.frameCount) + source, count: Int(to - from))
            }
        }
        return isSound
    }

    /// Of the first block that ends behind `position`.
    private func index(at position: Int64) -> Int {
        var (low, high) = (head, blocks.count)
        while low < high {
            let middle = (low + high) / 2
            if blocks[middle].end <= position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
