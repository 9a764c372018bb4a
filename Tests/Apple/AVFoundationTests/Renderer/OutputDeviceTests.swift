import Foundation
import Testing
import TuttiAudioOutput

@testable import AVFoundation
@testable import Playback

@Suite("A renderer on one local device")
struct OutputDeviceTests {
    let machine = ScriptedDevices(sinks: ["headset", "desk"])
    let catalogue: RouteCatalogue
    let renderer: AVSampleBufferAudioRenderer

    init() {
        catalogue = machine.catalogue()
        renderer = AVSampleBufferAudioRenderer(queue: catalogue.makeQueue(), of: catalogue)
    }

    /// Returns the error's message, once the renderer has failed.
    private func failure(after body: () -> Void) async -> AVError? {
        let notes = Notes()
        let observation = renderer.observe(\.status) { renderer, _ in
            if renderer.status == .failed { notes.note("failed") }
        }
        body()
        await notes.reached(1)
        observation.invalidate()
        return renderer.error as? AVError
    }

    @Test("the renderer plays on its device, whatever route is selected, until it returns to the route")
    func bound() async throws {
        #expect(renderer.audioOutputDeviceUniqueID == nil)
        await renderer.queue.opened()
        renderer.audioOutputDeviceUniqueID = "pulse:desk"
        await renderer.queue.opened()
        #expect(renderer.audioOutputDeviceUniqueID == "pulse:desk" && renderer.status == .unknown)
        let route = renderer.queue.route
        try await catalogue.choose(["pulse:headset"])
        catalogue.selectNothing()
        #expect(renderer.queue.route === route)
        #expect(machine.opened == [ScriptedDevices.standard, ScriptedDevices.sink("desk")])
        renderer.audioOutputDeviceUniqueID = nil
        #expect(renderer.queue.route is SilentRoute)
    }

    @Test("another renderer stays on the route")
    func other() async throws {
        let other = AVSampleBufferAudioRenderer(queue: catalogue.makeQueue(), of: catalogue)
        renderer.audioOutputDeviceUniqueID = "pulse:desk"
        catalogue.selectNothing()
        #expect(other.queue.route is SilentRoute && !(renderer.queue.route is SilentRoute))
    }

    @Test("a sink plugged in meanwhile is found")
    func pluggedIn() async throws {
        await renderer.queue.opened()
        machine.setSinks(["new"])
        renderer.audioOutputDeviceUniqueID = "pulse:new"
        await renderer.queue.opened()
        #expect(machine.opened.last == ScriptedDevices.sink("new") && renderer.status == .unknown)
    }

    @Test("an unknown device id fails and is named; data enqueued after a flush fails, too")
    func unknown() async throws {
        let error = try #require(await failure { renderer.audioOutputDeviceUniqueID = "pulse:attic" })
        #expect(error.localizedDescription.contains("pulse:attic"))
        #expect(!renderer.isReadyForMoreMediaData)
        renderer.flush()
        #expect(renderer.status == .unknown)
        let buffer = try SilentSound.buffer(second: 0)
        #expect(await failure { renderer.enqueue(buffer) } == error)
        renderer.audioOutputDeviceUniqueID = nil
        renderer.flush()
        renderer.enqueue(buffer)
        await renderer.queue.opened()
        #expect(renderer.status == .rendering && renderer.error == nil)
    }

    @Test("a lost device fails the renderer")
    func lost() async throws {
        renderer.audioOutputDeviceUniqueID = "pulse:desk"
        await renderer.queue.opened()
        let error = try #require(
            await failure {
                machine.output(ScriptedDevices.sink("desk"))?.change(to: .lost(reason: "unplugged"))
            })
        #expect(error.localizedDescription.contains("pulse:desk"))
        // The program's route is unaffected.
        #expect(catalogue.options.filter(\.isSelected).map(\.id) == ["local"])
    }
}
