internal import AudioOutput
internal import Glibc
internal import MediaTime
internal import Synchronization

/// What the render thread sees: the track that is on, the volume, and where it says which frame it is at.
///
/// Everything that it does costs neither memory nor locks.
final class RenderDesk: @unchecked Sendable {
    // Safe to share: the atomics are; the plain variables below `Render thread only` are touched by `render` alone,
    // which an output calls from one thread at a time. A track is rewritten only when `reading` is not its number,
    // looked at after `active` was taken off it; both are sequentially consistent, so one side sees the other.

    private static let none = -1
    /// Seconds in which the volume goes all the way.
    private static let gainSeconds = 0.01
    /// Frames in which what broke off dies away.
    private static let fadeFrames: Float = 48

    private let tracks = [RenderTrack(), RenderTrack()]
    private let active = Atomic<Int>(none)
    private let reading = Atomic<Int>(none)
    /// Goes up with every track that is put on.
    private let generation = Atomic<Int>(0)
    private let gainBits = Atomic<UInt32>(Float(1).bitPattern)

    // The latest device time, between two counts of the same even value.
    private let timeCount = Atomic<Int>(0)
    private let timeFrame = Atomic<Int64>(0)
    private let timePlay = Atomic<Int64>(0)
    private let timeRatio = Atomic<UInt64>(0)
    private let nextFrame = Atomic<Int64>(0)

    private let channelCount: Int
    private let gainStep: Float

    // Render thread only.
    private var gain: Float = 1
    private var lastGeneration = 0
    private var isSounding = false
    private var last: (left: Float, right: Float) = (0, 0)
    private var residue: (left: Float, right: Float) = (0, 0)
    private var residueFrames: Float = 0

    init(channelCount: Int, sampleRate: SampleRate) {
        self.channelCount = channelCount
        gainStep = Float(1 / (Self.gainSeconds * Double(sampleRate.hertz)))
    }

    // MARK: The mixing side, one caller at a time

    /// What the volume becomes, within ``gainSeconds``.
    func setGain(_ gain: Float) { gainBits.store(gain.bitPattern, ordering: .releasing) }

    /// Silence from the next call of the render thread on.
    func takeOff() { active.store(Self.none, ordering: .sequentiallyConsistent) }

    /// The track that is on.
    var current: RenderTrack? {
        let index = active.load(ordering: .sequentiallyConsistent)
        return tracks.indices.contains(index) ? tracks[index] : nil
    }

    /// A track that nobody reads; `nil` when both are in use, for less than a period.
    func spare() -> Int? {
        let (on, read) = (
            active.load(ordering: .sequentiallyConsistent), reading.load(ordering: .sequentiallyConsistent)
        )
        return tracks.indices.first { $0 != on && $0 != read }
    }

    func track(_ index: Int) -> RenderTrack { tracks[index] }

    /// From the next call on this track is heard.
    func putOn(_ index: Int) {
        generation.add(1, ordering: .sequentiallyConsistent)
        active.store(index, ordering: .sequentiallyConsistent)
    }

    /// What the output last said, and the frame that it asks for next; `nil` before its first call.
    var deviceTime: (time: DeviceTime, next: Int64)? {
        // A call of the render thread may be under way; it takes nanoseconds.
        for _ in 0..<1000 {
            let count = timeCount.load(ordering: .sequentiallyConsistent)
            if count == 0 { return nil }
            if count % 2 == 1 { continue }
            let time = DeviceTime(
                frame: timeFrame.load(ordering: .sequentiallyConsistent),
                playTime: HostTime(nanoseconds: timePlay.load(ordering: .sequentiallyConsistent)),
                rateRatio: Double(bitPattern: timeRatio.load(ordering: .sequentiallyConsistent)))
            let next = nextFrame.load(ordering: .sequentiallyConsistent)
            if timeCount.load(ordering: .sequentiallyConsistent) == count { return (time, next) }
        }
        return nil
    }

    // MARK: The render thread

    /// Adds to what is there already; `scratch` has room for `frameCount` frames.
    func add(
        to output: UnsafeMutableBufferPointer<Float>, frameCount: Int, at time: DeviceTime,
        scratch: UnsafeMutableBufferPointer<Float>
    ) {
        if isIdle { return post(time, count: min(frameCount, output.count / channelCount)) }
        render(scratch, frameCount: frameCount, at: time)
        var index = 0
        let count = min(frameCount * channelCount, output.count, scratch.count)
        while index < count {
            output[index] += scratch[index]
            index += 1
        }
    }

    /// Nothing is on, and nothing dies away.
    private var isIdle: Bool {
        active.load(ordering: .sequentiallyConsistent) == Self.none && !isSounding && residueFrames <= 0
    }

