import AirPlayMessages
import AirPlayReceiver
import Synchronization
import TuttiCommandLineInterface
import TuttiMQTT
import TuttiSystemIO

/// The speaker on an MQTT broker: its metadata, and commands to its sender.
///
/// Any thread; nothing waits for the broker.
final class SpeakerBroker: Sendable {
    struct Options: Sendable {
        var connection: MQTTConfiguration
        var topic: String
        /// Whether all items are published under their codes too.
        var isRaw = false
    }

    private struct State {
        /// The latest value of each topic, for a broker that comes back.
        var latest: [String: MQTTMessage] = [:]
        var isPlaying = false
        var remote: SenderRemote?
        var volumeBeforeMute = Volume(percent: 50)
        var bucket = TokenBucket(rate: 10, burst: 10)
        var hasFailed = false
    }

    /// Operations of the speaker that commands need.
    struct Speaker: Sendable {
        let volume: @Sendable () -> Volume
        let setVolume: @Sendable (Volume) -> Void
        let press: @Sendable (MediaRemoteCommand) -> Void
    }

    private let options: Options
    private let speaker: Speaker
    private let display: any SpeakerDisplay
    private let state = Mutex(State())
    private let client = Mutex<MQTTClient?>(nil)

    init(_ options: Options, speaker: Speaker, display: any SpeakerDisplay) {
        (self.options, self.speaker, self.display) = (options, speaker, display)
    }

    private var remoteTopic: String { options.topic + "/remote" }

    /// Begins to call the broker; a failure is a warning on the display.
    func start() {
        var connection = options.connection
        connection.subscriptions = [remoteTopic]
        do {
            let made = try MQTTClient(connection) { [weak self] event in self?.take(event) }
            client.withLock { $0 = made }
            made.start()
        } catch {
            warn("\(error)")
        }
    }

    /// Closes the connection, within a second.
    func stop() async {
        let client = client.withLock { $0.take() }
        await client?.stop(last: [])
    }

    /// Publishes an event of the speaker.
    func publish(_ event: SpeakerEvent) {
        note(event)
        let topics = MetadataItem.items(event).flatMap { $0.topics(isRaw: options.isRaw) }
        guard !topics.isEmpty else { return }
        let client = client.withLock { $0 }
        for topic in topics {
            let message = MQTTMessage(topic: "\(options.topic)/\(topic.name)", payload: topic.payload)
            guard topic.isState else {
                client?.publish(event: message)
                continue
            }
            state.withLock { $0.latest[message.topic] = message }
            client?.publish(states: [message])
        }
    }

    private func note(_ event: SpeakerEvent) {
        state.withLock { state in
            switch event {
            case .sessionStarted(let sender): state.remote = sender.remote
            case .sessionEnded: (state.remote, state.isPlaying) = (nil, false)
            case .playing(let isPlaying): state.isPlaying = isPlaying
            case .volume(let volume): if !volume.isMuted { state.volumeBeforeMute = volume }
            default: break
            }
        }
    }

    // MARK: The broker

    private func take(_ event: MQTTEvent) {
        switch event {
        case .connected:
            let (latest, hadFailed) = state.withLock { state in
                defer { state.hasFailed = false }
                return (Array(state.latest.values), state.hasFailed)
            }
            let client = client.withLock { $0 }
            client?.publish(states: latest)
            if hadFailed { display.show(.warning(code: "mqtt-back", message: "the MQTT broker is back")) }
        case .disconnected(let failure):
            // One line for an outage, however many attempts it takes.
            let isFirst = state.withLock { state in
                defer { state.hasFailed = true }
                return !state.hasFailed
            }
            if isFirst { warn(failure.description) }
        case .message(let message):
            if message.topic == remoteTopic, !message.isRetained { carryOut(message.payload) }
        case .oversized: break
        }
    }

    private func warn(_ sentence: String) { display.show(.warning(code: "mqtt", message: sentence)) }

    private func carryOut(_ payload: [UInt8]) {
        let (isAllowed, isPlaying, before, remote) = state.withLock { state in
            (state.bucket.take(at: .now), state.isPlaying, state.volumeBeforeMute, state.remote)
        }
        guard isAllowed, let word = RemoteWord(payload) else { return }
        if let button = word.button(isPlaying: isPlaying) { return speaker.press(button) }
        if let volume = word.volume(after: speaker.volume(), before: before) {
            return speaker.setVolume(volume)
        }
        guard let command = word.remoteCommand else { return }
        guard let remote else {
            return warn("The sender does not understand “\(word.rawValue)”: it has no remote control.")
        }
        Task { await remote.send(command, machine: SystemMachine()) }
    }
}
