import AirPlaySender
import CoreMedia
import Synchronization
import TuttiAudioOutput
import TuttiMediaTime
import TuttiSystemIO

/// The queues of a program, and the output that each of them plays on. Any thread.
///
/// Queues follow the chosen output unless they are pinned to a device. Queues are moved without the lock.
final class QueueRouting: Sendable {
    /// A queue of the program, held weakly.
    fileprivate struct PlacedQueue {
        weak var value: RenderQueue?
        /// The device that the queue is pinned to; `nil` if the queue follows the chosen output.
        var device: RouteOption.ID?
    }

    struct State {
        var output = ChosenOutput.device
        /// The program or the user chose an output.
        var hasChosen = false
        /// Long-form playback: speakers are filled minutes ahead.
        var isDeep = false
        var hold = SpeakerHold()
        var tracks = DisplayedTracks()
        fileprivate var queues: [PlacedQueue] = []

        fileprivate mutating func place(_ queue: RenderQueue, on device: RouteOption.ID?) {
            queues.removeAll { $0.value == nil }
            if let index = queues.firstIndex(where: { $0.value === queue }) {
                queues[index].device = device
            } else {
                queues.append(PlacedQueue(value: queue, device: device))
            }
        }

        fileprivate func queues(on device: RouteOption.ID?) -> [RenderQueue] {
            queues.filter { $0.device == device }.compactMap(\.value)
        }
    }

    let state = Mutex(State())
    private let local: LocalRoutes
    private let notifier: RouteNotifier
    private let surface: SpeakerSurface
    private let machine: any Machine
    private let displayOrder = NotificationSerializer()
    private let lineOrder = NotificationSerializer()

    /// - Parameter surface: Publishes the tracks for the speakers' displays.
    init(local: LocalRoutes, notifier: RouteNotifier, surface: SpeakerSurface, machine: any Machine) {
        (self.local, self.notifier, self.surface, self.machine) = (local, notifier, surface, machine)
        surface.start { [weak self] tracks in self?.changeTracks { $0.published = tracks } }
        // The device's own thread must not block.
        local.devices.setOnLoss { [weak self] specification in
            machine.perform(qos: .userInitiated) { [weak self] in
                self?.deviceWasLost(specification)
            }
        }
    }

    deinit { surface.stop() }

    // MARK: The chosen output

    var output: ChosenOutput { state.withLock { $0.output } }
    var speakers: ChosenSpeakers? { output.speakers }
    var hasChosen: Bool { state.withLock { $0.hasChosen } }
    var isDeep: Bool { state.withLock { $0.isDeep } }

    /// Makes `output` the chosen one, and moves the queues there.
    ///
    /// - Returns: The group of speakers that was chosen before; still open.
    @discardableResult
    func choose(_ output: ChosenOutput) -> SpeakerGroup? {
        let old = state.withLock { state in
            defer { (state.output, state.hasChosen) = (output, true) }
            return state.output.speakers?.group
        }
        moveQueues()
        return old
    }

    /// Makes a device of this machine the chosen output.
    func useLocal(_ id: RouteOption.ID, because change: RouteChange) {
        notifier.changeRoute(change) {
            local.devices.select(id)
            if let group = choose(.device) { Task { await group.close() } }
        }
    }

    /// Pauses playback and returns to the local device, because the group's speakers are permanently lost.
    func fallBack(from group: SpeakerGroup) {
        guard speakers?.group === group else { return }
        _ = pauseAll()
        useLocal(RouteCatalogue.localID, because: .lost)
    }

    /// Pauses playback where it was last heard, because other senders took the group's speakers. Playing again takes
    /// them back.
    ///
    /// - Parameter time: Host time since which nothing is heard.
    func pause(on group: SpeakerGroup, silentSince time: HostTime) {
        let queue = state.withLock { $0.output.speakers?.group === group ? $0.hold.queue : nil }
        guard let queue, queue.isPlaying else { return }
        queue.halt(silentSince: time)
    }

    /// Changes the chosen speakers, and returns them; `nil` if there are none.
    @discardableResult
    func changeSpeakers(_ change: (inout ChosenSpeakers) -> Void) -> ChosenSpeakers? {
        state.withLock { state in
            guard var speakers = state.output.speakers else { return nil }
            change(&speakers)
            state.output = .speakers(speakers)
            return speakers
        }
    }

    /// Forgets the chosen speakers without moving the queues, which fall silent with the group.
    ///
    /// - Returns: The group, still open; `nil` if no speakers were chosen.
    func leaveSpeakers() -> SpeakerGroup? {
        state.withLock { state in
            guard let speakers = state.output.speakers else { return nil }
            state.output = .device
            return speakers.group
        }
    }

    /// - Returns: Whether this is a change.
    func setDeep(_ isDeep: Bool) -> Bool {
        state.withLock { state in
            defer { state.isDeep = isDeep }
            return state.isDeep != isDeep
        }
    }

    // MARK: Queues

    /// - Parameter isLive: Whether the queue's sound comes in real time.
    func makeQueue(isLive: Bool = false) -> RenderQueue {
        let route = makeRoute(isLive: isLive)
        let queue = RenderQueue(route: route, isLive: isLive)
        state.withLock { state in
            state.place(queue, on: nil)
            state.hold.note(queue, on: route)
        }
        var events = RenderQueue.RoutingEvents()
        events.playingChanges = { [weak self] queue, isPlaying in
            if isPlaying { self?.take(for: queue) } else { self?.letOthersPlay(after: queue) }
        }
        events.lineDidChange = { [weak self] queue in self?.lineDidChange(of: queue) }
        queue.setRoutingEvents(events)
        updateLine()
        return queue
    }

