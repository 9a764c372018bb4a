internal import MediaTime

/// The lines of the file that tells when each frame of a wave file was to be heard.
///
///     # rate 44100 ppm 40
///     0 81236550000
///     44100 82236510002
///
/// A line says: this frame leaves the output at this host time, in nanoseconds; until the next line the frames
/// follow at rate · (1 + ppm · 10⁻⁶). There is one each second and where the line breaks.
struct PlayTimeLog: Equatable, Sendable {
    /// Further off than rounding explains: the device was away in between.
    static let breakLimit: Int64 = 1_000

    let sampleRate: SampleRate
    let ppm: Double
    private var last: DeviceTime?

    init(sampleRate: SampleRate, ppm: Double) {
        self.sampleRate = sampleRate
        self.ppm = ppm
    }

    var header: String { "# rate \(sampleRate.hertz) ppm \(Self.text(ppm))\n" }

    /// The line for a period, when it needs one.
    mutating func line(for time: DeviceTime) -> String? {
        if let last, !isNews(time, after: last) { return nil }
        last = time
        return "\(time.frame) \(time.playTime.nanoseconds)\n"
    }

    private func isNews(_ time: DeviceTime, after last: DeviceTime) -> Bool {
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
