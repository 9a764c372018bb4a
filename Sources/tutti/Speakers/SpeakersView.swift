import CommandLineInterface
import Discovery

/// A view of the speakers on standard output, in one of three styles.
actor SpeakersView {
    enum Style: Sendable {
        /// A table redrawn in place.
        case table
        /// A line per change.
        case lines
        /// A JSON object per change.
        case json
    }

    private let style: Style
    private var directory = SpeakerDirectory()
    private var screen = LiveScreen()

    init(style: Style) { self.style = style }

    /// Applies a change and shows it.
    ///
    /// - Returns: `false` if the output is closed.
    func show(_ event: DiscoveryEvent) -> Bool {
        let changes = directory.apply(event)
        if style == .table { return changes.isEmpty || draw() }
        return changes.allSatisfy { StandardStream.output.line(Self.line($0, style: style)) }
    }

    /// Redraws the table; does nothing in the other styles.
    @discardableResult
    func draw() -> Bool {
        guard style == .table else { return true }
        let size = Terminal.size(StandardStream.output.rawValue) ?? Terminal.Size(columns: 80, rows: 24)
        return StandardStream.output.write(screen.frame(tableLines, size: size))
    }

    private var tableLines: [String] {
        let speakers = directory.speakers
        guard !speakers.isEmpty else { return ["Looking for speakers ..."] }
        var table = TextTable(header: SpeakerReport.header)
        for speaker in speakers { table.append(SpeakerReport(speaker: speaker).cells) }
        return table.lines()
    }

    static func line(_ event: SpeakerDirectoryEvent, style: Style) -> String {
        let report = SpeakerReport(speaker: event.speaker)
        let (sign, word) =
            switch event {
            case .appeared: ("+", "appeared")
            case .updated: ("=", "updated")
            case .vanished: ("-", "vanished")
            }
        return style == .json ? report.json(event: word).text : "\(sign) \(report.line)"
    }
}
