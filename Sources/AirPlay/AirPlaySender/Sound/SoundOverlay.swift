import TuttiMediaTime
import TuttiPCM

/// A sound to be heard over a group's music: an announcement, and how the music makes room for it.
package struct SoundOverlay: Sendable {
    /// The music's change from and to its own level.
    private enum Ramp {
        static let down = 0.12
        static let hold = 0.15
        /// After an announcement for which the music waits: the music has been taken back by then.
        static let longHold = 2.0
        static let up = 0.6
        /// The end of an announcement that is cancelled.
        static let end = 0.05
    }

    /// Stereo frames at the group's sample rate.
    package let sound: PCMBuffer
    /// The factor of the announcement's samples.
    package let gain: Float
    /// The factor of the music's samples while the announcement is heard.
    package let musicGain: Float

    /// Makes an overlay.
    ///
    /// - Parameter sound: Stereo frames at the group's sample rate, of any sample format.
    package init(_ sound: PCMBuffer, gain: Float = 1, musicGain: Float) {
        var widening = SampleConverter(to: .float32)
        self.sound = widening.convert(sound)
        (self.gain, self.musicGain) = (gain, musicGain)
    }

    /// The frames in which the sound of the group is another.
    package var frameCount: Int64 { rise + frames(Ramp.up) }

    /// The frame from which on the music rises to its own level.
    private var rise: Int64 { Int64(sound.frameCount) + frames(musicGain == 0 ? Ramp.longHold : Ramp.hold) }

    /// Returns the overlay with its sound faded out from a frame on, and the music back after it.
    func ending(at frame: Int) -> SoundOverlay {
        guard frame < sound.frameCount else { return self }
        var rest = sound[0..<min(sound.frameCount, frame + Int(frames(Ramp.end)))]
        let faded = rest.frameCount - frame
        rest.withUnsafeMutableBytes { bytes in
            let samples = bytes.bindMemory(to: Float.self)
            for place in 0..<faded {
                let factor = Float(faded - place) / Float(faded + 1)
                for index in 2 * (frame + place)..<2 * (frame + place) + 2 { samples[index] *= factor }
            }
        }
        return SoundOverlay(rest, gain: gain, musicGain: musicGain)
    }

    private func frames(_ seconds: Double) -> Int64 {
        Int64(seconds * Double(sound.format.sampleRate.hertz))
    }

    /// Mixes the overlay into a part of the music.
    ///
    /// - Parameters:
    ///   - samples: Interleaved stereo.
    ///   - first: The part's first frame, counted from the overlay's beginning; negative before it.
    func mix(into samples: UnsafeMutableBufferPointer<Float>, at first: Int64) {
        let (down, up, rise) = (frames(Ramp.down), frames(Ramp.up), rise)
        sound.withUnsafeBytes { bytes in
            let added = bytes.bindMemory(to: Float.self)
            for frame in 0..<samples.count / 2 {
                let place = first + Int64(frame)
                guard place >= 0, place < rise + up else { continue }
                let music =
                    place < down
                    ? Self.ramp(from: 1, to: musicGain, Float(place) / Float(max(1, down)))
                    : place < rise
                        ? musicGain
                        : Self.ramp(from: musicGain, to: 1, Float(place - rise) / Float(max(1, up)))
                for channel in 0..<2 {
                    let index = 2 * frame + channel
                    var sample = samples[index] * music
                    let source = Int(2 * place) + channel
                    if source < added.count { sample += added[source] * gain }
                    samples[index] = sample
                }
            }
        }
    }

    private static func ramp(from start: Float, to end: Float, _ part: Float) -> Float {
        start + (end - start) * part
    }
}
