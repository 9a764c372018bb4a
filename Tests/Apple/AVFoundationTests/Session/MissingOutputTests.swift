import Foundation
import Synchronization
import Testing
import TuttiAudioOutput
import TuttiSystemIO
import TuttiTestSupport

@testable import AVFoundation
@testable import Playback

@Suite("A machine without an output", .timeLimit(.minutes(10)))
struct MissingOutputTests {
    /// Calls when the test says so.
    private final class ManualWakeUp: WakeUp {
        private let body = Mutex<(@Sendable () -> Void)?>(nil)

        func set(after pause: Duration, _ body: @escaping @Sendable () -> Void) {
            self.body.withLock { $0 = body }
        }
        func cancel() { body.withLock { $0 = nil } }
        func ring() { body.withLock { $0.take() }?() }
    }

    let machine = ScriptedDevices(sinks: [])
    private let alarm = ManualWakeUp()
    let catalogue: RouteCatalogue
    let session: AVAudioSession
    let renderer: AVSampleBufferAudioRenderer
    let synchronizer = AVSampleBufferRenderSynchronizer()
    let warnings = Recorder<[String]>([])
    let reasons = Recorder<[AVAudioSession.RouteChangeReason]>([])

    init() {
        machine.setPreferred(nil)
        let missing = MissingOutput(retry: alarm)
        missing.setWarning { [warnings] words in warnings.update { $0.append(words) } }
        catalogue = RouteCatalogue(
            memory: RouteMemory(environment: ["XDG_STATE_HOME": "/nonexistent"], machine: SystemMachine()),
            devices: machine.devices, missingOutput: missing, pairings: SpeakerPairings(),
            machine: SystemMachine())
        session = AVAudioSession(catalogue: catalogue)
        let observed = session
        _ = NotificationCenter.default.addObserver(
            forName: AVAudioSession.routeChangeNotification, object: observed, queue: nil
        ) { [reasons] note in
            let reason = (note.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt).flatMap(
                AVAudioSession.RouteChangeReason.init)
            if let reason { reasons.update { $0.append(reason) } }
        }
        renderer = AVSampleBufferAudioRenderer(queue: catalogue.makeQueue(), of: catalogue)
        synchronizer.addRenderer(renderer)
    }

    private func missed() async throws {
        _ = try await reasons.wait(for: "the session's word") {
            $0.contains(.noSuitableRouteForCategory) ? 1 : nil
        }
    }

    @Test("the program is warned once, the session reports it, and time stands still")
    func told() async throws {
        for second in 0..<2 { renderer.enqueue(try SilentSound.buffer(second: Int64(second))) }
        synchronizer.rate = 1
        try await missed()
        #expect(catalogue.outputError == RouteError("there is no device"))
        alarm.ring()
        alarm.ring()
        #expect(warnings.value == ["nothing can be heard: there is no device. \(MissingOutput.advice)"])
        // Options are a command's; programs have the catalogue.
        #expect(MissingOutput.advice.contains("RouteCatalogue") && !MissingOutput.advice.contains("--"))
        #expect(reasons.value == [.noSuitableRouteForCategory])
        #expect(renderer.status == .rendering && synchronizer.rate == 1)
        #expect(synchronizer.currentTime() == .zero)
    }

    @Test("an output that appears is used from the paused position")
    func appears() async throws {
        for second in 0..<2 { renderer.enqueue(try SilentSound.buffer(second: Int64(second))) }
        synchronizer.rate = 1
        try await missed()
        machine.setPreferred(ScriptedDevices.card)
        alarm.ring()
        _ = try await reasons.wait(for: "the output") { $0.contains(.newDeviceAvailable) ? 1 : nil }
        await renderer.queue.opened()
        #expect(machine.opened == [ScriptedDevices.card] && catalogue.outputError == nil)
        await (renderer.queue.route as? PacketRoute)?.settle()
        #expect(renderer.queue.hasSufficientData(at: .zero))
    }

    @Test("another selected output gets the queue, and the search for a device ends")
    func chosen() async throws {
        for second in 0..<2 { renderer.enqueue(try SilentSound.buffer(second: Int64(second))) }
        try await missed()
        catalogue.selectNothing()
        #expect(renderer.queue.hasSufficientData(at: .zero))
        alarm.ring()
        #expect(catalogue.outputError == nil && machine.opened.isEmpty)
    }

    @Test("a failure of a named output is final")
    func named() async throws {
        try await missed()
        machine.refuse(ScriptedDevices.card)
        catalogue.setLocalOutput(ScriptedDevices.card)
        renderer.enqueue(try SilentSound.buffer(second: 0))
        await renderer.queue.opened()
        await (renderer.queue.route as? PacketRoute)?.settle()
        #expect(renderer.status == .failed && warnings.value.count == 1)
    }
}
