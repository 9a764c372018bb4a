import AirPlayMessages
import AirPlayReceiver
import Synchronization
import TuttiAudioOutput
import TuttiClockService
import TuttiDiscovery
import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO

/// A speaker in this process with its identity, output, sessions and announcement.
final class SpeakerHost: Sendable {
    struct Options: Sendable {
        var name: String
        var output = OutputSpecification(.null)
        /// The addresses to listen at; empty for all addresses.
        var addresses: [IPAddress] = []
        var port: UInt16 = 7000
        /// The ports for event and sound connections; `nil` for any port.
        var streamPorts: ClosedRange<UInt16>?
        var password: String?
        var wantsPIN = false
        var playout = PlayoutConfiguration()
        /// Whether the speaker is announced on the network.
        var isAdvertised = true
        /// Whether the speaker's identity is stored on disk.
        var isStored = true

        init(name: String) { self.name = name }
    }

    let start: SpeakerStart
    private let options: Options
    private let speaker: AirPlaySpeaker
    private let output: SpeakerOutput
    private let clock: ClockService
    private let advertised: Advertised
    private let announcing = Mutex<(responder: MulticastResponder, advertiser: ServiceAdvertiser)?>(nil)
    private let missing = Mutex<Int64>(0)

    /// Opens the output and starts listening.
    ///
    /// - Parameter report: Receives messages for the user about problems with the stored identity.
    /// - Throws: If the output cannot be opened, or the port is taken.
    init(
        _ options: Options, clock: ClockService, report: @escaping @Sendable (String) -> Void
    ) throws {
        self.options = options
        self.clock = clock
        let machine = SystemMachine()
        let device = try options.output.makeOutput(
            preferredRate: .hz44100, periodFrames: Self.periodFrames, machine: machine)
        output = try SpeakerOutput(output: device, clock: clock, machine: machine)
        let store =
            options.isStored
            ? SpeakerStore(name: options.name, machine: machine, report: report)
            : SpeakerStore(machine: machine, inMemory: report)
        let identity = store.identity
        var advertisement = SpeakerAdvertisement(name: options.name, identity: identity)
        advertisement.access = options.wantsPIN ? .pin : options.password == nil ? .everybody : .password
        advertisement.offersPINPairing = options.wantsPIN
        let advertised = Advertised(advertisement)
        self.advertised = advertised
        let configuration = Self.configuration(options, advertisement, advertised)
        speaker = Self.speaker(options, configuration, store, clock: clock, output: output, machine: machine)
        try output.start()
        do {
            let port = try speaker.start()
            start = SpeakerStart(
                name: options.name, addresses: options.addresses.map { "\($0)" }, port: port,
                output: "\(options.output)", deviceID: identity.deviceID,
                bufferBytes: options.playout.bufferBytes)
        } catch {
            output.stop()
            throw error
        }
    }

    /// The current advertisement, for mDNS and `/info`.
    private final class Advertised: Sendable {
        let value: Mutex<SpeakerAdvertisement>

        init(_ value: SpeakerAdvertisement) { self.value = Mutex(value) }
    }

    /// Frames of the requested device period: 10 ms at 44.1 kHz.
    private static let periodFrames = 441

    private static func configuration(
        _ options: Options, _ advertisement: SpeakerAdvertisement, _ advertised: Advertised
    ) -> SpeakerConfiguration {
        var configuration = SpeakerConfiguration(name: options.name)
        configuration.model = advertisement.model
        configuration.manufacturer = advertisement.manufacturer
        configuration.features = advertisement.features
        if !options.addresses.isEmpty { configuration.addresses = options.addresses }
        configuration.port = options.port
        configuration.password = options.password
        configuration.requiresPIN = options.wantsPIN
        configuration.streamPorts = options.streamPorts
        configuration.txtRecords = {
            advertised.value.withLock { (airPlay: $0.airPlayData, raop: []) }
        }
        configuration.statusFlags = { isInUse in
            advertised.value.withLock { advertisement in
                var asked = advertisement
                // A request may come from the sender itself, reconnecting after its link broke.
                if !isInUse { asked.isInUse = false }
                return asked.statusFlags
            }
        }
        return configuration
    }

