import Synchronization
import TuttiHouse
import TuttiMQTT
import TuttiSystemIO

/// The way between the house's changes, the broker's messages and the commands. Any thread; nothing waits.
///
/// One lock guards the state; messages are handed to the client within it, so that the broker gets them in
/// the order of the changes. The client takes them without waiting, and calls nobody.
final class SurfaceLink: Sendable {
    /// Commands a second, and at once; more are dropped.
    static let commandLimit = 50.0
    /// The time in which the broker sends what it has retained.
    static let sweepTime = Duration.seconds(5)
    /// The most forgotten zones and rooms that are removed after one connection.
    private static let sweepLimit = 200
    /// The time between two repetitions for Home Assistant.
    private static let birthInterval = Duration.seconds(5)
    /// The time between two lines of the log about dropped messages.
    private static let logInterval = Duration.seconds(10)

    private struct State {
        var publisher: Publisher
        var client: MQTTClient?
        var commands: AsyncStream<MQTTMessage>.Continuation?
        /// The changes that came before the first snapshot; a later one of an object replaces an earlier one.
        var early: [EarlyChange: HouseChange]? = [:]
        var isConnected = false
        var hasOverflowed = false
        var bucket = TokenBucket(rate: commandLimit, burst: commandLimit)
        var drops = DropCounter(interval: logInterval)
        var sweepRest = 0
        var lastBirth: ContinuousClock.Instant?
        /// The time of the timer for positions; `nil` without one.
        var timer: ContinuousClock.Instant?
    }

    /// The object of a change.
    private enum EarlyChange: Hashable {
        case zone(ZoneID), room(RoomID), troubles, announcements, alarms
    }

    let scheme: TopicScheme
    private let discovery: Discovery?
    private let state: Mutex<State>
    private let onTrouble: @Sendable (String?) -> Void
    private let onLog: @Sendable (String) -> Void

    init(_ configuration: MQTTSurface.Configuration) {
        let scheme = TopicScheme(root: configuration.topic, name: configuration.name)
        let discovery = configuration.discovery.flatMap { prefix in
            TopicScheme.trimmed(prefix).isEmpty
                ? nil
                : Discovery(
                    prefix: prefix, scheme: scheme, name: configuration.name, version: configuration.version)
        }
        (self.scheme, self.discovery) = (scheme, discovery)
        (onTrouble, onLog) = (configuration.onTrouble, configuration.onLog)
        state = Mutex(
            State(
                publisher: Publisher(
                    scheme: scheme, discovery: discovery, name: configuration.name,
                    version: configuration.version)))
    }

    /// The settings of the client.
    ///
    /// - Throws: An error with a sentence if a setting can be no topic.
    func clientConfiguration(_ configuration: MQTTSurface.Configuration) throws -> MQTTConfiguration {
        for (key, topic) in [("topic", scheme.base), ("discovery", discovery?.prefix ?? "x")]
        where !MQTTTopic.isName(topic) || topic.utf8.count > 256 {
            throw MQTTSettingsError(
                description: "[mqtt] \(key) must be the beginning of topics, without “+” and “#”.")
        }
        var result = MQTTConfiguration(
            broker: configuration.broker, port: configuration.port,
            clientID: configuration.clientID ?? Self.clientID(scheme))
        if configuration.isEncrypted { result.encryption = .init(certificates: configuration.certificates) }
        (result.user, result.password) = (configuration.user, configuration.password)
        result.will = goodbye
        result.subscriptions = scheme.commandFilters + [scheme.status] + sweepFilters
        if let discovery { result.subscriptions.append(discovery.birthTopic) }
        return result
    }

    private var sweepFilters: [String] { scheme.stateFilters + (discovery.map { [$0.filter] } ?? []) }

    /// Returns a name that stays across restarts: after a power cut the broker then knows the house again,
    /// and does not call it gone a minute later.
    private static func clientID(_ scheme: TopicScheme) -> String {
        let hash = (MachineIdentity.text() + scheme.base).utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        return "tutti-\(scheme.house)-\(String(hash, radix: 36))"
    }

    /// The message that the house is gone.
    var goodbye: MQTTMessage { MQTTMessage(topic: scheme.status, text: "offline", isRetained: true) }

    // MARK: Life

    /// Begins: takes the state of the house.
    ///
    /// - Returns: The messages on topics of commands.
    func open(_ client: MQTTClient, _ house: HouseSnapshot) -> AsyncStream<MQTTMessage> {
        let (commands, emit) = AsyncStream.makeStream(
            of: MQTTMessage.self, bufferingPolicy: .bufferingOldest(Int(Self.commandLimit)))
        state.withLock { state in
            (state.client, state.commands) = (client, emit)
            state.publisher.take(HouseMirror(house))
            let early = state.early?.values.sorted { $0.revision < $1.revision } ?? []
            state.early = nil
            for change in early where change.revision > house.revision { state.publisher.note(change.body) }
        }
        return commands
    }

    /// Ends: publishes nothing more.
    func close() {
        let commands = state.withLock { state in
            (state.client, state.isConnected) = (nil, false)
            return state.commands.take()
        }
        commands?.finish()
    }

    // MARK: The house

    /// The house as the surface knows it.
    var house: HouseMirror { state.withLock { $0.publisher.house } }

    /// Takes a change of the house.
    func take(_ change: HouseChange) {
        state.withLock { state in
            if state.early != nil { return Self.keep(change, in: &state) }
            guard state.isConnected else { return state.publisher.note(change.body) }
            publish(state.publisher.apply(change.body, at: Self.now), &state)
        }
    }

