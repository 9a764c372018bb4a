/// The days of an alarm as a person types and reads them.
enum AlarmDays {
    private static let days = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    private static let groups: [(word: String, days: [String])] = [
        ("once", []), ("daily", days), ("weekdays", Array(days[..<5])), ("weekends", Array(days[5...])),
    ]

    /// The words for completion.
    static let words = groups.map(\.word) + days

    /// Returns the days of `weekdays`, or of names with commas that may be shortened to two letters; `nil` for
    /// other texts.
    static func parse(_ text: String) -> [String]? {
        let text = text.lowercased()
        if let group = groups.first(where: { $0.word == text }) { return group.days }
        var found: Set<String> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard part.count >= 2, let day = days.first(where: { $0.hasPrefix(part) }) else { return nil }
            found.insert(day)
        }
        return days.filter(found.contains)
    }

    /// Returns `weekdays`, or short names with commas.
    static func text(_ given: [String]) -> String {
        let sorted = days.filter(given.contains)
        if let group = groups.first(where: { $0.days == sorted }) { return group.word }
        return sorted.map { String($0.prefix(3)) }.joined(separator: ",")
    }
}
