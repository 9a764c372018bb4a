import CoreMedia
import TuttiMediaTime

/// The earliest of several instants, some in host time, some in the time of a line.
struct Deadline {
    private let now: HostTime
    private let line: PresentationLine
    /// The earliest instant so far; `nil` if there is none.
    private(set) var host: HostTime?

    init(after now: HostTime, line: PresentationLine) { (self.now, self.line) = (now, line) }

    /// Whether time runs on the line, or starts to at a known instant.
    var isMoving: Bool { line.rate > 0 }

    /// - Parameter instant: An instant that has come already does not count.
    mutating func add(_ instant: HostTime?) {
        guard let instant, instant > now else { return }
        host = min(instant, host ?? instant)
    }

    /// - Parameter time: A time of the line; one that has come already does not count.
    mutating func add(_ time: CMTime) {
        guard time > line.time(at: now), let instant = line.host(of: time) else { return }
        // Rounding must not make the same instant come twice.
        add(max(instant, now.advanced(by: Self.least)))
    }

    private static let least = Duration.milliseconds(1)
}
