import AirPlayMessages
import AirPlaySender
import TuttiClockService
import TuttiDiscovery
import TuttiMediaTime
import TuttiSystemIO

/// The examination of a speaker: the stages of a play, with a test tone at its end, each told as it ends.
///
/// It takes the ways of a play: the search for names, the settings of the user, the credentials, the clock, and a group
/// of one speaker.
package struct SpeakerExamination: Sendable {
    /// Whether to send silence instead of the test tone.
    package var isSilent = false
    /// Whether a speaker that another sender uses is taken from it.
    package var takesOver = false
    /// The options of the session and the clock.
    package var options = RouteCatalogue.Options()
    /// The parts of the session that the user has fixed.
    package var override = SessionChoice.Override()
    /// The password; `nil` leaves the one of the settings.
    package var password: String?
    /// Receives each stage, in order, on any thread.
    package var onStage: @Sendable (SpeakerTarget, ExaminationStage) -> Void = { _, _ in }
    /// Announces the tone, before it is heard.
    package var onTone: @Sendable (SpeakerTarget) -> Void = { _ in }
    /// Asks the user whether the tone was heard; returns `nil` for no answer.
    package var wasHeard: @Sendable (SpeakerTarget) async -> Bool? = { _ in nil }

    /// The interval at which clock and time are looked at.
    private static let interval = Duration.milliseconds(50)

    /// Creates an examination with a test tone.
    package init() {}

    /// Examines the speaker of a name or address; both halves of a stereo pair, one after the other.
    ///
    /// - Returns: The diagnosis of each, by name; one for the word itself if nothing has that name.
    package func run(
        _ word: String, in catalogue: RouteCatalogue
    ) async -> [(speaker: String, diagnosis: Diagnosis)] {
        let machine = catalogue.services.machine
        let begun = machine.now
        let targets: [SpeakerTarget]
        do {
            targets = try await catalogue.targets(
                for: [word], password: password, localAddress: options.localAddress)
        } catch {
            let target = SpeakerTarget(name: word, addresses: [])
            let code = error is SpeakerLookupError ? "unknown-speaker" : "unreachable"
            let failure = SpeakerFailure(.unreachable, "\(error)")
            let took = machine.now.since(begun)
            onStage(target, ExaminationStage(.name, duration: took, .failed(failure)))
            return [(word, Diagnosis(notFound: error, code: code))]
        }
        let took = machine.now.since(begun)
        var results: [(speaker: String, diagnosis: Diagnosis)] = []
        for var target in targets {
            if let stream = override.stream { target.override.stream = stream }
            if let clock = override.clock { target.override.clock = clock }
            target.yieldsToOthers = !takesOver
            // The stages are of one session.
            target.triesOtherClock = false
            let detail = target.id == nil ? "it was given by its address" : "found as \"\(target.name)\""
            onStage(target, ExaminationStage(.name, duration: took, detail: detail))
            results.append((target.name, await examine(target, in: catalogue)))
        }
        return results
    }

    private func examine(_ target: SpeakerTarget, in catalogue: RouteCatalogue) async -> Diagnosis {
        guard !target.addresses.isEmpty else {
            return end(
                target, .address,
                SpeakerFailure(
                    .unreachable,
                    "\(target.name) announces no address: wait until it has started, or restart it"))
        }
        let addresses = target.addresses.map { "\($0)" }.joined(separator: ", ")
        onStage(target, ExaminationStage(.address, duration: .zero, detail: addresses))
        let (clock, machine) = (catalogue.clock(options), catalogue.services.machine)
        // The speakers that need a clock that cannot start say why.
        try? clock.start()
        var identity = SenderIdentity(name: options.senderName, clock: clock.identity, machine: machine)
        identity.usePairings(catalogue.services.pairings)
        let (store, format) = (PacketStore(machine: machine), Self.format(for: target))
        do {
            try fill(store, format)
        } catch {
            return end(target, .sound, SpeakerFailure(.closed, "the test tone cannot be made: \(error)"))
        }
        let group = SpeakerGroup(
            targets: [target], store: store, identity: identity, clock: clock, machine: machine)
        group.setFormat(format)
        let examination = await watch(group, target, machine)
        await group.close()
        let heard = isSilent || examination.hasFailed ? nil : await wasHeard(target)
        return Diagnosis(
            of: target.name, stages: examination.stages, heard: heard, choice: examination.choice,
            isClockShown: examination.isClockShown)
    }

    private func end(
        _ target: SpeakerTarget, _ kind: ExaminationStage.Kind, _ failure: SpeakerFailure
    ) -> Diagnosis {
        let stage = ExaminationStage(kind, duration: .zero, .failed(failure))
        onStage(target, stage)
        return Diagnosis(of: target.name, stages: [stage], heard: nil, choice: nil)
    }

    /// Returns the format of the test sound: one that the speaker plays in the stream that the user has fixed.
    static func format(for target: SpeakerTarget) -> AudioWireFormat {
        let quirks = ReceiverDescription(airPlay: target.record, raop: target.raop).quirks
        return target.override.stream == .buffered && !quirks.playsBufferedALAC ? .aac44100 : .alac44100x16
    }

    /// Puts the whole test sound into the store.
    private func fill(_ store: PacketStore, _ format: AudioWireFormat) throws {
        let encoder = try WireEncoder(format: format, at: 0, store: store)
        try encoder.append(TestTone.sound(isSilent: isSilent))
        try encoder.finish()
    }

    /// Gives the group's events and the time to the examination, and does what it says, until it ends.
    private func watch(
        _ group: SpeakerGroup, _ target: SpeakerTarget, _ machine: any Machine
    ) async -> Examination {
        let driver = ExaminationDriver(
            Examination(of: target.name, length: TestTone.length, at: machine.now), of: self, target, group,
            clock: machine)
        let events = Task { for await event in group.events { await driver.receive(event) } }
        defer { events.cancel() }
        while await !driver.isOver {
            await machine.pause(for: Self.interval)
            if Task.isCancelled { break }
            await driver.look()
        }
        return await driver.examination
    }
}

/// Carries out what an ``Examination`` says.
private actor ExaminationDriver {
    private(set) var examination: Examination
    private(set) var isOver = false
    private let settings: SpeakerExamination
    private let target: SpeakerTarget
    private let group: SpeakerGroup
    private let clock: any HostClock

    init(
        _ examination: Examination, of settings: SpeakerExamination, _ target: SpeakerTarget,
        _ group: SpeakerGroup, clock: any HostClock
    ) {
        (self.examination, self.settings, self.target) = (examination, settings, target)
        (self.group, self.clock) = (group, clock)
    }

    func receive(_ event: SpeakerGroupEvent) {
        examination.receive(event, at: clock.now)
        carryOut()
    }

    func look() async {
        let report = await group.clockReport(of: target.key)
        examination.look(report, at: clock.now)
        carryOut()
    }

    private func started(at host: HostTime) { examination.started(at: host) }

    private func carryOut() {
        while let action = examination.nextAction() {
            switch action {
            case .tell(let stage): settings.onStage(target, stage)
            case .start:
                if !settings.isSilent { settings.onTone(target) }
                group.start(at: 0, host: nil) { [weak self] host in
                    Task { await self?.started(at: host) }
                }
            case .end: isOver = true
            }
        }
    }
}
