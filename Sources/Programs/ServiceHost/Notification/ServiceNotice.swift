import TuttiMediaTime

/// A message to the service manager. Source: sd_notify(3).
package enum ServiceNotice: Hashable, Sendable {
    /// The service is ready, after its start or a reload.
    case ready
    /// A reload begins; host time is the manager's clock.
    case reloading(at: HostTime)
    /// The service ends.
    case stopping
    /// A sentence for `systemctl status`.
    case status(String)
    /// The service is healthy.
    case watchdog

    /// The message's lines.
    var text: String {
        switch self {
        case .ready: "READY=1"
        case .reloading(let time): "RELOADING=1\nMONOTONIC_USEC=\(time.nanoseconds / 1000)"
        case .stopping: "STOPPING=1"
        case .status(let sentence): "STATUS=" + Self.oneLine(sentence)
        case .watchdog: "WATCHDOG=1"
        }
    }

    private static func oneLine(_ sentence: String) -> String {
        let scalars = sentence.unicodeScalars.prefix(statusLimit).map { scalar in
            scalar.properties.generalCategory == .control ? " " : scalar
        }
        var line = String.UnicodeScalarView()
        line.append(contentsOf: scalars)
        return String(line)
    }

    /// A status is one line of a terminal, or a few.
    private static let statusLimit = 400
}
