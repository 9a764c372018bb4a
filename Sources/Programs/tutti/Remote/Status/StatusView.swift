import Foundation
import TuttiCommandLineInterface

/// The house on standard output while it changes, in one of three styles.
actor StatusView {
    enum Style: Sendable {
        /// Tables redrawn in place.
        case table
        /// A line per change.
        case lines
        /// A JSON object per event.
        case json
    }

    private let style: Style
    private var house: RemoteHouse?
    /// The service's clock less this machine's, in seconds.
    private var clockOffset = 0.0
    /// The time at which the connection was lost; positions stay there. `nil` while it is open.
    private var lossTime: Double?
    private var lines = ChangeLines()
    private var screen = LiveScreen()

    init(style: Style) { self.style = style }

    /// Applies a step of the following and shows it.
    ///
    /// - Returns: `false` if the output is closed.
    func show(_ step: ServiceFollower.Step) -> Bool {
        switch step {
        case .event(let event): return show(event)
        case .lost(let reason):
            lossTime = lossTime ?? now
            switch style {
            case .table: return draw()
            case .lines:
                Console.warning("tutti status", "The service is gone. Waiting for it. \(reason)")
                return true
            case .json:
                return StandardStream.output.line(
                    JSONLine(["event": "lost", "data": .members(["reason": .string(reason)])]).text)
            }
        }
    }

    private func show(_ event: ServiceEvent) -> Bool {
        let wasConnected = lossTime == nil
        lossTime = nil
        if style == .json {
            let name = JSONLine(.string(event.name)).text
            return StandardStream.output.line("{\"event\":\(name),\"data\":\(SafeText.json(event.data))}")
        }
        var next = house ?? RemoteHouse(time: 0, zones: [], rooms: [])
        let hasChanged = next.apply(event)
        house = next
        if event.name == "house" { clockOffset = next.time - Date().timeIntervalSince1970 }
        guard hasChanged || !wasConnected else { return true }
        if style == .table { return draw() }
        return lines.lines(next).allSatisfy { StandardStream.output.line($0) }
    }

    /// Redraws the tables; does nothing in the other styles.
    @discardableResult
    func draw() -> Bool {
        guard style == .table else { return true }
        let size = Terminal.size(StandardStream.output.rawValue) ?? Terminal.Size(columns: 80, rows: 24)
        var lines = ["Looking for the house ..."]
        if let house {
            lines = StatusText(house: house, time: lossTime ?? now).lines(limit: size.columns - 1)
        }
        if lossTime != nil { lines = ["The service is gone. Waiting for it ...", ""] + lines }
        return StandardStream.output.write(screen.frame(lines, size: size))
    }

    /// The Unix time of the service, in seconds.
    private var now: Double { Date().timeIntervalSince1970 + clockOffset }

    /// Whether a position on the screen moves.
    var isMoving: Bool {
        style == .table && lossTime == nil
            && house?.zones.contains { $0.state == "playing" || $0.sleep?.at != nil } == true
    }
}
