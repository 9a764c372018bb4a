import Foundation
import Testing

@testable import TuttiHouse

/// Moments in places, in words.
struct Place: Sendable {
    let time: LocalTime
    private let zone: TimeZone

    init(_ name: String) throws {
        zone = try #require(TimeZone(identifier: name))
        time = LocalTime(zone)
    }

    /// Returns the Unix time of `2026-03-29 02:30`; of two such moments the first one.
    func moment(_ text: String) throws -> Double {
        let format = DateFormatter()
        (format.locale, format.timeZone) = (Locale(identifier: "en_US_POSIX"), zone)
        format.dateFormat = "yyyy-MM-dd HH:mm"
        return try #require(format.date(from: text)).timeIntervalSince1970
    }

    /// Returns the words of a moment, with the offset from UTC, such as `Sun 2026-03-29 03:00 +0200`.
    func words(_ moment: Double?) -> String {
        guard let moment else { return "never" }
        let format = DateFormatter()
        (format.locale, format.timeZone) = (Locale(identifier: "en_US_POSIX"), zone)
        format.dateFormat = "EEE yyyy-MM-dd HH:mm Z"
        return format.string(from: Date(timeIntervalSince1970: moment))
    }
}

@Suite("The moments of an alarm")
struct AlarmScheduleTests {
    private static let workdays: Set<Alarm.Weekday> = [.monday, .tuesday, .wednesday, .thursday, .friday]

    private static func next(
        _ hour: Int, _ minute: Int, _ days: Set<Alarm.Weekday> = [], after start: Double, in place: Place
    ) -> String {
        let schedule = AlarmSchedule(minute: hour * 60 + minute, days: days)
        return place.words(schedule.next(after: start, in: place.time))
    }

    @Test(
        "an alarm rings on its next day",
        arguments: [
            ("2026-11-26 06:00", [], "Thu 2026-11-26 07:05 +0100"),
            ("2026-11-26 07:05", [], "Fri 2026-11-27 07:05 +0100"),
            ("2026-11-26 07:04", [.thursday], "Thu 2026-11-26 07:05 +0100"),
            ("2026-11-26 07:06", [.thursday], "Thu 2026-12-03 07:05 +0100"),
            ("2026-11-26 23:59", [.monday, .sunday], "Sun 2026-11-29 07:05 +0100"),
            ("2026-11-27 08:00", workdays, "Mon 2026-11-30 07:05 +0100"),
            ("2026-12-31 12:00", [], "Fri 2027-01-01 07:05 +0100"),
            ("2028-02-28 12:00", [], "Tue 2028-02-29 07:05 +0100"),
            ("2026-11-29 07:05", Set(Alarm.Weekday.allCases), "Mon 2026-11-30 07:05 +0100"),
        ] as [(String, Set<Alarm.Weekday>, String)])
    func days(start: String, days: Set<Alarm.Weekday>, expected: String) throws {
        let berlin = try Place("Europe/Berlin")
        #expect(Self.next(7, 5, days, after: try berlin.moment(start), in: berlin) == expected)
    }

    @Test("each day of the week is itself")
    func weekdays() throws {
        let berlin = try Place("Europe/Berlin")
        let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        for (day, name) in zip(Alarm.Weekday.allCases, names) {
            let words = Self.next(12, 0, [day], after: try berlin.moment("2026-06-10 13:00"), in: berlin)
            #expect(words.hasPrefix(name))
        }
    }

