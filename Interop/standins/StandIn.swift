import AirPlayReceiver
import TuttiAudioOutput
import TuttiClockService
import TuttiDeviceManners
import TuttiDiscovery
import TuttiMediaTime
import TuttiSystemIO

/// A speaker with a device's manners: our own receiver, its output, its clock and its announcement.
final class StandIn: Sendable {
    /// The choices of the command line.
    struct Options: Sendable {
        var name: String
        var family = Family.unknown
        var output = OutputSpecification(.null)
        var port: UInt16 = 7000
    }

    let port: UInt16
    private let options: Options
    private let speaker: AirPlaySpeaker
    private let output: SpeakerOutput
    private let clock: ClockService
    private let advertisement: FamilyAdvertisement
    private let report: Report
    private let machine = SystemMachine()

    /// Opens the clock's ports and the output, and starts listening.
    ///
    /// - Throws: If a port is taken, or the output cannot be opened.
    init(_ options: Options, report: @escaping Report) throws {
        (self.options, self.report) = (options, report)
        var ports = ClockService.Configuration()
        // Stand-ins are machines of their own.
        ports.isShared = false
        clock = try ClockService(configuration: ports, machine: machine)
        let device = try options.output.makeOutput(
            preferredRate: .hz44100, periodFrames: Self.periodFrames, machine: machine)
        let output = try SpeakerOutput(output: device, clock: clock, machine: machine)
        self.output = output
        let store = SpeakerStore(machine: machine, inMemory: { StandardMessages.complain($0) })
        let advertisement = FamilyAdvertisement(
            options.family, name: options.name, identity: store.identity)
        self.advertisement = advertisement
        let manners = try SpeakerManners(
            of: options.family, on: machine,
            showPIN: { StandardMessages.print(["event": "pin", "pin": .string($0)]) }, report: report)
        var configuration = SpeakerConfiguration(name: options.name)
        manners.apply(to: &configuration, advertisement)
        configuration.port = options.port
        let context = PairingContext(
            identity: store.identity.pairing, controllers: store.controllers, password: nil,
            offersPIN: manners.wantsPIN)
        speaker = AirPlaySpeaker(
            configuration: configuration, identity: store.identity, clock: manners.clock(clock),
            machine: machine,
            makeSink: { stream in
                var settings =
                    stream.kind == .realtime ? .realtime(isNTP: stream.isNTP) : PlayoutConfiguration()
                settings.volumeCurve = .fixed
                let sink = output.makeSink(configuration: settings, clock: stream.clock)
                return manners.sink(sink, for: stream)
            },
            makePairing: { context.makePairing($0) },
            makeTimingSource: { [machine] in
                try? NTPFollower(peer: $0, localAddress: $1, asksAtOnce: false, machine: machine)
            })
        try output.start()
        port = try speaker.start()
    }

    private static let periodFrames = 441

    var events: AsyncStream<SpeakerEvent> { speaker.events }

    /// Announces the speaker until the task is cancelled, at first with port 0 if that is its manner.
    func announce() async throws(DiscoveryError) {
        let responder = try MulticastResponder(usesDaemon: false)
        defer { responder.close() }
        if let time = options.family.manners.time(.announcesPortZero) {
            let early = advertiser(port: 0, responder)
            report(.announcesPortZero, "announced")
            // Ends early only if the stand-in ends.
            await machine.pause(for: time)
            early.close()
        }
        let advertiser = advertiser(port: port, responder)
        for await event in advertiser.events {
            if case .registered(let name) = event {
                StandardMessages.print(["event": "announced", "name": .string(name)])
            }
        }
        advertiser.close()
    }

    private func advertiser(port: UInt16, _ responder: MulticastResponder) -> ServiceAdvertiser {
        ServiceAdvertiser(
            name: options.name, services: advertisement.services(port: port),
            hostLabel: advertisement.hostLabel, responder: responder)
    }

    func close() async {
        await speaker.close()
        output.stop()
        await clock.close()
    }
}
