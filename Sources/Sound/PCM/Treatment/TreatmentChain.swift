import TuttiMediaTime

/// The treatment of one stream of interleaved stereo: equaliser, night mode, limiter.
///
/// Delays nothing: as many frames come out as go in, each at its place. Without a treatment, samples pass unchanged,
/// bit for bit. A value; not for two streams at once.
package struct TreatmentChain: Sendable {
    /// The treatment.
    package private(set) var treatment: SoundTreatment
    private let sampleRate: SampleRate
    private var stages: TreatmentStages
    private var limiter: PeakLimiter
    /// The stages before the last change, and the frames in which they fade out.
    private var old: (stages: TreatmentStages, framesLeft: Int)?

    /// Makes a chain.
    package init(_ treatment: SoundTreatment, sampleRate: SampleRate) {
        (self.treatment, self.sampleRate) = (treatment, sampleRate)
        stages = TreatmentStages(treatment, sampleRate)
        limiter = PeakLimiter(sampleRate: sampleRate)
    }

    /// Whether ``process(_:)`` leaves all samples as they are.
    package var isNone: Bool { treatment.isNone && old == nil && !limiter.isActive }

    /// Takes another treatment for the frames that follow. The old one fades out within 20 ms, so nothing clicks.
    package mutating func change(to new: SoundTreatment) {
        guard new != treatment else { return }
        old = (stages, fadeFrames)
        treatment = new
        stages = TreatmentStages(new, sampleRate)
    }

    /// Forgets the sound so far, as after a seek.
    package mutating func reset() {
        stages.reset()
        limiter.reset()
        old = nil
    }

    /// Treats frames in place. Samples that are no numbers become 0 if there is a treatment; all are within full scale
    /// then. Takes no memory but during a change; any thread.
    ///
    /// - Parameter samples: Left and right in turn; a last sample without its partner stays as it is.
    package mutating func process(_ samples: UnsafeMutableBufferPointer<Float>) {
        guard !isNone else { return }
        if old != nil { processChange(samples) } else { stages.process(samples) }
        limiter.process(samples)
    }

    /// Treats an array of samples, left and right in turn.
    package mutating func process(_ samples: inout [Float]) {
        samples.withUnsafeMutableBufferPointer { process($0) }
    }

    private var fadeFrames: Int { max(1, sampleRate.hertz / 50) }

    private mutating func processChange(_ samples: UnsafeMutableBufferPointer<Float>) {
        guard var (before, framesLeft) = old else { return }
        let count = min(framesLeft, samples.count / 2)
        var faded = Array(samples[..<(count * 2)])
        faded.withUnsafeMutableBufferPointer { before.process($0) }
        stages.process(samples)
        for frame in 0..<count {
            let share = Float(framesLeft - frame) / Float(fadeFrames + 1)
            for place in [2 * frame, 2 * frame + 1] {
                samples[place] += (faded[place] - samples[place]) * share
            }
        }
        framesLeft -= count
        old = framesLeft > 0 ? (before, framesLeft) : nil
    }
}

/// The stages of a chain that a treatment changes.
private struct TreatmentStages: Sendable {
    private var equalizer: GraphicEqualizer?
    private var compressor: NightCompressor?

    init(_ treatment: SoundTreatment, _ sampleRate: SampleRate) {
        equalizer = treatment.equalizer.map { GraphicEqualizer(gains: $0, sampleRate: sampleRate) }
        compressor = treatment.isNightMode ? NightCompressor(sampleRate: sampleRate) : nil
    }

    mutating func process(_ samples: UnsafeMutableBufferPointer<Float>) {
        equalizer?.process(samples)
        compressor?.process(samples)
    }

    mutating func reset() {
        equalizer?.reset()
        compressor?.reset()
    }
}