    @Test("a time that clocks leap over rings at the end of the leap")
    func spring() throws {
        let berlin = try Place("Europe/Berlin")
        let before = try berlin.moment("2026-03-28 12:00")
        #expect(Self.next(2, 30, after: before, in: berlin) == "Sun 2026-03-29 03:00 +0200")
        #expect(Self.next(2, 0, after: before, in: berlin) == "Sun 2026-03-29 03:00 +0200")
        #expect(Self.next(1, 59, after: before, in: berlin) == "Sun 2026-03-29 01:59 +0100")
        #expect(Self.next(3, 0, after: before, in: berlin) == "Sun 2026-03-29 03:00 +0200")
        #expect(Self.next(7, 0, after: before, in: berlin) == "Sun 2026-03-29 07:00 +0200")
        let leap = try berlin.moment("2026-03-29 03:00")
        #expect(Self.next(2, 30, after: leap, in: berlin) == "Mon 2026-03-30 02:30 +0200")

        let york = try Place("America/New_York")
        let saturday = try york.moment("2026-03-07 12:00")
        #expect(Self.next(2, 15, [.sunday], after: saturday, in: york) == "Sun 2026-03-08 03:00 -0400")
        #expect(Self.next(7, 0, [.sunday], after: saturday, in: york) == "Sun 2026-03-08 07:00 -0400")
    }

    @Test("a time that comes twice rings once, the first time")
    func autumn() throws {
        let berlin = try Place("Europe/Berlin")
        let first = AlarmSchedule(minute: 150, days: []).next(
            after: try berlin.moment("2026-10-24 12:00"), in: berlin.time)
        #expect(berlin.words(first) == "Sun 2026-10-25 02:30 +0200")
        let second = AlarmSchedule(minute: 150, days: []).next(after: try #require(first), in: berlin.time)
        #expect(berlin.words(second) == "Mon 2026-10-26 02:30 +0100")
        #expect(
            Self.next(3, 0, after: try #require(first), in: berlin) == "Sun 2026-10-25 03:00 +0100")

        let york = try Place("America/New_York")
        let saturday = try york.moment("2026-10-31 12:00")
        #expect(Self.next(1, 30, after: saturday, in: york) == "Sun 2026-11-01 01:30 -0400")
        #expect(Self.next(2, 0, after: saturday, in: york) == "Sun 2026-11-01 02:00 -0500")
    }

    @Test("a midnight that does not exist, half-hour leaps and a day that was left out")
    func otherPlaces() throws {
        let beirut = try Place("Asia/Beirut")
        #expect(
            Self.next(0, 0, after: try beirut.moment("2026-03-28 12:00"), in: beirut)
                == "Sun 2026-03-29 01:00 +0300")
        let howe = try Place("Australia/Lord_Howe")
        #expect(
            Self.next(2, 10, after: try howe.moment("2026-10-03 12:00"), in: howe)
                == "Sun 2026-10-04 02:30 +1100")
        // Samoa had no 30 December 2011.
        let apia = try Place("Pacific/Apia")
        #expect(
            Self.next(7, 0, [.friday], after: try apia.moment("2011-12-29 12:00"), in: apia)
                == "Sat 2011-12-31 00:00 +1400")
        #expect(
            Self.next(7, 0, [.saturday], after: try apia.moment("2011-12-29 12:00"), in: apia)
                == "Sat 2011-12-31 07:00 +1400")
    }

    @Test("a year of mornings rings once a day, whatever the clocks do", arguments: [90, 120, 150, 180, 420])
    func year(minute: Int) throws {
        for name in ["Europe/Berlin", "America/New_York", "Australia/Sydney", "UTC"] {
            let place = try Place(name)
            let schedule = AlarmSchedule(minute: minute, days: Set(Alarm.Weekday.allCases))
            var moment = try place.moment("2026-01-01 00:00")
            let end = try place.moment("2027-01-01 00:00")
            var days: [String] = []
            while let next = schedule.next(after: moment, in: place.time), next < end {
                #expect(next > moment)
                days.append(String(place.words(next).dropFirst(4).prefix(10)))
                moment = next
            }
            #expect(days.count == 365 && Set(days).count == 365)
        }
    }

    @Test("a moment that makes no sense has no next one")
    func strange() {
        let utc = LocalTime { _ in 0 }
        for start in [Double.nan, .infinity, -.infinity, 1e300] {
            #expect(AlarmSchedule(minute: 0, days: []).next(after: start, in: utc) == nil)
        }
        #expect(AlarmSchedule(minute: 0, days: []).next(after: -1, in: utc) == 0)
    }

    @Test("the machine's own time agrees with the system's")
    func system() {
        let now = Date().timeIntervalSince1970
        #expect(LocalTime.system.offset(Int(now)) % 900 == 0)
        #expect(abs(LocalTime.system.offset(Int(now))) <= 14 * 3600)
    }
}

