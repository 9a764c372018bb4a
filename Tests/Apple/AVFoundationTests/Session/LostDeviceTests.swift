import Foundation
import Synchronization
import Testing
import TuttiAudioOutput

@testable import AVFoundation
@testable import Playback

@Suite("Loss of a local device")
struct LostDeviceTests {
    let machine = ScriptedDevices(sinks: ["headset", "desk"])
    let catalogue: RouteCatalogue
    let session: AVAudioSession
    let renderer: AVSampleBufferAudioRenderer
    let synchronizer = AVSampleBufferRenderSynchronizer()
    let notes = Notes()

    init() {
        catalogue = machine.catalogue()
        session = AVAudioSession(catalogue: catalogue)
        renderer = AVSampleBufferAudioRenderer(queue: catalogue.makeQueue(), of: catalogue)
        synchronizer.addRenderer(renderer)
    }

    /// Runs `body` and notes the session's route changes: reason, previous and current route, and the rate.
    private func noting(_ body: () async throws -> Void) async rethrows {
        let token = NotificationCenter.default.addObserver(
            forName: AVAudioSession.routeChangeNotification, object: session, queue: nil
        ) { [notes, session, synchronizer] note in
            let reason = (note.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt).flatMap(
                AVAudioSession.RouteChangeReason.init)
            let before =
                note.userInfo?[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription
            let names = [before, session.currentRoute].map { $0?.outputs.first?.portName ?? "-" }
            notes.note(
                "\(reason == .oldDeviceUnavailable ? "lost" : "other") \(names.joined(separator: " → ")) \(synchronizer.rate)"
            )
        }
        try await body()
        NotificationCenter.default.removeObserver(token)
    }

    @Test("an unplugged sink pauses playback, and the queue moves to the default device")
    func unplugged() async throws {
        await renderer.queue.opened()
        try await noting {
            try await catalogue.choose(["pulse:headset"])
            await notes.reached(1)
            // While the first device is open, a return to it opens nothing.
            await machine.output(ScriptedDevices.standard)?.closed()
            await renderer.queue.opened()
            for second in 0..<2 { renderer.enqueue(try SilentSound.buffer(second: Int64(second))) }
            synchronizer.rate = 1
            machine.setSinks(["desk"])
            machine.output(ScriptedDevices.sink("headset"))?.change(to: .lost(reason: "unplugged"))
            await notes.reached(2)
        }
        #expect(
            notes.list == ["other This computer → headset 0.0", "lost headset → This computer 0.0"])
        await renderer.queue.opened()
        #expect(machine.opened.last == ScriptedDevices.standard)
        #expect(renderer.status == .rendering && catalogue.options.map(\.id) == ["local", "pulse:desk"])
        // The queued audio is still there: a start there needs no more.
        await (renderer.queue.route as? PacketRoute)?.settle()
        #expect(renderer.queue.hasSufficientData(at: .zero))
    }

    @Test("a lost sound server falls back to the sound card")
    func serverGone() async throws {
        await renderer.queue.opened()
        synchronizer.rate = 1
        machine.setSinks([])
        machine.setPreferred(ScriptedDevices.card)
        await noting {
            machine.output(ScriptedDevices.standard)?.change(to: .lost(reason: "no connection"))
            await notes.reached(1)
        }
        #expect(notes.list == ["lost This computer → This computer 0.0"])
        await renderer.queue.opened()
        #expect(machine.opened == [ScriptedDevices.standard, ScriptedDevices.card])
    }

    @Test("the loss of the only device pauses playback and waits for it")
    func onlyDevice() async throws {
        await renderer.queue.opened()
        synchronizer.rate = 1
        machine.setPreferred(nil)
        await noting {
            machine.output(ScriptedDevices.standard)?.change(to: .lost(reason: "no connection"))
            await notes.reached(1)
        }
        #expect(notes.list == ["lost This computer → This computer 0.0"])
        #expect(machine.opened == [ScriptedDevices.standard] && renderer.status == .unknown)
        machine.output(ScriptedDevices.standard)?.change(to: .running)
        synchronizer.rate = 1
        #expect(synchronizer.rate == 1 && notes.list.count == 1)
    }

    @Test("the loss of an unused device changes nothing")
    func oldDevice() async throws {
        try await noting {
            try await catalogue.choose(["pulse:headset"])
            await notes.reached(1)
            await renderer.queue.opened()
            let old = try #require(machine.output(ScriptedDevices.sink("headset")))
            try await catalogue.choose(["pulse:desk"])
            await notes.reached(2)
            await renderer.queue.opened()
            synchronizer.rate = 1
            old.change(to: .lost(reason: "unplugged"))
            machine.output(ScriptedDevices.sink("desk"))?.change(to: .lost(reason: "unplugged"))
            await notes.reached(3)
        }
        #expect(
            notes.list == [
                "other This computer → headset 0.0", "other headset → desk 0.0",
                "lost desk → This computer 0.0",
            ])
    }
}
