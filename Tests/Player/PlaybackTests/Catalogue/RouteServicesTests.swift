import AirPlayMessages
import Testing
import TuttiAudioOutput
import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlaySender
@testable import Playback

@Suite("The services of a process, which its zones share", .timeLimit(.minutes(10)))
struct RouteServicesTests {
    /// The sinks of the machine's sound server.
    private let sinks = Recorder<[OutputDescription]>([])
    /// A speaker that announces a password.
    private let speaker: SpeakerTarget

    init() {
        var target = SpeakerTarget(
            name: "Kitchen", addresses: [SocketAddress(IPAddress(192, 0, 2, 7), port: 7000)],
            record: AirPlayTXTRecord([(key: "flags", value: "0x80")]))
        target.id = "02:00:00:AA:00:01"
        speaker = target
    }

    /// Makes a catalogue with services of its own.
    private func makeCatalogue() -> RouteCatalogue {
        var system = MachineDevices.System(machine: SystemMachine())
        system.sinks = { [sinks] in sinks.value }
        system.preferred = { throw RouteError("no device") }
        let devices = LocalDevices(
            environment: [:], shared: MachineDevices(system: system, machine: SystemMachine()))
        return RouteCatalogue(
            memory: nil, devices: devices, settingsPath: nil, pairings: SpeakerPairings(),
            machine: SystemMachine())
    }

    /// Pairs the speaker with one zone.
    private func pair(in zone: RouteCatalogue) throws {
        let paired = try #require(
            PairedSpeaker(id: "02:00:00:AA:00:01", name: "Kitchen", accessory: nil))
        let sender = SenderIdentity(name: "Host", clock: ClockIdentity(rawValue: 7))
        try zone.services.pairings.keep(paired, createdBy: sender)
    }

    @Test("two catalogues with services of their own do not see each other's pairings")
    func ownPairings() throws {
        let (first, second) = (makeCatalogue(), makeCatalogue())
        #expect(first.needsPassword(speaker) && second.needsPassword(speaker))
        try pair(in: first)
        #expect(!first.needsPassword(speaker) && second.needsPassword(speaker))
    }

    @Test("a further selection shares the pairings")
    func sharedPairings() throws {
        let root = makeCatalogue()
        let (first, second) = (root.makeSelection(), root.makeSelection())
        try pair(in: first)
        #expect(![root, first, second].contains { $0.needsPassword(speaker) })
    }

    @Test("a sink that one zone finds is an output of all, and their observers are notified")
    func sharedSinks() async throws {
        let root = makeCatalogue()
        let selection = root.makeSelection()
        let seen = Recorder<[RouteOption.ID]>([])
        let observation = root.observe { options in seen.update { $0 = options.map(\.id) } }
        let sink = OutputSpecification(.pulse(sink: "desk"))
        sinks.update { $0 = [OutputDescription(specification: sink, text: "Desk")] }
        selection.services.devices.refresh()
        let known = try await seen.wait(for: "the sink") { $0.contains("pulse:desk") ? $0 : nil }
        #expect(known == ["local", "pulse:desk"] && selection.options.map(\.id) == known)
        withExtendedLifetime(observation) {}
    }

    @Test("a sink is selected in one zone alone")
    func ownSelection() async throws {
        let root = makeCatalogue()
        let selection = root.makeSelection()
        let sink = OutputSpecification(.pulse(sink: "desk"))
        sinks.update { $0 = [OutputDescription(specification: sink, text: "Desk")] }
        root.services.devices.refresh()
        try await selection.choose(["pulse:desk"])
        #expect(root.options.filter(\.isSelected).map(\.id) == ["local"])
        #expect(selection.options.filter(\.isSelected).map(\.id) == ["pulse:desk"])
    }

    /// An output that counts its starts and stops, and can be lost.
    private final class CountedOutput: AudioOutput {
        let format = PCMFormat(sampleRate: .hz44100, channelCount: 2, sampleFormat: .float32)
        let periodFrames = 441
        let (starts, stops) = (Recorder(0), Recorder(0))
        private let source = Recorder<(any RenderSource)?>(nil)

        func start(_ source: any RenderSource) {
            self.source.update { $0 = source }
            starts.update { $0 += 1 }
        }

        func stop() { stops.update { $0 += 1 } }
        func change(to state: OutputState) { source.value?.outputChanged(state) }
    }

    /// The zones of a machine whose only output is this one.
    private func zones(_ count: Int, on output: CountedOutput) -> [LocalDevices] {
        var system = MachineDevices.System(machine: SystemMachine())
        system.output = { _ in output }
        let machine = MachineDevices(system: system, machine: SystemMachine())
        return (0..<count).map { _ in LocalDevices(environment: [:], shared: machine) }
    }

    private let null = OutputSpecification(.null)

    @Test("zones share an open device, which stops when the last one closes it, and opens again")
    func sharedDevice() throws {
        let output = CountedOutput()
        let zones = zones(3, on: output)
        let devices = try zones.map { try $0.device(null) }
        #expect(devices[0] !== devices[1] && output.starts.value == 1)
        zones[0].close()
        zones[2].close()
        #expect(output.stops.value == 0)
        zones[1].close()
        #expect(output.stops.value == 1)
        // A zone that has closed its devices gets them anew, also while a player keeps the old one.
        let again = try zones[1].device(null)
        #expect(output.starts.value == 2 && again !== devices[1])
        withExtendedLifetime((devices, again)) {}
    }

    @Test("a device stops with the last zone's last player, without a call")
    func releasedDevice() throws {
        let output = CountedOutput()
        let zones = zones(2, on: output)
        do {
            let first = try zones[0].device(null)
            try withExtendedLifetime(zones[1].device(null)) {}
            #expect(output.stops.value == 0)
            withExtendedLifetime(first) {}
        }
        #expect(output.stops.value == 1)
    }

    @Test("a lost device is told to all of its zones, and to one that opens it later")
    func lostDevice() throws {
        let output = CountedOutput()
        let zones = zones(3, on: output)
        let told = zones.map { zone in
            let told = Recorder(0)
            zone.setOnLoss { _ in told.update { $0 += 1 } }
            return told
        }
        let devices = try zones.prefix(2).map { try $0.device(null) }
        output.change(to: .lost(reason: "unplugged"))
        #expect(devices.map(\.loss) == ["unplugged", "unplugged"])
        #expect(told.map(\.value) == [1, 1, 1])
        let third = try zones[2].device(null)
        #expect(told.map(\.value) == [1, 1, 2] && third.loss == "unplugged")
        withExtendedLifetime(devices) {}
    }

    @Test("a volume command for a zone that is gone reaches no other zone")
    func goneZone() async throws {
        let root = makeCatalogue()
        var selection: RouteCatalogue? = root.makeSelection()
        let hub = try #require(selection?.nowPlaying)
        selection = nil
        let outcome = await hub.send(.volumeUp, from: RemoteCommandOrigin(surface: "test", route: nil))
        #expect(outcome == .deviceNotFound)
    }
}
