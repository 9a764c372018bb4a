public import MediaTime

extension OutputSpecification {
    /// Makes the output. It plays nothing and opens no file before ``AudioOutput/start(_:)``; ALSA and PulseAudio
    /// are asked what they take, which waits for at most a few seconds.
    ///
    /// - Parameters:
    ///   - preferredRate: Taken where the device has it; ``AudioOutput/format`` tells what it is.
    ///   - periodFrames: Likewise; `nil` for 10 ms.
    public func makeOutput(
        preferredRate: SampleRate = .hz44100, periodFrames: Int? = nil
    ) throws(OutputError) -> any AudioOutput {
        switch kind {
        case .alsa(let device):
            return try ALSAOutput(device: device, preferredRate: preferredRate, periodFrames: periodFrames)
        case .pulse(let sink):
            return try PulseOutput(sink: sink, preferredRate: preferredRate, periodFrames: periodFrames)
        case .wave(let path, let depth):
            return WaveOutput(
                path: path, sampleRate: preferredRate, depth: depth, ppm: ppm, periodFrames: periodFrames)
        case .null:
            return NullOutput(sampleRate: preferredRate, ppm: ppm, periodFrames: periodFrames)
        }
    }

    /// What to use when nothing was said: the sound server's default sink when one answers, else ALSA's default.
    ///
    /// - Throws: When there is neither; the error says what can be done.
    public static func preferred() throws(OutputError) -> OutputSpecification {
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
            // A device that is only in use is there, and its error says more.
            if error.isBusy { throw error }
            throw OutputError(
                operation: error.operation, code: error.code,
                description:
                    "no sound server answers and ALSA has no default device; 'tutti outputs' lists what there is, --output wave:FILE writes a file"
            )
        }
    }
}
