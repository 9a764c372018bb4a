import CoreMedia
import MediaTime
import SystemIO

// The titles of a stream, for everybody who wants them at the time they are heard.
extension PlayerItem {
    /// Lets a schedule follow the item until it is removed.
    package func add(_ schedule: TitleSchedule) {
        let (titles, line) = withTitleState { state in
            if !state.schedules.contains(where: { $0 === schedule }) { state.schedules.append(schedule) }
            return (state.titles, state.line)
        }
        schedule.titlesBecame(titles, now: now)
        schedule.lineDidChange(line, now: now)
    }

    package func remove(_ schedule: TitleSchedule) {
        withTitleState { state in state.schedules.removeAll { $0 === schedule } }
        schedule.lineDidChange(nil, now: now)
    }

    /// The host time of the player that has the item.
    package var now: HostTime { owner?.clock.now ?? SystemClock.now }

    /// The titles that the feed has met so far.
    func titlesBecame(_ state: ItemFeedState) {
        let titles = state.titles.enumerated().map { index, entry in
            let next = index + 1 < state.titles.count ? state.titles[index + 1].time : nil
            return ScheduledTitle(time: entry.time, end: next, title: entry.title)
        }
        let schedules = withTitleState { state -> [TitleSchedule] in
            state.titles = titles
            return state.schedules
        }
        for schedule in schedules {
            schedule.titlesBecame(titles, now: now)
            schedule.look(now: now)
        }
    }

    /// - Parameter line: of what is heard; `nil` when the item is heard no more.
    func tellTitleLine(_ line: PlaybackTimeline.Line?, now: HostTime) {
        let schedules = withTitleState { state -> [TitleSchedule] in
            state.line = line
            return state.schedules
        }
        for schedule in schedules { schedule.lineDidChange(line, now: now) }
    }

    func forgetTitles() {
        let schedules = withTitleState { state -> [TitleSchedule] in
            (state.titles, state.line) = ([], nil)
            return state.schedules
        }
        for schedule in schedules {
            schedule.lineDidChange(nil, now: now)
            schedule.titlesBecame([], now: now)
        }
    }
}

/// The facts about an item that schedules are told.
struct TitleState {
    var schedules: [TitleSchedule] = []
    var titles: [ScheduledTitle] = []
    var line: PlaybackTimeline.Line?
}
