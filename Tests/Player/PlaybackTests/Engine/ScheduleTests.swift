import CoreMedia
import Testing
import TuttiMediaTime

@testable import Playback

@Suite("A schedule")
struct ScheduleTests {
    private let now = HostTime(nanoseconds: 0)

    private func time(_ seconds: Int64) -> CMTime { CMTime(value: seconds, timescale: 1) }

    /// Two items: the outputs have all ten seconds of the first one, and some of the second one.
    private func scheduled() -> (Schedule, PlayerState) {
        var (schedule, state) = (Schedule(), PlayerState(endAction: .advance))
        state.insert(QueuedItem(id: ItemID(value: 1)), after: nil)
        state.insert(QueuedItem(id: ItemID(value: 2)), after: nil)
        let first = state.items[0]
        schedule.append(first, at: .zero, lead: .zero, &state, now)
        schedule.items[0].drained(at: time(10))
        _ = schedule.appendNext(&state, at: now)
        schedule.items[1].gave(until: time(15))
        return (schedule, state)
    }

    @Test("an earlier end takes back the sound behind it, and the items that follow")
    func earlierEnd() {
        var (schedule, state) = scheduled()
        state.withItem(ItemID(value: 1)) { $0.wishes.endTime = time(8) }
        let (edit, again) = (schedule.moveEnds(&state), schedule.moveEnds(&state))
        #expect(edit == time(8) && again == nil)
        #expect(schedule.items.count == 1 && schedule.last?.end == time(8) && schedule.last?.isOpen == true)
    }

    @Test("the outputs give up a dropped item's sound, if they have any")
    func drop() {
        var (schedule, state) = scheduled()
        let begun = schedule.drop(from: 1, &state)
        #expect(begun == time(10) && schedule.items.count == 1)
        _ = schedule.appendNext(&state, at: now)
        let unheard = schedule.drop(from: 1, &state)
        #expect(unheard == nil && schedule.items.count == 1)
    }

    @Test("skips to an item that it has from the item's beginning")
    func skip() {
        var (schedule, state) = scheduled()
        state.remove(ItemID(value: 1), time(4))
        let other = schedule.skip(to: QueuedItem(id: ItemID(value: 3)))
        var later = state.items[0]
        later.startTime = time(2)
        let middle = schedule.skip(to: later)
        let beginning = schedule.skip(to: state.items[0])
        #expect(!other && !middle && beginning)
        #expect(schedule.items.count == 1 && schedule.head?.join == time(10))
    }

    @Test("observers learn the places of its items once")
    func places() {
        var (reports, schedule) = (Reports(), scheduled().0)
        reports.reportPlaces(of: schedule.items)
        reports.reportPlaces(of: schedule.items)
        #expect(reports.actions.count == 1)
        schedule.closeHead()
        reports.reportPlaces(of: schedule.items)
        #expect(reports.actions.count == 2)
    }
}
