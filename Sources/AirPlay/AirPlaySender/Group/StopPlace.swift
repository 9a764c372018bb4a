import TuttiMediaTime

/// The place of a stop, which tells a resume from a jump, and where a resume begins.
///
/// A speaker plays on while the stop is on its way to it, and plays what its output has already. A program resumes at the
/// playhead of its stop, a moment before.
package struct StopPlace: Sendable {
    /// The frame of the stop, if that was the playhead; `nil` if the program has named another place.
    package let playhead: Int64?
    /// The frames per second.
    package let sampleRate: SampleRate

    /// - Parameters:
    ///   - frame: The frame of the stop: the playhead, or the place of a jump.
    ///   - heard: The frame that the line has reached; `nil` before the line is known.
    package init(frame: Int64, heard: Int64?, sampleRate: SampleRate) {
        self.sampleRate = sampleRate
        let limit = sampleRate.frames(in: Self.onItsWay)
        let isPlayhead = heard.map { $0.subtractingSaturated(frame).magnitude <= limit.magnitude } ?? false
        playhead = isPlayhead ? frame : nil
    }

    /// Nanoseconds that a stop may take from the program to the line.
    private static let onItsWay: Int64 = 100_000_000
    /// Most nanoseconds that a speaker plays on after the playhead of a stop.
    private static let playsOn: Int64 = 500_000_000
    /// The time after a stop within which a start belongs to it: together they are a jump.
    package static let jumpTime = Duration.milliseconds(20)

    /// Returns the frame at which a speaker begins when the others resume at the playhead.
    ///
    /// - Parameter end: The first frame that has not been heard from the speaker.
    /// - Returns: `nil` if the speaker begins at the playhead, too.
    package func resumeFrame(heardUntil end: Int64) -> Int64? {
        guard let playhead, end > playhead,
            end.subtractingSaturated(playhead) <= sampleRate.frames(in: Self.playsOn)
        else { return nil }
        return end
    }
}
