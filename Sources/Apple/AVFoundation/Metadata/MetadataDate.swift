import Foundation

/// Conversion of dates in files: `1999`, `1999-05` or `1999-05-01`, optionally followed by `T12:30:00Z`.
enum MetadataDate {
    static func date(of text: String) -> Date? {
        let halves = text.split(maxSplits: 1, omittingEmptySubsequences: true) { $0 == "T" || $0 == " " }
        guard let day = halves.first else { return nil }
        let numbers = day.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...3).contains(numbers.count), let year = numbers[0], day.prefix(4).count == 4,
            (1000...9999).contains(year)
        else { return nil }
        var parts = DateComponents(year: year, month: 1, day: 1)
        if numbers.count > 1 { parts.month = numbers[1] ?? 0 }
        if numbers.count > 2 { parts.day = numbers[2] ?? 0 }
        guard (1...12).contains(parts.month ?? 0), (1...31).contains(parts.day ?? 0) else { return nil }
        var offset = 0
        if halves.count > 1 {
            guard let time = clock(halves[1]) else { return nil }
            (parts.hour, parts.minute, parts.second, offset) = (
                time.hour, time.minute, time.second, time.offset
            )
        }
        return calendar.date(from: parts)?.addingTimeInterval(-Double(offset))
    }

    private static func clock(_ text: Substring) -> (hour: Int, minute: Int, second: Int, offset: Int)? {
        var time = text
        var offset = 0
        if let last = time.last, last == "Z" || last == "z" {
            time = time.dropLast()
        } else if let sign = time.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            let zone = time[sign...].dropFirst().filter { $0 != ":" }
            guard zone.count == 4, let number = Int(zone) else { return nil }
            offset = (number / 100 * 3600 + number % 100 * 60) * (time[sign] == "-" ? -1 : 1)
            time = time[..<sign]
        }
        let numbers = time.split(separator: ":").map { Int($0.prefix { $0 != "." }) ?? -1 }
        guard (1...3).contains(numbers.count), (0...23).contains(numbers[0]),
            numbers.dropFirst().allSatisfy({ (0...59).contains($0) })
        else { return nil }
        return (numbers[0], numbers.count > 1 ? numbers[1] : 0, numbers.count > 2 ? numbers[2] : 0, offset)
    }

    static func text(of date: Date) -> String {
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        return String(
            format: "%04d-%02d-%02dT%02d:%02d:%02dZ", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0,
            parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0)
    }

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
        return calendar
    }()
}