    func render(_ output: UnsafeMutableBufferPointer<Float>, frameCount: Int, at time: DeviceTime) {
        let count = min(frameCount, output.count / channelCount)
        post(time, count: count)
        if let base = output.baseAddress { memset(base, 0, output.count * MemoryLayout<Float>.stride) }
        let index = claim()
        let generation = self.generation.load(ordering: .sequentiallyConsistent)
        if index == Self.none {
            silence(output, 0..<count)
        } else {
            play(tracks[index], output, count: count, from: time.frame, isNew: generation != lastGeneration)
        }
        lastGeneration = generation
        reading.store(Self.none, ordering: .sequentiallyConsistent)
    }

    private func post(_ time: DeviceTime, count: Int) {
        timeCount.add(1, ordering: .sequentiallyConsistent)
        timeFrame.store(time.frame, ordering: .sequentiallyConsistent)
        timePlay.store(time.playTime.nanoseconds, ordering: .sequentiallyConsistent)
        timeRatio.store(time.rateRatio.bitPattern, ordering: .sequentiallyConsistent)
        nextFrame.store(time.frame + Int64(count), ordering: .sequentiallyConsistent)
        timeCount.add(1, ordering: .sequentiallyConsistent)
    }

    /// Says which track is being read, and makes sure that it still was on when that was said.
    private func claim() -> Int {
        for _ in 0..<4 {
            let index = active.load(ordering: .sequentiallyConsistent)
            reading.store(index, ordering: .sequentiallyConsistent)
            if active.load(ordering: .sequentiallyConsistent) == index { return index }
        }
        return Self.none
    }

    private func play(
        _ track: RenderTrack, _ output: UnsafeMutableBufferPointer<Float>, count: Int, from frame: Int64,
        isNew: Bool
    ) {
        // A track that floats waits until the sound before it has died away, so that its beginning is heard as it is.
        let begin = track.delay == nil ? min(count, dyingFrames) : 0
        if begin > 0 { silence(output, 0..<begin) }
        if begin == count { return }
        let first = track.own(frame + Int64(begin))
        let range = track.readable(from: first, count: count - begin)
        if range.isEmpty { return silence(output, begin..<count) }
        let (start, end) = (begin + Int(range.lowerBound - first), begin + Int(range.upperBound - first))
        if start > begin { silence(output, begin..<start) }
        // A break in the middle of sound is bridged from the last sample; sound after silence begins as it is.
        if isNew, start == begin { bridge(to: track.frame(first)) }
        let target = Float(bitPattern: gainBits.load(ordering: .acquiring))
        if last == (0, 0) { gain = target }
        isSounding = true
        var index = start
        while index < end {
            var sample = track.frame(first + Int64(index - begin))
            if gain != target {
                gain = gain < target ? min(target, gain + gainStep) : max(target, gain - gainStep)
            }
            if gain != 1 { sample = (sample.left * gain, sample.right * gain) }
            if residueFrames > 0 { sample = fading(sample) }
            put(sample, output, index)
            last = sample
            index += 1
        }
        if end < count { silence(output, end..<count) }
    }

    /// Frames that the sound that was heard last still needs to die away.
    private var dyingFrames: Int {
        Int(isSounding && last != (0, 0) ? Self.fadeFrames : max(0, residueFrames))
    }

    private func bridge(to sample: (left: Float, right: Float)) {
        if last == (0, 0) { return }
        residue = (last.left - sample.left * gain, last.right - sample.right * gain)
        residueFrames = Self.fadeFrames
    }

    /// What sounded last dies away.
    private func silence(_ output: UnsafeMutableBufferPointer<Float>, _ range: Range<Int>) {
        if isSounding, last != (0, 0) { (residue, residueFrames) = (last, Self.fadeFrames) }
        if !range.isEmpty { isSounding = false }
        var index = range.lowerBound
        while index < range.upperBound, residueFrames > 0 {
            last = fading((0, 0))
            put(last, output, index)
            index += 1
        }
        if residueFrames == 0, !range.isEmpty { last = (0, 0) }
    }

    private func fading(_ sample: (left: Float, right: Float)) -> (left: Float, right: Float) {
        residueFrames -= 1
        let share = residueFrames / Self.fadeFrames
        return (sample.left + residue.left * share, sample.right + residue.right * share)
    }

    @inline(__always)
    private func put(
        _ sample: (left: Float, right: Float), _ output: UnsafeMutableBufferPointer<Float>, _ frame: Int
    ) {
        let start = frame * channelCount
        if channelCount == 1 {
            output[start] = (sample.left + sample.right) / 2
        } else {
            output[start] = sample.left
            output[start + 1] = sample.right
        }
    }
}
