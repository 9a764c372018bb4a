import CoreMedia
import TuttiCodecs
import TuttiMediaTime

// Delivers the titles of a stream to schedules.
extension PlayerItem {
    /// Adds a schedule, which follows the item until ``remove(_:)``.
    package func add(_ schedule: TitleSchedule) {
        let (titles, line) = withTitleState { state in
            if !state.schedules.contains(where: { $0 === schedule }) { state.schedules.append(schedule) }
            return (state.titles, state.line)
        }
        schedule.titlesBecame(titles, now: now)
        schedule.lineDidChange(line, now: now)
    }

    /// Removes a schedule, which then delivers nothing more.
    package func remove(_ schedule: TitleSchedule) {
        withTitleState { state in state.schedules.removeAll { $0 === schedule } }
        schedule.lineDidChange(nil, now: now)
    }

    /// The current host time of the item's player, or of the item's own machine without one.
    package var now: HostTime { owner?.now ?? clock.now }

    /// Passes the titles that the feed has read so far to the schedules.
    func titlesBecame(_ read: [(time: CMTime, title: TimedTitle)]) {
        let titles = read.enumerated().map { index, entry in
            let next = index + 1 < read.count ? read[index + 1].time : nil
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

    /// - Parameter line: The line of the audible sound in item time; `nil` if the item is not audible.
    func tellTitleLine(_ line: PresentationLine?, now: HostTime) {
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

/// The state of an item that schedules follow.
struct TitleState {
    var schedules: [TitleSchedule] = []
    var titles: [ScheduledTitle] = []
    var line: PresentationLine?
}
