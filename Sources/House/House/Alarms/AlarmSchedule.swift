/// The moments at which an alarm rings: at a minute of the day, on some days of the week or on the next one that comes.
///
/// A minute that clocks leap over rings at the end of the leap. A minute that comes twice, when clocks are put back, rings
/// the first time. A value without a clock.
struct AlarmSchedule: Sendable, Hashable {
    private static let day = 86_400

    /// Minutes after midnight, 0 ..< 1440.
    let minute: Int
    /// Empty for any day.
    let days: Set<Alarm.Weekday>

    init(minute: Int, days: Set<Alarm.Weekday>) { (self.minute, self.days) = (minute, days) }
    init(_ alarm: Alarm) { self.init(minute: alarm.minute, days: alarm.days) }

    /// Returns the first moment to ring after another one, both Unix times in seconds; `nil` if there is none.
    func next(after start: Double, in time: LocalTime) -> Double? {
        // Far from the ends of what numbers hold, and of what calendars know.
        guard start.isFinite, abs(start) < 0x1p40 else { return nil }
        let now = Int(start.rounded(.down))
        let today = Self.floor(now + time.offset(now), by: Self.day)
        // A leap may put a moment into the next day, and clocks may change by a day.
        return (-2...9).lazy.map { today + $0 }.filter { rings(on: $0) }
            .map { Double(moment(of: $0, in: time)) }.first { $0 > start }
    }

    /// - Parameter day: Days since 1970-01-01, a Thursday.
    private func rings(on day: Int) -> Bool {
        guard !days.isEmpty else { return true }
        let weekday = day + 3 - Self.floor(day + 3, by: 7) * 7
        return days.contains(Alarm.Weekday.allCases[weekday])
    }

    /// Returns the Unix time at which clocks show the alarm's minute on a day.
    private func moment(of day: Int, in time: LocalTime) -> Int {
        let shown = day * Self.day + minute * 60
        // The offsets before and after any change near the moment.
        let (before, after) = (time.offset(shown - Self.day), time.offset(shown + Self.day))
        for offset in [max(before, after), min(before, after)] where time.offset(shown - offset) == offset {
            return shown - offset
        }
        // Clocks leap over it: the first moment after the leap.
        var (low, high) = (shown - max(before, after), shown - min(before, after))
        let old = time.offset(low)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if time.offset(middle) == old { low = middle } else { high = middle }
        }
        return high
    }

    private static func floor(_ value: Int, by divisor: Int) -> Int {
        let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}
