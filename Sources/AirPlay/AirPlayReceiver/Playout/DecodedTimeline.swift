import Glibc
import TuttiMediaTime

/// The decoded audio of one packet, or silence, at its position.
struct SoundBlock: Sendable {
    var position: Int64
    var frameCount: Int64
    var sequence: Int64
    var rate: SampleRate
    /// All samples of the left channel, then all of the right; empty for silence.
    var samples: [Float]
    /// Marks silence that stands for no packet, or for one that was not decoded.
    var isGap = false
    /// Marks silence for a packet that is missing or could not be decoded.
    var isMissing = false

    var end: Int64 { position + frameCount }
}

/// Decoded audio by position, before resampling: from shortly before the playhead to seconds ahead of it.
///
/// Positions are extended RTP times. Blocks are contiguous; silent blocks fill gaps.
struct DecodedTimeline: Sendable {
    struct RateChange: Sendable {
        var position: Int64
        var rate: SampleRate
    }

    private var blocks: [SoundBlock] = []
    private var head = 0
    /// Positions of the blocks whose rate differs from the block before.
    private var changes: [RateChange] = []
    /// The position of the next block; `nil` if the next block may have any position.
    private(set) var end: Int64?

    var start: Int64? { head < blocks.count ? blocks[head].position : nil }
    var firstSequence: Int64? { head < blocks.count ? blocks[head].sequence : nil }
    var last: SoundBlock? { head < blocks.count ? blocks[blocks.count - 1] : nil }

    func covers(_ position: Int64) -> Bool {
        guard let start, let end else { return false }
        return start <= position && position < end
    }

    /// - Precondition: The block begins at ``end``, if there is one.
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

    /// Removes the audio of packets from `sequence` on that lies after `position`. Keeps an audio block that
    /// has begun before `position`, and cuts a silent one there.
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

    /// Drops blocks that end at or before `position`.
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

    /// Returns the rate of the block at a position, if there is one.
    func rate(at position: Int64) -> SampleRate? {
        let index = index(at: position)
        return index < blocks.count && blocks[index].position <= position ? blocks[index].rate : nil
    }

    /// Returns the first rate change after `position`.
    func rateChange(after position: Int64) -> RateChange? { changes.first { $0.position > position } }

    /// Counts the frames of `range` that are silent because a packet is missing.
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

    /// Returns whether any frame of `range` is from a packet.
    func holdsPackets(in range: Range<Int64>) -> Bool {
        var index = self.index(at: range.lowerBound)
        while index < blocks.count, blocks[index].position < range.upperBound {
            if !blocks[index].isGap { return true }
            index += 1
        }
        return false
    }

    /// Copies both channels of a range; gaps and blocks of another rate become silence.
    ///
    /// - Returns: Whether any frame came from a block with samples.
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

    /// Returns the index of the first block that ends after `position`.
    private func index(at position: Int64) -> Int {
        var (low, high) = (head, blocks.count)
        while low < high {
            let middle = (low + high) / 2
            if blocks[middle].end <= position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
