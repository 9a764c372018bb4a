/// The time between two refreshes of the display.
///
/// A display mode names whole hertz, such as 59 for 59.94. Presentations that waited for the display return at
/// refreshes, so the intervals between them refine the period.
struct DisplayPeriod {
    /// Used when the display mode does not state its rate.
    static let usualHertz = 60
    /// Other rates are not a display's.
    private static let plausibleHertz = 10...1000
    /// A rate of whole hertz may be wrong by this part; larger differences are not refinements.
    private static let tolerance = 0.03
    /// Refreshes between two presentations that still measure the period: 24 pictures a second at 120 Hz.
    private static let longestInterval = 5.0
    /// Each interval closes this part of the difference.
    private static let part = 32.0
    /// A presentation that took at least this part of a period has waited for the display.
    private static let waitingPart: Int64 = 8

    private let nominal: Double
    private var refined: Double
    private var lastEnd: Int64?

    init(hertz: Int) {
        nominal = 1e9 / Double(Self.plausibleHertz.contains(hertz) ? hertz : Self.usualHertz)
        refined = nominal
    }

    var nanoseconds: Int64 { Int64(refined) }

    /// Takes the host times in nanoseconds between which a presentation ran.
    mutating func notePresentation(from start: Int64, to end: Int64) {
        guard end - start >= nanoseconds / Self.waitingPart else {
            lastEnd = nil
            return
        }
        defer { lastEnd = end }
        guard let lastEnd else { return }
        let interval = Double(end - lastEnd)
        let count = (interval / refined).rounded()
        guard count >= 1, count <= Self.longestInterval else { return }
        let measured = interval / count
        guard abs(measured - nominal) <= nominal * Self.tolerance else { return }
        refined += (measured - refined) / Self.part
    }
}
