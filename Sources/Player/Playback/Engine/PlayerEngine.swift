import CoreMedia
import TuttiCodecs
import TuttiMediaTime

/// The engine of `AVPlayer` and `AVQueuePlayer`, a value: plays items in sequence through one render queue.
///
/// The program's wishes change ``state`` at once. The driver then calls ``step(_:)`` with a sample of the
/// outputs and the feeds, and carries out the returned actions, until the engine is settled; and again when
/// something happens, or at ``deadline``. The engine knows items and feeds by identifiers only.
///
/// Each part has the rules of one subject: ``PlayerState`` what the program wants and sees, ``Schedule`` the items
/// and their feeds, ``Outputs`` what the render queue was given, ``Buffering`` whether that suffices. A part takes other
/// parts as arguments. The engine has what joins several of them, and the order of a step.
package struct PlayerEngine: Sendable {
    var state: PlayerState
    var schedule = Schedule()
    var outputs = Outputs()
    var outputEvents = OutputEvents()
    var buffering = Buffering()
    var reports = Reports()
    /// Host time of the last sample.
    private(set) var now = HostTime(nanoseconds: 0)
    /// Whether the last step found nothing to do.
    private(set) var isSettled = false
    /// Host time of the next step, unless something happens before; `nil` if only events matter.
    private(set) var deadline: HostTime?

    init(endAction: EndAction) { state = PlayerState(endAction: endAction) }

    /// Whether the engine may still name an item.
    func knows(_ id: ItemID) -> Bool { schedule.has(id) || state.index(of: id) != nil }

    /// The audible timeline time.
    var currentTime: CMTime { outputs.time(at: now) }

    // MARK: Inputs

    /// Takes a wish of the program.
    mutating func wish(_ change: (inout PlayerState) -> Void) { change(&state) }

    /// Takes the next step of feeding the render queue, which wants more.
    mutating func deliver(_ moment: EngineMoment) -> (delivery: EngineDelivery, actions: [EngineAction]) {
        look(moment)
        let delivery = outputs.nextDelivery(from: &schedule, &state, at: now)
        return (delivery, takeActions())
    }

    /// Places a buffer of the feed to deliver from, given in item time.
    mutating func place(_ start: CMTime, _ duration: CMTime) -> EnginePlacement {
        outputs.place(start, duration, in: &schedule, state)
    }

    /// Runs the reconciliation up to the next change that must be carried out, or announced, before the rest.
    ///
    /// - Returns: The actions to carry out; ``isSettled`` tells whether that was all.
    mutating func step(_ moment: EngineMoment) -> [EngineAction] {
        look(moment)
        let before = state.visible
        isSettled = false
        var actions: [EngineAction] = []
        for phase in Self.phases {
            for part in phase {
                part(&self)
                if takeActions(into: &actions) || before != state.visible { return actions }
            }
        }
        isSettled = true
        deadline = nextDeadline()
        return actions
    }

    private mutating func look(_ moment: EngineMoment) {
        now = moment.now
        // Earlier actions have taken effect.
        state.pendingTime = nil
        outputs.look(moment.outputs)
        schedule.look(moment.feeds)
    }

    // MARK: The order of a step

    private typealias Part = @Sendable (inout PlayerEngine) -> Void

    /// The phases of a step, in order. The step ends after a part whose change must take effect before the next part.
    private static let phases: [[Part]] = [events, queue, sources, feeding, ends, supply, time, reporting]

    /// Sound was heard, an item failed, others stopped time, the outputs failed, lost sound or answered.
    private static let events: [Part] = [
        { $0.schedule.countPlayed(at: $0.currentTime) }, { $0.stopAtFailedItem() }, { $0.noticeStop() },
        { $0.noticeFailure() }, { $0.noticeOutputEvents() },
    ]
    /// The queue, the items' wishes, and the pending seek.
    private static let queue: [Part] = [
        { $0.followQueue() }, { $0.beginSeek() }, { $0.schedule.prepareNext(&$0.state, at: $0.now) },
    ]
    /// The feeds have found something: facts, sound, errors.
    private static let sources: [Part] = [
        { $0.reports.actions += $0.schedule.observeFeeds(&$0.state, at: $0.currentTime) },
        { $0.schedule.reportReady(&$0.state, at: $0.now) }, { $0.noticeErrors() },
    ]
    /// Sound is read, and given.
    private static let feeding: [Part] = [
        { $0.schedule.readAhead($0.state, at: $0.currentTime) },
        { $0.outputs.requestDelivery(from: $0.schedule, $0.state) },
    ]
    /// The item's end is heard, or the target of a seek is reached.
    private static let ends: [Part] = [{ $0.passEnd() }, { $0.landSeek() }]
    /// The sound at hand suffices, runs out, or does not come.
    private static let supply: [Part] = [
        { $0.buffering.measureLevels(of: &$0.schedule, &$0.state, $0.outputs, at: $0.now) },
        { $0.watchSupply() }, { $0.watchPlayhead() },
    ]
    /// Time runs or stands, as all before demands.
    private static let time: [Part] = [{ $0.applyRate() }, { $0.finishPreroll() }]
    /// Observers of the schedule.
    private static let reporting: [Part] = [{ $0.reports.reportPlaces(of: $0.schedule.items) }]

    // MARK: Reports

    /// Whether no action waits to be taken.
    private var isIdle: Bool {
        reports.actions.isEmpty && schedule.actions.isEmpty && outputs.actions.isEmpty && !state.hasEffects
    }

    /// Moves the actions of the current change behind others.
    ///
    /// - Returns: Whether one of the moved actions is a barrier.
    private mutating func takeActions(into others: inout [EngineAction]) -> Bool {
        if isIdle { return false }
        let actions = takeActions()
        others += actions
        return actions.contains(where: \.isBarrier)
    }

    /// Returns the actions of the current change, in order, and forgets them.
    mutating func takeActions() -> [EngineAction] {
        var actions = state.takeEffects()
        actions += schedule.actions
        actions += outputs.actions
        actions += reports.actions
        (schedule.actions, outputs.actions, reports.actions) = ([], [], [])
        return actions
    }
}
