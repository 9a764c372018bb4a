import Testing
import TuttiMusicLibrary

@testable import TuttiHouse

@Suite("The list of alarms")
struct AlarmListTests {
    /// Midnight of 1970-01-05, a Monday, where clocks show UTC.
    private static let monday = 4 * 86_400.0

    private func list(_ alarms: [Alarm]) -> AlarmList {
        var list = AlarmList()
        list.localTime = LocalTime { _ in 0 }
        for (place, alarm) in alarms.enumerated() {
            _ = list.set(alarm, newID: AlarmID(rawValue: place + 1), at: Self.monday)
        }
        return list
    }

    private func alarm(_ minute: Int, _ change: (inout Alarm) -> Void = { _ in }) -> Alarm {
        var alarm = Alarm(zone: ZoneID(rawValue: 1), minute: minute)
        change(&alarm)
        return alarm
    }

    @Test(
        "the clock is looked at within a minute, at the next moment, and not at all without an alarm that is on",
        arguments: [(0, 60), (9 * 60 + 30, 30), (10 * 60, 0), (10 * 60 + 5, 0)] as [(Double, Double)])
    func delay(seconds: Double, expected: Double) {
        let list = list([alarm(30), alarm(10), alarm(5) { $0.isOn = false }])
        #expect(list.delay(at: Self.monday + seconds) == expected)
        #expect(self.list([alarm(5) { $0.isOn = false }]).delay(at: Self.monday) == nil)
        #expect(self.list([]).delay(at: Self.monday) == nil)
    }

    @Test("alarms of one minute ring together, in the order of their making, and each moment once")
    func together() {
        var list = list([alarm(10), alarm(9), alarm(10) { $0.days = [.monday] }])
        let due = list.takeDue(at: Self.monday + 600)
        #expect(due.map(\.alarm.id.rawValue) == [1, 2, 3] && due.allSatisfy { !$0.isMissed })
        #expect(list.takeDue(at: Self.monday + 601).isEmpty)
        #expect(list.ordered.map(\.isOn) == [false, false, true])
        let week = Self.monday + 7 * 86_400 + 600
        #expect(list.takeDue(at: week).map(\.alarm.id.rawValue) == [3])
    }

    @Test(
        "an alarm rings up to five minutes late, and is missed later",
        arguments: [(300, false), (301, true)] as [(Double, Bool)])
    func patience(lateness: Double, isMissed: Bool) {
        var list = list([alarm(10)])
        let due = list.takeDue(at: Self.monday + 600 + lateness)
        #expect(due.map(\.isMissed) == [isMissed])
        #expect(list.delay(at: Self.monday + 600 + lateness) == nil)
    }

    @Test("an alarm that is set as it was is no change, and one that is changed does not ring for the past")
    func setting() throws {
        var list = list([alarm(10)])
        let id = AlarmID(rawValue: 1)
        let same = list.set(alarm(10) { $0.id = id }, newID: AlarmID(rawValue: 9), at: Self.monday + 300)
        #expect(same.id == id && same.change == nil && list.stored.count == 1)
        let noon = Self.monday + 12 * 3600
        let changed = list.set(alarm(11) { $0.id = id }, newID: AlarmID(rawValue: 9), at: noon)
        #expect(changed.change?.since == noon)
        #expect(list.takeDue(at: noon + 1).isEmpty, "today's moment has passed")
        #expect(list.takeDue(at: Self.monday + 86_400 + 11 * 60).count == 1)
    }

    @Test("alarms go with their zone, and a removed one is not found again")
    func removing() throws {
        var list = list([alarm(1), alarm(2) { $0.zone = ZoneID(rawValue: 2) }, alarm(3)])
        #expect(Set(list.remove(of: ZoneID(rawValue: 1)).map(\.rawValue)) == [1, 3])
        #expect(list.ordered.compactMap(\.id?.rawValue) == [2])
        try list.remove(AlarmID(rawValue: 2))
        #expect(throws: HouseError.self) { try list.remove(AlarmID(rawValue: 2)) }
        #expect(list.remove(of: ZoneID(rawValue: 1)).isEmpty)
    }

    @Test("the library is asked for new items only")
    func newItems() {
        let list = list([alarm(1) { $0.items = [.album(7)] }])
        let id = AlarmID(rawValue: 1)
        #expect(!list.hasNewItems(alarm(2)))
        #expect(list.hasNewItems(alarm(2) { $0.items = [.album(7)] }), "a new alarm")
        #expect(!list.hasNewItems(alarm(2) { ($0.id, $0.items) = (id, [.album(7)]) }))
        #expect(list.hasNewItems(alarm(2) { ($0.id, $0.items) = (id, [.album(7), .album(8)]) }))
        #expect(!list.hasNewItems(alarm(2) { $0.id = id }))
    }
}
