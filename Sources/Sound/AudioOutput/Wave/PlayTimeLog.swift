import TuttiMediaTime

/// The lines of the file that records the play time of a wave file's frames.
///
///     # rate 44100 ppm 40
///     0 81236550000
///     44100 82236510002
///
/// Each line gives a frame and the host time, in nanoseconds, at which it leaves the output; the following
/// frames continue at rate · (1 + ppm · 10⁻⁶). The log has one line a second, and one at each discontinuity.
struct PlayTimeLog: Equatable, Sendable {
    /// Largest deviation in nanoseconds that rounding explains; beyond it, the device was away.
    static let breakLimit: Int64 = 1_000

    let sampleRate: SampleRate
    let ppm: Double
    private var last: DeviceTime?

    init(sampleRate: SampleRate, ppm: Double) {
        self.sampleRate = sampleRate
        self.ppm = ppm
    }

    var header: String { "# rate \(sampleRate.hertz) ppm \(Self.text(ppm))\n" }

    /// Returns the line for a period, if the period needs one.
    mutating func line(for time: DeviceTime) -> String? {
        if let last, !needsLine(time, after: last) { return nil }
        last = time
        return "\(time.frame) \(time.playTime.nanoseconds)\n"
    }

    private func needsLine(_ time: DeviceTime, after last: DeviceTime) -> Bool {
        let frames = time.frame - last.frame
        if frames >= Int64(sampleRate.hertz) { return true }
        let expected = Double(frames) * 1e9 / (Double(sampleRate.hertz) * (1 + ppm * 1e-6))
        let elapsed = time.playTime.nanoseconds &- last.playTime.nanoseconds
        return abs(elapsed &- Int64(expected.rounded())) > Self.breakLimit
    }

    private static func text(_ ppm: Double) -> String {
        Int(exactly: ppm).map(String.init) ?? String(ppm)
    }
}