    private static func keep(_ change: HouseChange, in state: inout State) {
        switch change.body {
        case .zone(let zone): state.early?[.zone(zone.id)] = change
        case .zoneRemoved(let zone): state.early?[.zone(zone)] = change
        case .room(let room): state.early?[.room(room.id)] = change
        case .roomRemoved(let room): state.early?[.room(room)] = change
        case .troubles: state.early?[.troubles] = change
        case .announcements: state.early?[.announcements] = change
        case .alarms: state.early?[.alarms] = change
        case .queue, .library, .depths: break
        }
    }

    /// Publishes the answer to a command that failed.
    func publish(error sentence: String, on topic: String) {
        let client = state.withLock { $0.client }
        client?.publish(event: MQTTMessage(topic: topic, text: sentence))
    }

    private func publish(_ messages: [MQTTMessage], _ state: inout State) {
        if state.client?.publish(states: messages) == false, !state.hasOverflowed {
            state.hasOverflowed = true
            onLog("The house has more zones and rooms than can wait for the broker; some are not published.")
        }
        guard let deadline = state.publisher.deadline, state.timer.map({ deadline < $0 }) ?? true else {
            return
        }
        state.timer = deadline
        Task { [weak self] in
            // Cannot be cancelled.
            try? await Task.sleep(until: deadline, clock: .continuous)
            self?.tick()
        }
    }

    private func tick() {
        state.withLock { state in
            state.timer = nil
            guard state.isConnected else { return }
            publish(state.publisher.tick(at: Self.now), &state)
        }
    }

    private static var now: Moment { Moment(unix: wallSeconds(), instant: .now) }

    // MARK: The broker

    /// Takes an event of the client.
    func take(_ event: MQTTEvent) {
        switch event {
        case .connected: connected()
        case .disconnected(let failure):
            let isOpen = state.withLock { state in
                state.isConnected = false
                return state.client != nil
            }
            if isOpen { onTrouble(failure.description) }
        case .oversized(let count):
            onLog("\(count) messages on command topics were longer than 64 KiB, and were dropped.")
        case .message(let message): take(message)
        }
    }

    private func connected() {
        let isOpen = state.withLock { state in
            guard state.client != nil else { return false }
            (state.isConnected, state.sweepRest) = (true, Self.sweepLimit)
            // States of zones that were removed meanwhile must not come back.
            state.client?.removeWaiting()
            publish(state.publisher.everything(at: Self.now), &state)
            return true
        }
        guard isOpen else { return }
        onTrouble(nil)
        Task { [weak self] in
            // Cannot be cancelled.
            await Task.pause(for: Self.sweepTime)
            self?.endSweep()
        }
    }

    private func endSweep() {
        let client = state.withLock { state in
            state.sweepRest = 0
            return state.isConnected ? state.client : nil
        }
        client?.unsubscribe(sweepFilters)
    }

    private func take(_ message: MQTTMessage) {
        if message.topic == scheme.status { return repeatStatus(message) }
        if message.topic == discovery?.birthTopic { return repeatAll(message) }
        if message.topic.hasSuffix("/set"), message.topic.hasPrefix(scheme.base + "/") {
            return takeCommand(message)
        }
        if message.isRetained, !message.payload.isEmpty { sweep(message.topic) }
    }

    /// Says that the house is there: the will of an earlier connection may come late.
    private func repeatStatus(_ message: MQTTMessage) {
        guard message.text != "online" else { return }
        state.withLock { state in
            guard state.isConnected, state.bucket.take(at: .now) else { return }
            state.client?.publish(states: [
                MQTTMessage(topic: scheme.status, text: "online", isRetained: true)
            ])
        }
    }

    /// Publishes everything again when Home Assistant has started.
    private func repeatAll(_ message: MQTTMessage) {
        guard message.text == "online", !message.isRetained else { return }
        state.withLock { state in
            let now = Self.now
            guard state.isConnected, state.lastBirth.map({ now.instant >= $0 + Self.birthInterval }) ?? true
            else { return }
            state.lastBirth = now.instant
            publish(state.publisher.everything(at: now), &state)
        }
    }

    /// Removes what an earlier run has left of a zone or a room that is gone.
    private func sweep(_ topic: String) {
        state.withLock { state in
            guard state.sweepRest > 0, !state.publisher.owns(topic) else { return }
            let removal: [MQTTMessage]
            if let (target, _) = scheme.parse(topic) {
                removal = state.publisher.removal(of: target)
            } else if let prefix = discovery?.prefix, topic.hasPrefix(prefix + "/") {
                removal = [MQTTMessage(topic: topic, payload: [], isRetained: true)]
            } else {
                removal = []
            }
            guard !removal.isEmpty else { return }
            state.sweepRest -= 1
            state.client?.publish(states: removal)
        }
    }

    private func takeCommand(_ message: MQTTMessage) {
        let line: String? = state.withLock { state in
            let now = ContinuousClock.now
            if state.bucket.take(at: now), let commands = state.commands,
                case .enqueued = commands.yield(message)
            {
                return nil
            }
            return state.drops.add(at: now).map {
                "Commands arrive faster than \(Int(Self.commandLimit)) a second, or faster than the house can carry"
                    + " them out: \($0) dropped."
            }
        }
        if let line { onLog(line) }
    }
}
