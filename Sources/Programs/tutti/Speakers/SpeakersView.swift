import TuttiCommandLineInterface
import TuttiDiscovery

/// A view of the speakers on standard output.
actor SpeakersView {
    enum Style: Sendable {
        /// A table redrawn in place.
        case table
        /// A line per change.
        case lines
        /// A JSON object per change.
        case json
        /// A table, printed at the end.
        case list
        /// A JSON object per speaker, printed at the end.
        case jsonList
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
        switch style {
        case .table: return changes.isEmpty || draw()
        case .list, .jsonList: return true
        case .lines, .json: break
        }
        return changes.allSatisfy { StandardStream.output.line(Self.line($0, style: style)) }
    }

    /// Redraws the table; does nothing in the other styles.
    @discardableResult
    func draw() -> Bool {
        guard style == .table else { return true }
        let size = Terminal.size(StandardStream.output.rawValue) ?? Terminal.Size(columns: 80, rows: 24)
        return StandardStream.output.write(screen.frame(tableLines, size: size))
    }

    /// Prints the list of the styles that have one.
    ///
    /// - Returns: `false` if the output is closed.
    func finish() -> Bool {
        switch style {
        case .table, .lines, .json: return true
        case .jsonList:
            return directory.speakers.allSatisfy {
                StandardStream.output.line(SpeakerReport(speaker: $0).json(event: "appeared").text)
            }
        case .list:
            guard !directory.speakers.isEmpty else {
                Console.hint(Self.advice)
                return true
            }
            return tableLines.allSatisfy { StandardStream.output.line($0) }
        }
    }

    /// The speakers that were found so far.
    var speakers: [DiscoveredSpeaker] { directory.speakers }

    static let advice =
        "No AirPlay speaker answers on this network. Speakers on other networks are reached by address: tutti info ADDRESS"

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
