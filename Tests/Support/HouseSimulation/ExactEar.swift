/// Frames of the source that were heard one after the other, sample for sample.
package struct ExactPiece: Hashable, Sendable {
    /// The first frame of the source.
    package var first: Int
    /// The number of frames.
    package var count: Int
    /// The first frame by the loudspeaker's count.
    package var place: Int64
    /// The true time in nanoseconds at which the first frame was heard.
    package var time: Int64

    /// The frame of the source behind the last one.
    package var end: Int { first + count }
    /// The place of the loudspeaker's frame behind the last one.
    package var endPlace: Int64 { place + Int64(count) }
}

/// An ear that knows a frame by its exact samples, before a loudspeaker that agrees with the clocks: there a speaker plays frame
/// for frame.
struct ExactEar {
    private(set) var pieces: [ExactPiece] = []
    /// Audible frames that are none of the source's, such as the fade of sound that stops midway.
    private(set) var foreignFrames = 0

    /// Hears interleaved stereo.
    ///
    /// - Parameters:
    ///   - place: The first frame by the loudspeaker's count.
    ///   - time: The true time in nanoseconds at which it is heard.
    mutating func hear(_ samples: [Float], from place: Int64, at time: Int64) {
        for index in 0..<samples.count / 2 {
            let (left, right) = (samples[2 * index], samples[2 * index + 1])
            guard let frame = StampedSound.exactFrame(left: left, right: right) else {
                if left != 0 || right != 0 { foreignFrames += 1 }
                continue
            }
            let here = place + Int64(index)
            if let last = pieces.last, last.end == frame, last.endPlace == here {
                pieces[pieces.count - 1].count += 1
            } else {
                let passed = Double(index) * 1e9 / Double(StampedSound.rate)
                pieces.append(
                    ExactPiece(first: frame, count: 1, place: here, time: time + Int64(passed.rounded())))
            }
        }
    }
}