    private static func speaker(
        _ options: Options, _ configuration: SpeakerConfiguration, _ store: SpeakerStore,
        clock: ClockService, output: SpeakerOutput, machine: any Machine
    ) -> AirPlaySpeaker {
        let identity = store.identity
        let context = PairingContext(
            identity: identity.pairing, controllers: store.controllers, password: options.password,
            offersPIN: options.wantsPIN)
        return AirPlaySpeaker(
            configuration: configuration, identity: identity, clock: clock, machine: machine,
            makeSink: { [playout = options.playout] stream in
                var settings = stream.kind == .realtime ? .realtime(isNTP: stream.isNTP) : playout
                settings.latencyOffset = playout.latencyOffset
                settings.volumeCurve = playout.volumeCurve
                return output.makeSink(configuration: settings, clock: stream.clock)
            },
            makePairing: { context.makePairing($0) },
            makeTimingSource: { peer, local in
                try NTPFollower(peer: peer, localAddress: local, asksAtOnce: false, machine: machine)
            },
            setPreventsPlayback: { remote, prevents in
                Task { await remote.setPreventsPlayback(prevents, machine: machine) }
            },
            sendCommand: { remote, command in Task { await remote.send(command, machine: machine) } })
    }

    /// Announces the speaker on the network.
    func announce(interface: NetworkInterface?) throws(DiscoveryError) {
        guard options.isAdvertised else { return }
        let responder = try MulticastResponder(interface: interface)
        let advertisement = advertised.value.withLock { $0 }
        let advertiser = ServiceAdvertiser(
            name: options.name, services: advertisement.services(port: start.port),
            hostLabel: advertisement.hostLabel, addresses: options.addresses, responder: responder)
        announcing.withLock { $0 = (responder, advertiser) }
    }

    /// Events of the announcement; ends at once without an announcement.
    var announcements: AsyncStream<AdvertiserEvent> {
        announcing.withLock { $0?.advertiser.events } ?? AsyncStream { $0.finish() }
    }

    var events: AsyncStream<AirPlayReceiver.SpeakerEvent> { speaker.events }

    /// The speaker's own buttons and volume.
    var buttons: SpeakerBroker.Speaker {
        SpeakerBroker.Speaker(
            volume: { [speaker] in speaker.status.volume }, setVolume: { [speaker] in speaker.setVolume($0) },
            press: { [speaker] in speaker.press($0) })
    }

    /// Updates the announcement for an event; call this method with every event.
    func note(_ event: AirPlayReceiver.SpeakerEvent) {
        let changed: SpeakerAdvertisement? = advertised.value.withLock { advertisement in
            let before = advertisement
            switch event {
            case .sessionStarted: advertisement.isInUse = true
            case .sessionEnded: (advertisement.isInUse, advertisement.isPlaying) = (false, false)
            case .playing(let isPlaying): advertisement.isPlaying = isPlaying
            default: break
            }
            return advertisement == before ? nil : advertisement
        }
        guard let changed else { return }
        announcing.withLock { $0?.advertiser.update(txt: changed.txt) }
    }

    var status: SpeakerStatusLine {
        let status = speaker.status
        if let stream = status.stream { missing.withLock { $0 = stream.missingFrames } }
        var line = SpeakerStatusLine(
            stream: status.stream, sender: status.sender?.name, unusablePackets: status.unusablePackets,
            silence: status.silence)
        if let address = status.sender?.address, let clock = clock.followStatus(of: address) {
            line.clockOffset = clock.offset.map { Double($0) / 1e9 }
            line.clockDrift = clock.drift
            line.pathDelay = clock.pathDelay?.inSeconds
        }
        return line
    }

    var outputState: OutputState { output.state }

    /// Frames of the last stream that were silent because their packet was late or lost.
    var missingFrames: Int64 { missing.withLock { $0 } }

    func close() async {
        announcing.withLock { $0?.advertiser.close() }
        await speaker.close()
        output.stop()
        announcing.withLock { $0.take() }?.responder.close()
    }
}
