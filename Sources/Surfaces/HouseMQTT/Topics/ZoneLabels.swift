import TuttiHouse

/// The names of zones as choices: each one once, and none that could be taken for something else.
struct ZoneLabels: Equatable, Sendable {
    /// A chosen zone; `nil` for none.
    struct Choice: Hashable, Sendable {
        let zone: ZoneID?

        static let none = Choice(zone: nil)
    }

    /// The choice of a room that belongs to no zone. Not “None”: Home Assistant takes that word of a select
    /// for “unknown” (`homeassistant/components/mqtt/select.py`).
    static let none = "No zone"
    private static let noneWords = ["", "none", "null", "no zone"]

    /// The zones with their labels, in the zones' order.
    let labels: [(zone: ZoneID, label: String)]

    init(_ zones: [ZoneSnapshot]) {
        var counts: [String: Int] = [:]
        for zone in zones { counts[zone.name, default: 0] += 1 }
        let numbered = Set(zones.map(Self.numbered))
        labels = zones.map { zone in
            // Any spelling of a number, such as “1e0” and “0x2”, would be the number of a zone.
            let isPlain =
                counts[zone.name] == 1 && Double(zone.name) == nil && !numbered.contains(zone.name)
                && !Self.noneWords.contains(zone.name.lowercased())
            return (zone.id, isPlain ? zone.name : Self.numbered(zone))
        }
    }

    private static func numbered(_ zone: ZoneSnapshot) -> String { "\(zone.name) (\(zone.id))" }

    static func == (left: ZoneLabels, right: ZoneLabels) -> Bool {
        left.labels.elementsEqual(right.labels, by: ==)
    }

    /// All choices of a room.
    var options: [String] { [Self.none] + labels.map(\.label) }

    /// The label of a zone.
    func label(of zone: ZoneID?) -> String {
        guard let zone else { return Self.none }
        return labels.first { $0.zone == zone }?.label ?? Self.none
    }

    /// Returns the zone that a text means: its label, a word for none, or its number.
    ///
    /// - Returns: `nil` if there is no such zone.
    func choice(for text: String) -> Choice? {
        if let found = labels.first(where: { $0.label == text }) { return Choice(zone: found.zone) }
        if Self.noneWords.contains(text.lowercased()) { return Choice.none }
        return Double(text).flatMap { choice(for: $0) }
    }

    /// Returns the zone of a number, which is not rounded.
    ///
    /// - Returns: `nil` if there is no such zone.
    func choice(for number: Double) -> Choice? {
        guard let number = Int(exactly: number) else { return nil }
        return labels.first { $0.zone.rawValue == number }.map { Choice(zone: $0.zone) }
    }
}
