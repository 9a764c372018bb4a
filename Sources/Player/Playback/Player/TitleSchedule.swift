import CoreMedia
import Synchronization
import TuttiCodecs
import TuttiMediaTime
import TuttiSystemIO

/// A title of an item and the item time from which it is heard.
package struct ScheduledTitle: Sendable, Hashable {
    /// Item time from which the title is heard.
    package var time: CMTime
    /// Item time at which the next title begins; `nil` while no later title is known.
    package var end: CMTime?
    /// The title and its artist.
    package var title: TimedTitle

    /// Makes a title that is heard from item time `time` on.
    package init(time: CMTime, end: CMTime? = nil, title: TimedTitle) {
        (self.time, self.end, self.title) = (time, end, title)
    }
}

/// A schedule that delivers the titles of one item when they become audible, or a lead time before.
///
/// Any thread. Titles are known as soon as they are read, with a speaker minutes before they are heard. The
/// schedule follows the line of the audible sound and wakes for the next title.
package final class TitleSchedule: Sendable {
    /// A delivery of the schedule.
    package enum Event: Sendable {
        /// These titles are due, in order.
        case due([ScheduledTitle])
        /// Time jumped: earlier deliveries are void.
        case flushed
    }

    private struct State {
        var titles: [ScheduledTitle] = []
        var line: PresentationLine?
        var lead = Duration.zero
        /// Item time of the last title delivered since the last jump.
        var delivered: CMTime?
        var hasDelivered = false
    }

    private let state = Mutex(State())
    private let deliver: @Sendable (Event) -> Void
    private let wakeUp: QueueWakeUp

    /// A smaller jump is a clock correction.
    private static let leastJump = CMTime(value: 1, timescale: 10)
    /// An upper bound: with a longer lead, a title is delivered as soon as it is known.
    private static let longestLead = Duration.seconds(86_400)

    /// - Parameters:
    ///   - machine: The queue.
    ///   - deliver: Called in order, on any thread, with a lock held: it must only forward the event.
    package init(machine: any Machine, deliver: @escaping @Sendable (Event) -> Void) {
        self.deliver = deliver
        wakeUp = QueueWakeUp(on: machine.makeQueue("tutti.titles", qos: .userInteractive))
    }

    /// Sets the lead time between a title's delivery and its audible time.
    package func setLead(_ lead: Duration, now: HostTime) {
        change(now) { $0.lead = min(max(.zero, lead), Self.longestLead) }
    }

    func titlesBecame(_ titles: [ScheduledTitle], now: HostTime) {
        guard state.withLock({ $0.titles != titles }) else { return }
        change(now) { $0.titles = titles }
    }

    /// - Parameter line: The line of the audible sound in item time; `nil` if the item is not audible.
    func lineDidChange(_ line: PresentationLine?, now: HostTime) {
        change(now) { state in
            if let old = state.line, let line {
                let distance = line.time(at: now) - old.time(at: now)
                if CMTimeAbsoluteValue(distance) > Self.leastJump { flush(&state) }
            } else if line == nil {
                state.delivered = nil
            }
            state.line = line
        }
    }

    /// Delivers the titles that are due by now.
    func look(now: HostTime) { change(now) { _ in } }

    private func change(_ now: HostTime, _ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            deliverDue(&state, now)
            setWakeUp(&state)
        }
    }

    private func flush(_ state: inout State) {
        state.delivered = nil
        guard state.hasDelivered else { return }
        state.hasDelivered = false
        deliver(.flushed)
    }

    private func deliverDue(_ state: inout State, _ now: HostTime) {
        guard let line = state.line, line.rate > 0 else { return }
        var due: [ScheduledTitle] = []
        for title in state.titles {
            let isDue = Self.dueTime(of: title, line, state.lead).map { $0 <= now } ?? false
            guard isDue else { break }
            // Before the first audible sound, only the title in force counts.
            if let delivered = state.delivered, title.time <= delivered { continue }
            if state.delivered == nil, title.time <= line.time { due = [] }
            due.append(title)
        }
        guard let last = due.last else { return }
        (state.delivered, state.hasDelivered) = (last.time, true)
        deliver(.due(due))
    }

    private static func dueTime(
        of title: ScheduledTitle, _ line: PresentationLine, _ lead: Duration
    ) -> HostTime? { line.host(of: title.time)?.advanced(by: .zero - lead) }

    private func setWakeUp(_ state: inout State) {
        guard let line = state.line, line.rate > 0,
            let next = state.titles.first(where: { title in state.delivered.map { title.time > $0 } ?? true }
            ),
            let due = Self.dueTime(of: next, line, state.lead)
        else { return wakeUp.cancel() }
        // A call for an older line delivers what is due on this one.
        wakeUp.set(at: due) { [weak self] in self?.look(now: due) }
    }
}
