import Foundation

/// The bytes of answers that were not sent yet.
struct Response: Sendable {
    private var buffer = ByteBuffer()

    var count: Int { buffer.count }

    /// Returns the bytes, and forgets them.
    mutating func take() -> [UInt8] { buffer.take() }

    /// Appends a line `name: value`. Control characters of the value become spaces: a value has one line.
    mutating func add(_ name: StaticString, _ value: String) {
        append(name)
        append(value)
        buffer.append(0x0A)
    }

    mutating func add(_ name: StaticString, _ value: Int) {
        append(name)
        if value >= 0, value < 1_000_000_000 { append(value) } else { append(String(value)) }
        buffer.append(0x0A)
    }

    mutating func add(_ name: StaticString, _ value: Int64) { add(name, Int(value)) }
    mutating func add(_ name: StaticString, _ value: Bool) { add(name, value ? 1 : 0) }

    /// Appends seconds with three decimals.
    mutating func add(_ name: StaticString, seconds: Double) {
        append(name)
        let limited = max(0, min(seconds.isFinite ? seconds : 0, 1e9))
        let milliseconds = Int((limited * 1000).rounded())
        append(milliseconds / 1000)
        buffer.append(0x2E)
        buffer.append(digits: milliseconds % 1000, count: 3)
        buffer.append(0x0A)
    }

    /// Appends Unix time, in seconds, as a date.
    mutating func add(_ name: StaticString, time: Int64) {
        append(name)
        DateText.append(time, to: &buffer)
        buffer.append(0x0A)
    }

    /// Appends a line.
    mutating func add(line: String) {
        append(line)
        buffer.append(0x0A)
    }

    /// Appends bytes as they are, after a line with their number.
    mutating func add(binary part: ArraySlice<UInt8>) {
        add("binary", part.count)
        part.withUnsafeBytes { buffer.append($0) }
        buffer.append(0x0A)
    }

    private mutating func append(_ name: StaticString) {
        buffer.append(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        buffer.append(0x3A)
        buffer.append(0x20)
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { buffer.append(line: UnsafeRawBufferPointer($0)) }
    }

    /// Appends a number from 0 on, in decimal.
    private mutating func append(_ value: Int) {
        var (count, rest) = (1, value / 10)
        while rest > 0 {
            count += 1
            rest /= 10
        }
        buffer.append(digits: value, count: count)
    }
}

/// Dates as the protocol writes them: `2026-11-26T07:01:09Z`.
enum DateText {
    /// Appends the date of Unix time, in seconds.
    static func append(_ time: Int64, to bytes: inout ByteBuffer) {
        let time = Int(max(-62_135_596_800, min(time, 253_402_300_799)))  // the years 1 to 9999
        let second = ((time % 86_400) + 86_400) % 86_400
        let date = civil((time - second) / 86_400)
        bytes.append(digits: date.year, count: 4)
        bytes.append(0x2D)
        bytes.append(digits: date.month, count: 2)
        bytes.append(0x2D)
        bytes.append(digits: date.day, count: 2)
        bytes.append(0x54)
        bytes.append(digits: second / 3600, count: 2)
        bytes.append(0x3A)
        bytes.append(digits: second / 60 % 60, count: 2)
        bytes.append(0x3A)
        bytes.append(digits: second % 60, count: 2)
        bytes.append(0x5A)
    }

    /// Returns the date of a day, counted from 1970-01-01, in the Gregorian calendar.
    private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
        // Years that begin in March have the leap day at their end.
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let inEra = shifted - era * 146_097
        let year = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
        let inYear = inEra - (365 * year + year / 4 - year / 100)
        let month = (5 * inYear + 2) / 153
        let calendarMonth = month < 10 ? month + 3 : month - 9
        return (
            year + era * 400 + (calendarMonth <= 2 ? 1 : 0), calendarMonth, inYear - (153 * month + 2) / 5 + 1
        )
    }

    /// Returns the Unix time of a date of this form, also without the time of the day, or of a number of seconds;
    /// `nil` for another text.
    static func time(_ text: String) -> Int64? {
        if let seconds = Int64(text) { return seconds }
        let isDay = text.utf8.count == "2026-11-26".utf8.count
        let date = try? Date(isDay ? text + "T00:00:00Z" : text, strategy: .iso8601)
        return date.map { Int64($0.timeIntervalSince1970) }
    }
}
