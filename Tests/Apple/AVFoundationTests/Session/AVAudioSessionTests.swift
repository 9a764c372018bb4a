import Foundation
import Testing
import TuttiSystemIO
import TuttiTestSupport

@testable import AVFoundation
@testable import Playback

@Suite("The audio session")
struct AVAudioSessionTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("session-\(UUID().uuidString)")
    let catalogue: RouteCatalogue
    let session: AVAudioSession

    init() {
        catalogue = RouteCatalogue(
            memory: RouteMemory(environment: ["XDG_STATE_HOME": folder.path], machine: SystemMachine()),
            pairings: SpeakerPairings(), machine: SystemMachine())
        catalogue.selectNothing()
        session = AVAudioSession(catalogue: catalogue)
    }

    @Test("defaults match Apple's")
    func beginning() {
        #expect(session.category == .soloAmbient && session.mode == .default)
        #expect(session.routeSharingPolicy == .default && session.categoryOptions == [])
    }

    @Test(
        "a long-form policy needs the playback category and a fitting mode",
        arguments: [
            (.playback, .default, true), (.playback, .spokenAudio, true), (.playback, .moviePlayback, true),
            (.playback, .measurement, false), (.ambient, .default, false), (.playAndRecord, .default, false),
        ] as [(AVAudioSession.Category, AVAudioSession.Mode, Bool)])
    func longForm(category: AVAudioSession.Category, mode: AVAudioSession.Mode, isAllowed: Bool) throws {
        for policy in [AVAudioSession.RouteSharingPolicy.longFormAudio, .longFormVideo] {
            if isAllowed {
                try session.setCategory(category, mode: mode, policy: policy, options: [.mixWithOthers])
                #expect(session.routeSharingPolicy == policy && session.categoryOptions == .mixWithOthers)
                continue
            }
            let error = try #require(throws: NSError.self) {
                try session.setCategory(category, mode: mode, policy: policy)
            }
            #expect(error.domain == NSOSStatusErrorDomain)
            #expect(session.category == .soloAmbient && session.routeSharingPolicy == .default)
        }
        try session.setCategory(category, mode: mode)
        #expect(session.routeSharingPolicy == .default)
    }

    @Test("a mode that the policy does not allow changes nothing")
    func mode() throws {
        try session.setCategory(.playback, mode: .default, policy: .longFormAudio)
        #expect(throws: NSError.self) { try session.setMode(.measurement) }
        #expect(session.mode == .default)
        try session.setMode(.spokenAudio)
        #expect(session.mode == .spokenAudio && session.routeSharingPolicy == .longFormAudio)
    }

    @Test("a route change is reported when it is in effect, with the previous route")
    func routeChange() async throws {
        let notes = Recorder<[(reason: UInt?, before: [String], now: [String])]>([])
        let token = NotificationCenter.default.addObserver(
            forName: AVAudioSession.routeChangeNotification, object: session, queue: nil
        ) { [session] note in
            let before =
                note.userInfo?[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription
            notes.update {
                $0.append(
                    (
                        note.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt,
                        before?.outputs.map(\.portName) ?? [], session.currentRoute.outputs.map(\.portName)
                    ))
            }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        catalogue.setLocalOutput(.init(.null))
        let told = try await notes.wait(for: "the change") { $0.isEmpty ? nil : $0 }
        #expect(told.count == 1)
        #expect(told.first?.reason == AVAudioSession.RouteChangeReason.override.rawValue)
        #expect(told.first?.before == [] && told.first?.now == ["null"])
        #expect(session.currentRoute.outputs.first?.portType == .virtual)
    }

    @Test("a session deactivated during playback pauses it and reports so")
    func inactive() throws {
        let renderer = AVSampleBufferAudioRenderer(queue: catalogue.makeQueue())
        let synchronizer = AVSampleBufferRenderSynchronizer()
        synchronizer.addRenderer(renderer)
        try session.setActive(true)
        try session.setActive(false)
        synchronizer.rate = 1
        let error = try #require(throws: NSError.self) { try session.setActive(false) }
        #expect(error.code == AVAudioSession.ErrorCode.isBusy.rawValue)
        #expect(synchronizer.rate == 0)
        try session.setActive(false)
    }

    @Test(
        "speakers selected for long-form audio are remembered for the user's other programs, without passwords"
    )
    func memory() throws {
        let memory = RouteMemory(environment: ["XDG_STATE_HOME": folder.path], machine: SystemMachine())
        #expect(memory.read().isEmpty)
        let speaker = RouteMemory.Speaker(
            id: "02:00:00:00:00:01", name: "Kitchen", endpoints: [.init(address: "10.0.0.7", port: 7000)])
        memory.write([speaker])
        #expect(memory.read() == [speaker])
        let mode = try FileManager.default.attributesOfItem(atPath: memory.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        for text in ["", "{", "[1]", String(repeating: "[", count: 70_000)] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: memory.path))
            #expect(memory.read().isEmpty)
        }
        try FileManager.default.removeItem(at: folder)
    }

    @Test("a selection among outputs takes effect")
    func choosing() async throws {
        await #expect(throws: RouteError.self) { try await catalogue.choose([]) }
        await #expect(throws: RouteError.self) { try await catalogue.choose(["Nowhere"]) }
        await #expect(throws: RouteError.self) {
            try await catalogue.choose([RouteCatalogue.localID, "Kitchen"])
        }
        try await catalogue.choose([RouteCatalogue.localID])
        #expect(catalogue.options.filter(\.isSelected).map(\.id) == [RouteCatalogue.localID])
        #expect(await session.prepareRouteSelectionForPlayback() == (true, .local))
    }
}
