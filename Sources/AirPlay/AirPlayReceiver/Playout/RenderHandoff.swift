import Glibc
import Synchronization
import TuttiAudioOutput
import TuttiMediaTime

/// The hand-off to the render thread: the active track, the volume and the device time.
///
/// Neither allocates nor locks.
final class RenderHandoff: @unchecked Sendable {
    // Safe to share: the atomics are; the plain variables below `Render thread only` are touched by `render`
    // alone, which an output calls from one thread at a time. The mixing side rewrites a track only after
    // taking it off `active` and then finding that `reading` is another; both are sequentially consistent, so
    // one side sees the other.

    private static let none = -1
    /// Duration of a volume change over the full range, seconds.
    private static let gainSeconds = 0.01
    /// Frames of fade after audio breaks off.
    private static let fadeFrames: Float = 48

    private let tracks = [RenderTrack(), RenderTrack()]
    private let active = Atomic<Int>(none)
    private let reading = Atomic<Int>(none)
    /// Incremented for every track that becomes active.
    private let generation = Atomic<Int>(0)
    private let gainBits = Atomic<UInt32>(Float(1).bitPattern)
    /// The device frame after the last one that came from a track.
    private let lastEnd = Atomic<Int64>(.min)

    // The latest device time, guarded by a sequence lock: `timeCount` is odd during a write.
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

    // MARK: Mixing side, one caller at a time

    /// Sets the gain; the render thread fades to it within ``gainSeconds``.
    func setGain(_ gain: Float) { gainBits.store(gain.bitPattern, ordering: .releasing) }

    /// Fades to silence from the next call of the render thread on.
    func takeOff() { active.store(Self.none, ordering: .sequentiallyConsistent) }

    /// Silences the active track from the device's frame `frame` on; a late output plays what was due before.
    func takeOff(at frame: Int64) { current?.stop = frame }

    /// The device frame after the last one that came from a track; final after ``takeOff()``. `nil` while the render
    /// thread is interrupted inside a track.
    var soundEnd: Int64? {
        // A call of the render thread takes microseconds: retry. One that begins now sees the track taken off.
        for _ in 0..<Self.settlingTries where reading.load(ordering: .sequentiallyConsistent) == Self.none {
            return lastEnd.load(ordering: .sequentiallyConsistent)
        }
        return nil
    }

    /// The number of looks that outlasts any call of a render thread that is not interrupted.
    private static let settlingTries = 1 << 15

    /// The active track.
    var current: RenderTrack? {
        let index = active.load(ordering: .sequentiallyConsistent)
        guard tracks.indices.contains(index), tracks[index].stop == .max else { return nil }
        return tracks[index]
    }

    /// Returns the index of an unused track; `nil` while both are in use, for less than a period.
    func spare() -> Int? {
        let (on, read) = (
            active.load(ordering: .sequentiallyConsistent), reading.load(ordering: .sequentiallyConsistent)
        )
        return tracks.indices.first { $0 != on && $0 != read }
    }

    func track(_ index: Int) -> RenderTrack { tracks[index] }

    /// Plays this track from the next call of the render thread on.
    func putOn(_ index: Int) {
        generation.add(1, ordering: .sequentiallyConsistent)
        active.store(index, ordering: .sequentiallyConsistent)
    }

    /// The last device time that the output reported, and the frame it requests next; `nil` before its first
    /// call.
    var deviceTime: (time: DeviceTime, next: Int64)? {
        // A write by the render thread takes nanoseconds: retry.
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

    // MARK: Render thread

    /// Mixes into `output`; `scratch` has room for `frameCount` frames.
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

    /// Whether no track is active and no fade is in progress.
    private var isIdle: Bool {
        active.load(ordering: .sequentiallyConsistent) == Self.none && !isSounding && residueFrames <= 0
    }

    func render(_ output: UnsafeMutableBufferPointer<Float>, frameCount: Int, at time: DeviceTime) {
        let count = min(frameCount, output.count / channelCount)
        post(time, count: count)
        if let base = output.baseAddress { memset(base, 0, output.count * MemoryLayout<Float>.stride) }
        let index = claim()
        let generation = self.generation.load(ordering: .sequentiallyConsistent)
        let audible =
            index == Self.none ? 0 : Int(max(0, min(Int64(count), tracks[index].stop &- time.frame)))
        if audible > 0 {
            lastEnd.store(time.frame + Int64(audible), ordering: .sequentiallyConsistent)
            play(
                tracks[index], output, count: audible, from: time.frame, isNew: generation != lastGeneration)
        }
        if audible < count {
            silence(output, audible..<count)
            // Past its stop, the track is free.
            _ = active.compareExchange(
                expected: index, desired: Self.none, ordering: .sequentiallyConsistent)
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

    /// Announces the track being read, and checks that it is still active afterwards.
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
        // A floating track waits for the fade-out of earlier audio, so that its beginning is unaltered.
        let begin = track.delay == nil ? min(count, dyingFrames) : 0
        if begin > 0 { silence(output, 0..<begin) }
        if begin == count { return }
        let first = track.own(frame + Int64(begin))
        let range = track.readable(from: first, count: count - begin)
        if range.isEmpty { return silence(output, begin..<count) }
        let (start, end) = (begin + Int(range.lowerBound - first), begin + Int(range.upperBound - first))
        if start > begin { silence(output, begin..<start) }
        // Crossfade from the last sample if audio is interrupted by audio; audio after silence begins
        // unaltered.
        if isNew, start == begin { bridge(to: track.frame(first)) }
        let target = Float(bitPattern: gainBits.load(ordering: .acquiring))
        if last == (0, 0) { gain = target }
        isSounding = true
        var index = start
        while index < end, gain != target || residueFrames > 0 {
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
        if index < end { playOn(track, output, index..<end, from: first + Int64(index - begin)) }
        if end < count { silence(output, end..<count) }
    }

    /// Plays `range` of the output while nothing fades: nearly always.
    private func playOn(
        _ track: RenderTrack, _ output: UnsafeMutableBufferPointer<Float>, _ range: Range<Int>,
        from frame: Int64
    ) {
        let gain = gain
        var (sample, index) = (last, range.lowerBound)
        while index < range.upperBound {
            sample = track.frame(frame + Int64(index - range.lowerBound))
            if gain != 1 { sample = (sample.left * gain, sample.right * gain) }
            put(sample, output, index)
            index += 1
        }
        last = sample
    }

    /// Frames that the audio heard last still needs to fade out.
    private var dyingFrames: Int {
        Int(isSounding && last != (0, 0) ? Self.fadeFrames : max(0, residueFrames))
    }

    private func bridge(to sample: (left: Float, right: Float)) {
        if last == (0, 0) { return }
        residue = (last.left - sample.left * gain, last.right - sample.right * gain)
        residueFrames = Self.fadeFrames
    }

    /// Fades out the audio heard last.
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
