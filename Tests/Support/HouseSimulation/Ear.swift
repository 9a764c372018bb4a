import TuttiAudioOutput
import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO
import TuttiVirtualTime

/// Sound without a gap or a jump, as it was heard.
package struct HeardRun: Hashable, Sendable {
    /// A frame of the source and the true time in nanoseconds at which it was heard.
    package struct Point: Hashable, Sendable {
        package var frame: Double
        package var time: Int64
    }

    package var first: Point
    package var last: Point
}

/// The loudspeaker of a virtual speaker, whose own crystal gives its rate, and an ear before it.
final class LoudspeakerWithEar: AudioOutput, @unchecked Sendable {
    // Safe to share: see `VirtualWorld`.
    let format = PCMFormat(sampleRate: .hz44100, channelCount: 2, sampleFormat: .float32)
    let periodFrames = 441
    private let machine: VirtualMachine
    private let crystal: Crystal
    private var loop: (any Loop)?
    private var isStopped = false
    private(set) var runs: [HeardRun] = []
    /// Points a hundredth of a second apart.
    private(set) var points: [HeardRun.Point] = []
    /// Hears exactly where the loudspeaker agrees with the clocks.
    private(set) var exact = ExactEar()

    /// Frames by which a point may miss the line through a point of the last tenth of a second: what the stamps leave open,
    /// and the greatest correction of the rate. More is a jump.
    private static func tolerance(after frames: Double) -> Double { 1.5 + 0.0012 * frames }
    /// Frames after which the next point is the one that others are held against.
    private static let referenceFrames = 4410.0
    /// True times in nanoseconds between which the loudspeaker had nothing to play.
    struct Underrun {
        var from: Int64
        var to: Int64
    }

    private(set) var underruns: [Underrun] = []
    /// The loudspeaker plays what comes by so much too late as if it had come in time, so that a late thread is not heard
    /// for its own sake; after longer it was silent, and goes on anew.
    private static let patience: Int64 = 220_000_000
    /// Nanoseconds between two looks of one run. A block's boundary, which no look can read, takes 3 ms.
    private static let longestPause: Int64 = 5_000_000

    /// The crystal of a loudspeaker, driven by its machine's clock.
    struct Crystal: Sendable {
        /// Its usual rate beyond that of the machine's clock, in parts per million.
        var ppm: Double
        /// The deviation from that while it plays.
        var wander = CrystalClock()
    }

    /// Whether the loudspeaker agrees with its machine's clock, so that frames come out unchanged.
    private let isExact: Bool

    init(on machine: VirtualMachine, _ crystal: Crystal) {
        (self.machine, self.crystal) = (machine, crystal)
        isExact = crystal.ppm == 0 && crystal.wander == CrystalClock()
    }

    func start(_ source: any RenderSource) throws(OutputError) {
        do throws(SystemError) {
            let loop = try machine.makeLoop()
            self.loop = loop
            try loop.start("ear", priority: 20) { [self] in Turns(self, source) }
        } catch {
            throw OutputError(operation: "start", code: error.code, description: "\(error)")
        }
    }

    func stop() {
        isStopped = true
        loop?.wake()
    }

    private final class Turns: LoopTurns {
        private let owner: LoudspeakerWithEar
        private let source: any RenderSource
        /// Counts frames in the time that the wandering part of the crystal counts.
        private var dac: VirtualDAC
        private let start: HostTime
        private var frames: [Float]

        init(_ owner: LoudspeakerWithEar, _ source: any RenderSource) {
            (self.owner, self.source, start) = (owner, source, owner.machine.now)
            dac = VirtualDAC(
                sampleRate: .hz44100, ppm: owner.crystal.ppm, periodFrames: owner.periodFrames,
                latencyFrames: 441,
                startingAt: start)
            frames = Array(repeating: 0, count: 2 * owner.periodFrames)
        }

        func turn(ready: [Int], _ watch: inout LoopWatch) -> LoopTurn {
            if owner.isStopped { return .end }
            restartIfStarved()
            while let time = nextPeriod() {
                let count = owner.periodFrames
                frames.withUnsafeMutableBufferPointer { source.render($0, frameCount: count, at: time) }
                owner.hear(frames, at: time)
            }
            return .wait(until: hostTime(of: dac.nextDueTime))
        }

        /// The nanoseconds of the machine's time since the beginning.
        private var passed: Int64 { owner.machine.now.nanoseconds(since: start) }
        /// The time that the wandering part of the crystal counts.
        private var now: HostTime { start.advanced(byNanoseconds: owner.crystal.wander.count(at: passed)) }

        private func restartIfStarved() {
            guard now.nanoseconds(since: dac.nextDueTime) > LoudspeakerWithEar.patience else { return }
            let end = owner.machine.trueTime(of: hostTime(of: dac.playTime(of: dac.nextFrame)))
            owner.underruns.append(Underrun(from: end, to: owner.machine.world.time))
            dac.restart(at: now)
        }

        /// Returns the period that is due, in the machine's time.
        private func nextPeriod() -> DeviceTime? {
            guard let time = dac.nextPeriod(at: now) else { return nil }
            return DeviceTime(
                frame: time.frame, playTime: hostTime(of: time.playTime),
                rateRatio: time.rateRatio * (1 + Double(owner.crystal.wander.rate(at: passed)) * 1e-9))
        }

        /// Returns the machine's time at which the wandering part of the crystal counts `time`.
        private func hostTime(of time: HostTime) -> HostTime {
            start.advanced(byNanoseconds: owner.crystal.wander.time(of: time.nanoseconds(since: start)))
        }
    }

    /// Frames between two looks; a period has 49.
    private static let stride = 9
    /// Looks between two points that are kept.
    private static let keptLooks = 49

    private func hear(_ samples: [Float], at time: DeviceTime) {
        let heard = machine.trueTime(of: time.playTime)
        if isExact { exact.hear(samples, from: time.frame, at: heard) }
        let start = Double(heard)
        let rate = 1 + machine.rateError(at: heard) * 1e-9
        let frameTime = 1e9 / (44_100 * time.rateRatio * rate)
        for index in Swift.stride(from: 0, to: periodFrames, by: Self.stride) {
            guard let frame = StampedSound.frame(samples[(2 * index)...]) else {
                let isSilent = abs(samples[2 * index]) < 0.001 && abs(samples[2 * index + 1]) < 0.001
                if isSilent { reference = nil }
                continue
            }
            hear(HeardRun.Point(frame: frame, time: Int64((start + Double(index) * frameTime).rounded())))
        }
    }

    /// The point of the present run that others are held against; `nil` in silence.
    private var reference: HeardRun.Point?
    private var looks = 0

    private func hear(_ point: HeardRun.Point) {
        if looks % Self.keptLooks == 0 { points.append(point) }
        looks += 1
        if let reference, let last = runs.last?.last, point.time - last.time < Self.longestPause {
            let frames = Double(point.time - reference.time) * 44_100e-9
            if abs(point.frame - reference.frame - frames) <= Self.tolerance(after: frames) {
                runs[runs.count - 1].last = point
                if frames > Self.referenceFrames { self.reference = point }
                return
            }
        }
        reference = point
        runs.append(HeardRun(first: point, last: point))
    }
}
