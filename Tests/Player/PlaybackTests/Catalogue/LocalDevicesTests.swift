import Testing
import TuttiSystemIO
import TuttiTestSupport

@testable import Playback

@Suite("The local output named by the environment")
struct LocalDevicesTests {
    /// The outputs that were to be opened.
    private let opened = Recorder<[OutputSpecification]>([])

    private func devices(_ variable: String?) -> LocalDevices {
        var system = MachineDevices.System(machine: SystemMachine())
        system.sinks = { [] }
        system.preferred = { OutputSpecification(.null) }
        system.output = { [opened] specification in
            opened.update { $0.append(specification) }
            throw RouteError("the test opens no device")
        }
        return LocalDevices(
            environment: variable.map { ["TUTTI_OUTPUT": $0] } ?? [:],
            shared: MachineDevices(system: system, machine: SystemMachine())
        )
    }

    @Test("without the variable, the machine's default is used")
    func unset() throws {
        let devices = devices(nil)
        #expect(devices.invalidVariable == nil && !devices.isNamed)
        #expect(throws: RouteError.self) { try devices.device() }
        #expect(opened.value == [OutputSpecification(.null)])
    }

    @Test("an output that the variable names is used")
    func valid() throws {
        let devices = devices("null@+40ppm")
        #expect(devices.invalidVariable == nil && devices.isNamed)
        #expect(throws: RouteError.self) { try devices.device() }
        #expect(opened.value == [OutputSpecification(.null, ppm: 40)])
    }

    @Test(
        "a variable that names no output fails with an error that names the variable and the valid forms",
        arguments: ["speakers", "", "alsa:", "null:x"])
    func invalid(text: String) throws {
        let devices = devices(text)
        // A failure that retries cannot heal.
        #expect(devices.isNamed)
        let error = #expect(throws: RouteError.self) { try devices.device() }
        #expect(opened.value.isEmpty)
        #expect(devices.invalidVariable == error)
        #expect(
            error?.description.hasPrefix("the environment variable TUTTI_OUTPUT cannot be used: ") == true)
        if text == "speakers" || text.isEmpty {
            #expect(error?.description.contains("alsa[:DEVICE], pulse[:SINK], wave:FILE or null") == true)
        }
    }

    @Test("a catalogue names the reason until the program chooses an output")
    func catalogue() {
        let catalogue = RouteCatalogue(
            memory: RouteMemory(environment: ["XDG_STATE_HOME": "/nonexistent"], machine: SystemMachine()),
            devices: devices("speakers"),
            speakers: SpeakerSurface(
                hub: NowPlayingHub(machine: SystemMachine(), routes: { nil }), machine: SystemMachine(),
                routes: { nil }),
            pairings: SpeakerPairings(), machine: SystemMachine())
        #expect(catalogue.outputError?.description.contains("TUTTI_OUTPUT") == true)
        catalogue.setLocalOutput(OutputSpecification(.null))
        #expect(catalogue.outputError == nil)
    }

    @Test("an output that the program sets replaces an invalid variable")
    func replaced() throws {
        let devices = devices("speakers")
        devices.setSpecification(OutputSpecification(.null))
        #expect(devices.invalidVariable == nil)
        #expect(throws: RouteError.self) { try devices.device() }
        #expect(opened.value == [OutputSpecification(.null)])
    }
}
