import TuttiMediaTime
import TuttiSystemIO

extension OutputSpecification {
    /// Creates the output. Opens no file and plays nothing before ``AudioOutput/start(_:)``; probes ALSA or
    /// PulseAudio for the supported format, which blocks for a few seconds at most.
    ///
    /// - Parameters:
    ///   - preferredRate: Used if the device supports it; ``AudioOutput/format`` gives the actual rate.
    ///   - periodFrames: Used if the device supports it; `nil` for 10 ms.
    ///   - machine: Time and loops of the outputs without a device; a device has its own time.
    /// - Throws: An error if the ALSA device or the PulseAudio sink cannot be probed.
    package func makeOutput(
        preferredRate: SampleRate = .hz44100, periodFrames: Int? = nil, machine: any Machine
    ) throws(OutputError) -> any AudioOutput {
        switch kind {
        case .alsa(let device):
            return try ALSAOutput(device: device, preferredRate: preferredRate, periodFrames: periodFrames)
        case .pulse(let sink):
            return try PulseOutput(sink: sink, preferredRate: preferredRate, periodFrames: periodFrames)
        case .wave(let path, let depth):
            return WaveOutput(
                path: path, sampleRate: preferredRate, depth: depth, ppm: ppm, periodFrames: periodFrames,
                machine: machine)
        case .null:
            return NullOutput(
                sampleRate: preferredRate, ppm: ppm, periodFrames: periodFrames, machine: machine)
        }
    }

    /// Returns the default output: the sound server's default sink if a server responds, else ALSA's default.
    ///
    /// - Throws: An error that says what to do, if there is neither.
    package static func preferred() throws(OutputError) -> OutputSpecification {
        try preferred(
            pulse: { () throws(OutputError) in _ = try PulseServer.sink(named: nil) },
            alsa: { () throws(OutputError) in _ = try ALSAOutput() })
    }

    static func preferred(
        pulse: () throws(OutputError) -> Void, alsa: () throws(OutputError) -> Void
    ) throws(OutputError) -> OutputSpecification {
        if (try? pulse()) != nil { return OutputSpecification(.pulse(sink: nil)) }
        do throws(OutputError) {
            try alsa()
            return OutputSpecification(.alsa(device: "default"))
        } catch {
            // A busy device exists, and its own error is more specific.
            if error.isBusy { throw error }
            throw OutputError(
                operation: error.operation, code: error.code,
                description:
                    "no sound server answers, and ALSA has no default device; 'tutti outputs' lists the outputs, --output wave:FILE writes a file"
            )
        }
    }
}