@Suite("An alarm as it is stored")
struct StoredAlarmTests {
    private static let utc = LocalTime { _ in 0 }
    private static let patience = 300.0
    /// 1970-01-05, a Monday.
    private static let monday = 4 * 86_400.0
    private static let seven = monday + 7 * 3600

    private static func alarm(_ days: Set<Alarm.Weekday> = [], since: Double = monday) -> StoredAlarm {
        let alarm = Alarm(zone: ZoneID(rawValue: 1), minute: 420, days: days)
        return StoredAlarm(id: AlarmID(rawValue: 3), alarm, since: since)
    }

    @Test("an alarm without days rings once and is off then")
    func once() {
        var alarm = Self.alarm()
        #expect(alarm.take(at: Self.seven - 1, in: Self.utc, patience: Self.patience) == nil)
        #expect(alarm.take(at: Self.seven + 0.2, in: Self.utc, patience: Self.patience) == Self.seven)
        #expect(!alarm.alarm.isOn)
        #expect(alarm.next(at: Self.seven + 1, in: Self.utc) == nil)
    }

    @Test("an alarm with days rings again, on the next of them")
    func again() {
        var alarm = Self.alarm([.monday, .wednesday])
        #expect(alarm.take(at: Self.seven, in: Self.utc, patience: Self.patience) == Self.seven)
        #expect(alarm.take(at: Self.seven + 1, in: Self.utc, patience: Self.patience) == nil)
        #expect(alarm.next(at: Self.seven + 1, in: Self.utc) == Self.seven + 2 * 86_400)
        #expect(alarm.alarm.isOn)
    }

    @Test("a moment that was missed by days gives way to today's")
    func missed() {
        var alarm = Self.alarm(Set(Alarm.Weekday.allCases))
        let late = Self.seven + 3 * 86_400 + 299
        #expect(alarm.take(at: late, in: Self.utc, patience: Self.patience) == late - 299)
        var later = Self.alarm(Set(Alarm.Weekday.allCases))
        let time = Self.seven + 3 * 86_400 + 301
        #expect(later.take(at: time, in: Self.utc, patience: Self.patience).map { time - $0 > 300 } == true)
        #expect(later.next(at: time, in: Self.utc) == Self.seven + 4 * 86_400)
        // The next day's moment is not this alarm's.
        var once = Self.alarm()
        #expect(once.take(at: late, in: Self.utc, patience: Self.patience) == Self.seven)
        #expect(!once.alarm.isOn)
    }

    @Test("a clock that is put back rings no moment twice, but those that come again")
    func clockBack() {
        var alarm = Self.alarm(Set(Alarm.Weekday.allCases))
        #expect(alarm.take(at: Self.seven + 1, in: Self.utc, patience: Self.patience) == Self.seven)
        for time in stride(from: Self.seven - 3, through: Self.seven + 3, by: 1) {
            #expect(alarm.take(at: time, in: Self.utc, patience: Self.patience) == nil)
        }
        let dayBefore = Self.seven - 86_400
        #expect(alarm.next(at: dayBefore - 5, in: Self.utc) == dayBefore)
        // Set while the clock was in another year.
        let wrong = Self.alarm(since: Self.monday + 4000 * 86_400)
        #expect(wrong.next(at: Self.monday, in: Self.utc) == Self.seven)
    }

    @Test("another time zone rings at its own seven o'clock")
    func zoneChange() {
        let alarm = Self.alarm(Set(Alarm.Weekday.allCases))
        #expect(alarm.next(at: Self.monday, in: LocalTime { _ in 3600 }) == Self.seven - 3600)
        #expect(alarm.next(at: Self.monday, in: LocalTime { _ in -5 * 3600 }) == Self.seven + 5 * 3600)
    }
}