    func pin(_ queue: RenderQueue, to id: RouteOption.ID?) {
        state.withLock { $0.place(queue, on: id) }
        place(queue)
    }

    /// Pauses all playing queues.
    ///
    /// - Returns: Whether any queue was playing.
    func pauseAll() -> Bool {
        let playing = state.withLock { $0.queues.compactMap(\.value) }.filter(\.isPlaying)
        for queue in playing { queue.halt() }
        return !playing.isEmpty
    }

    /// Moves every queue to the chosen output, except pinned queues.
    func moveQueues() {
        let queues = state.withLock { state in
            let queues = state.queues(on: nil)
            // The queue that holds the speakers, or plays, moves first.
            let first = queues.first { $0 === state.hold.queue } ?? queues.first { $0.isPlaying }
            state.hold.free()
            return (first.map { [$0] } ?? []) + queues.filter { $0 !== first }
        }
        for queue in queues { place(queue) }
        updateLine()
    }

    /// Moves a queue to its current route; repeats if the pin changes meanwhile.
    private func place(_ queue: RenderQueue) {
        var id: RouteOption.ID?
        repeat {
            id = device(of: queue)
            let route = id.map { makeRoute(to: $0, for: queue) } ?? makeRoute(isLive: queue.isLive)
            state.withLock { $0.hold.note(queue, on: route) }
            queue.move(to: route)
        } while id != device(of: queue)
        updateLine()
    }

    func device(of queue: RenderQueue) -> RouteOption.ID? {
        state.withLock { $0.queues.first { $0.value === queue }?.device }
    }

    private func makeRoute(to id: RouteOption.ID, for queue: RenderQueue) -> any OutputRoute {
        local.makeRoute(to: id) { [weak self, weak queue] error in
            if let queue, self?.device(of: queue) == id { queue.routeDidFail(error) }
        }
    }

    private func makeRoute(isLive: Bool) -> any OutputRoute {
        let (output, isDeep, isFree) = state.withLock { ($0.output, $0.isDeep, $0.hold.route == nil) }
        switch output {
        case .device: return local.makeRoute()
        case .nothing: return SilentRoute(machine: machine)
        case .speakers(let speakers) where isFree:
            let route = PacketRoute(
                output: speakers.group,
                policy: WireFormatPolicy(
                    preference: speakers.options.preference, isCompressed: speakers.options.isCompressed),
                depth: isLive ? .live : isDeep ? .buffered : .shallow, clock: machine
            ) { [weak self, notifier] choice in
                notifier.emit(.format(choice))
                // The new format's sample rate changes the frame counts of the displayed tracks.
                self?.updateDisplays()
            }
            state.withLock { $0.hold.route = route }
            updateDisplays()
            return route
        // Another queue holds the speakers: long-form sound is silent until its queue takes them.
        case .speakers: return isDeep ? SilentRoute(machine: machine) : local.makeRoute()
        }
    }

    // MARK: Turns

    /// Takes the speakers for a queue that begins to play, from the queue that holds them.
    private func take(for queue: RenderQueue) {
        let (isTurn, older) = state.withLock { state in
            let older = state.hold.queue
            let mayTake =
                state.isDeep && state.output.speakers != nil
                && state.queues.contains { $0.value === queue && $0.device == nil }
            return (mayTake && state.hold.take(for: queue), older)
        }
        guard isTurn else { return }
        if let older { stop(older) }
        place(queue)
    }

    private func stop(_ older: RenderQueue) {
        let wasPlaying = older.isPlaying
        if wasPlaying {
            state.withLock { $0.hold.interrupt(older) }
            older.halt()
        }
        // The older queue keeps its position and waits silently.
        older.move(to: SilentRoute(machine: machine))
        if wasPlaying { notifier.interruptions.tell(.began) }
    }

    private func letOthersPlay(after queue: RenderQueue) {
        if state.withLock({ $0.hold.stop(queue) }) { notifier.interruptions.tell(.ended) }
    }

    // MARK: Loss of a device

    private func deviceWasLost(_ lost: OutputSpecification) {
        for queue in state.withLock({ $0.queues(on: "\(lost)") }) {
            queue.routeDidFail(RouteError("the output '\(lost)' is gone"))
        }
        guard local.devices.isLostSelection(lost) else { return }
        let (queues, isRoute) = state.withLock { ($0.queues(on: nil), $0.output.speakers == nil) }
        notifier.changeRoute(isRoute ? .lost : nil) {
            let affected = queues.filter { ($0.route as? PacketRoute)?.output is LocalPlayer }
            for queue in affected where queue.isPlaying { queue.halt() }
            // Without another device, the queues wait for the lost one, which may come back.
            if local.devices.replace(lost) { for queue in affected { place(queue) } }
        }
    }

    // MARK: The speakers' displays

    /// Changes the tracks and sends the current ones to the speakers.
    func changeTracks(_ change: (inout DisplayedTracks) -> Void) {
        state.withLock { change(&$0.tracks) }
        updateDisplays()
    }

    /// Sends the current tracks to the speakers' route; the latest state wins.
    func updateDisplays() {
        displayOrder.tell { _ in
            let (route, tracks) = state.withLock { ($0.hold.route, $0.tracks.current) }
            route?.show(tracks)
        }
    }

    private func lineDidChange(of queue: RenderQueue) {
        if state.withLock({ $0.hold.queue === queue }) { updateLine() }
    }

    /// Tells the displays the line of the queue that holds the speakers; `nil` if no queue holds them.
    func updateLine() {
        lineOrder.tell { _ in
            surface.lineDidChange(state.withLock { $0.hold.queue }?.timeline?.line)
        }
    }
}
