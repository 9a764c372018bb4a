import Foundation
import Synchronization
import TuttiAudioOutput
import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO

@testable import Playback

/// An output that never asks for frames, and is lost and found as the test says.
final class ScriptedAudioOutput: AudioOutput {
    let format = PCMFormat(sampleRate: .hz44100, channelCount: 2, sampleFormat: .float32)
    let periodFrames = 441
    private let source = Mutex<(any RenderSource)?>(nil)
    private let end = AsyncStream<Never>.makeStream()

    func start(_ source: any RenderSource) { self.source.withLock { $0 = source } }

    func stop() {
        source.withLock { $0 = nil }
        end.continuation.finish()
    }

    /// Waits until the last player has left and the device is closed.
    func closed() async { for await _ in end.stream {} }

    func change(to state: OutputState) { source.withLock { $0 }?.outputChanged(state) }
}

/// A machine with a sound server, whose sinks are plugged in and out.
final class ScriptedDevices: Sendable {
    private struct State {
        var sinks: [OutputDescription] = []
        var preferred: OutputSpecification?
        var outputs: [OutputSpecification: ScriptedAudioOutput] = [:]
        var opened: [OutputSpecification] = []
        var refused: Set<OutputSpecification> = []
    }

    private let state = Mutex(State())

    static func sink(_ name: String) -> OutputSpecification { OutputSpecification(.pulse(sink: name)) }
    static let standard = OutputSpecification(.pulse(sink: nil))
    static let card = OutputSpecification(.alsa(device: "default"))

    init(sinks: [String]) {
        setSinks(sinks)
        setPreferred(Self.standard)
    }

    func setSinks(_ names: [String]) {
        let sinks = names.map { OutputDescription(specification: Self.sink($0), text: $0) }
        state.withLock { $0.sinks = sinks }
    }

    func setPreferred(_ specification: OutputSpecification?) {
        state.withLock { $0.preferred = specification }
    }

    /// Makes a device fail to open.
    func refuse(_ specification: OutputSpecification) {
        state.withLock { _ = $0.refused.insert(specification) }
    }

    /// Devices in the order of opening.
    var opened: [OutputSpecification] { state.withLock { $0.opened } }

    func output(_ specification: OutputSpecification) -> ScriptedAudioOutput? {
        state.withLock { $0.outputs[specification] }
    }

    var devices: LocalDevices {
        var system = MachineDevices.System(machine: SystemMachine())
        system.sinks = { [self] in state.withLock { $0.sinks } }
        system.preferred = { [self] in
            guard let preferred = state.withLock({ $0.preferred }) else {
                throw OutputError(operation: "open", code: 2, description: "there is no device")
            }
            return preferred
        }
        system.output = { [self] specification in
            if state.withLock({ $0.refused.contains(specification) }) {
                throw OutputError(operation: "open", code: 2, description: "\(specification) is not there")
            }
            let output = ScriptedAudioOutput()
            state.withLock { state in
                state.outputs[specification] = output
                state.opened.append(specification)
            }
            return output
        }
        return LocalDevices(
            environment: [:], shared: MachineDevices(system: system, machine: SystemMachine()))
    }

    /// A catalogue of this machine with known sinks and no stored state.
    func catalogue() -> RouteCatalogue {
        let devices = devices
        devices.shared.refresh()
        let memory = RouteMemory(environment: ["XDG_STATE_HOME": "/nonexistent"], machine: SystemMachine())
        return RouteCatalogue(
            memory: memory, devices: devices, pairings: SpeakerPairings(), machine: SystemMachine())
    }
}

extension RenderQueue {
    /// Waits until the device that the queue plays on is open, or has failed to open.
    func opened() async {
        _ = try? await ((route as? PacketRoute)?.output as? LocalPlayer)?.prepare(patience: .zero)
    }
}
