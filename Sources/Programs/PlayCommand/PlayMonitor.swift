import AirPlaySender
import Playback

/// A listener that turns the speakers' notifications into events of `tutti play`.
actor PlayMonitor {
    private struct Speaker {
        var address = ""
        var hasOpened = false
        var session: SessionChoice?
        /// The last failure while the speaker is lost; `nil` otherwise.
        var failure: SpeakerFailure?
        /// Whether the speaker joined while the others played, and was not heard yet.
        var isJoining = false
    }

    private let report: any PlayReport
    private var speakers: [NamedSpeaker: Speaker] = [:]
    private var choice: WireChoice?
    /// Called when every speaker has failed permanently, or this machine has no output.
    private let onAllFailed: @Sendable () -> Void

    init(
        speakers: [NamedSpeaker], report: any PlayReport,
        onAllFailed: @escaping @Sendable () -> Void
    ) {
        self.report = report
        self.onAllFailed = onAllFailed
        for speaker in speakers { self.speakers[speaker] = Speaker() }
    }

    func follow(_ events: AsyncStream<RouteCatalogue.Event>) async {
        for await event in events {
            switch event {
            case .format(let choice): show(choice)
            case .speaker(let event): show(event)
            case .outputMissing(let error):
                report.fail(
                    "no-output",
                    "\(error); to play on a speaker, use --to NAME ('tutti speakers' lists the names); 'tutti outputs' lists this machine's outputs, --output wave:FILE writes a file"
                )
                onAllFailed()
            case .outputFound: break
            case .volume(let name, let percent): report.show(.speakerVolume(speaker: name, percent))
            case .settingsWarning(let message): report.warn("settings", message)
            }
        }
    }

    private func show(_ choice: WireChoice) {
        self.choice = choice
        report.show(.format(choice))
        for (name, speaker) in speakers.sorted(by: { ($0.key.name, $0.key.id) < ($1.key.name, $1.key.id) })
        where speaker.hasOpened && speaker.failure == nil {
            report.show(.route(speaker: name, address: speaker.address, speaker.session, choice))
        }
    }

    private func show(_ event: SpeakerGroupEvent) {
        switch event {
        case .opened(let name, let address, let receiver, let bytes):
            let isBack = speakers[name]?.hasOpened ?? false
            let session = speakers[name]?.session
            let isJoining = speakers[name]?.isJoining ?? false
            speakers[name] = Speaker(
                address: address, hasOpened: true, session: session, isJoining: isJoining)
            report.show(.opened(speaker: name, address: address, receiver: receiver, bufferBytes: bytes))
            if isBack { report.warn("back", "\(name) is back", of: name) }
            if let choice { report.show(.route(speaker: name, address: address, session, choice)) }
        case .chosen(let name, let session): speakers[name, default: Speaker()].session = session
        case .state(let name, .lost(let failure)):
            let isNew = speakers[name]?.failure != failure
            speakers[name]?.failure = failure
            if isNew { report.fail(failure.code.rawValue, words(failure, of: name), of: name) }
            if haveAllFailed { onAllFailed() }
        case .state(let name, .connecting) where speakers[name] == nil:
            speakers[name] = Speaker(isJoining: true)
            report.show(.member(speaker: name, .joining))
        case .state(let name, .playing) where speakers[name]?.isJoining == true:
            speakers[name]?.isJoining = false
            report.show(.member(speaker: name, .playing))
        case .state(let name, .closed):
            speakers[name] = nil
            report.show(.member(speaker: name, .left))
            if haveAllFailed { onAllFailed() }
        case .state, .opening:
            break
        case .clock(let name, let state):
            let role = speakers[name]?.session?.clock == .theirs ? "follower" : "leader"
            report.show(.clock(speaker: name, state: Self.word(state), role: role))
        case .warning(let name, let code, let message):
            report.warn(code, message, of: name)
        case .command:
            // ``PlayRemote`` handles the speakers' buttons.
            break
        }
    }

    /// Returns the message of a failure; if another sender took the speaker, with the command that takes it back.
    private func words(_ failure: SpeakerFailure, of name: NamedSpeaker) -> String {
        guard failure.code == .busy, speakers[name]?.hasOpened == true else { return failure.message }
        let isAlone = speakers.allSatisfy { $0.key == name || $0.value.failure != nil }
        return "\(failure.message); \(isAlone ? "resume takes" : "pause and resume take") it back"
    }

    /// The longest retry delay, requested by a speaker, that is worth waiting for.
    static let longestWait = Duration.seconds(120)

    /// Whether every speaker has failed permanently: it never opened, or cannot recover by itself.
    private var haveAllFailed: Bool {
        !speakers.isEmpty
            && speakers.values.allSatisfy { speaker in
                guard let failure = speaker.failure else { return false }
                // The speaker named a time for a retry that is soon enough.
                if let delay = failure.retryDelay, delay <= Self.longestWait { return false }
                return !speaker.hasOpened || !failure.isWorthRetrying
            }
    }

    private static func word(_ state: PeerClockState) -> String {
        switch state {
        case .waiting: "waiting"
        case .ready: "ready"
        case .stalled: "stalled"
        }
    }
}
