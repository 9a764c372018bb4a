import AirPlaySender
import Foundation
import Testing
import TuttiSystemIO
import TuttiTestSupport

@testable import AVFoundation
@testable import Playback

@Suite("Two players compete for one speaker group")
struct InterruptionTests {
    let catalogue: RouteCatalogue
    let session: AVAudioSession
    let older: RenderQueue
    let newer: RenderQueue
    let first = PlaybackTimeline(machine: SystemMachine())
    let second = PlaybackTimeline(machine: SystemMachine())
    let notes = Recorder<[(type: UInt?, option: UInt?)]>([])

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "turns-\(UUID().uuidString)")
        catalogue = RouteCatalogue(
            memory: RouteMemory(environment: ["XDG_STATE_HOME": folder.path], machine: SystemMachine()),
            pairings: SpeakerPairings(), machine: SystemMachine())
        catalogue.selectNothing()
        session = AVAudioSession(catalogue: catalogue)
        try session.setCategory(.playback, mode: .default, policy: .longFormAudio)
        var options = RouteCatalogue.Options()
        (options.clockPorts, options.localAddress) = ((0, 0), .loopbackV4)
        // No speaker exists; the test only checks which player has the turn.
        let target = SpeakerTarget(name: "Nobody", addresses: [SocketAddress(.loopbackV4, port: 9)])
        catalogue.select([target], options: options)
        (older, newer) = (catalogue.makeQueue(), catalogue.makeQueue())
        #expect(first.add(older) && second.add(newer))
    }

    private func listen() -> NSObjectProtocol {
        NotificationCenter.default.addObserver(
            forName: AVAudioSession.interruptionNotification, object: session, queue: nil
        ) { [notes] note in
            let type = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
            let option = note.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt
            notes.update { $0.append((type, option)) }
        }
    }

    @Test(
        "the newer player takes the speakers, the older one is interrupted and told; it may resume when the newer one stops"
    )
    func takeOver() async throws {
        let token = listen()
        defer { NotificationCenter.default.removeObserver(token) }
        first.setRate(1, time: .zero, hostTime: nil)
        #expect(older.route is PacketRoute)
        second.setRate(1, time: .zero, hostTime: nil)
        #expect(newer.route is PacketRoute && older.route is SilentRoute)
        #expect(first.rate == 0 && second.rate == 1)
        let began = try await notes.wait(for: "the beginning") { $0.first }
        #expect(began.type == AVAudioSession.InterruptionType.began.rawValue)
        second.setRate(0, time: .invalid, hostTime: nil)
        let last = try await notes.wait(for: "the end") { $0.count == 2 ? $0.last : nil }
        #expect(last.type == AVAudioSession.InterruptionType.ended.rawValue)
        #expect(last.option == AVAudioSession.InterruptionOptions.shouldResume.rawValue)
        // The turn returns without a notification, as nothing played.
        first.setRate(1, time: .invalid, hostTime: nil)
        #expect(older.route is PacketRoute && newer.route is SilentRoute)
        #expect(notes.value.count == 2)
        await catalogue.deselect()
    }

    @Test("audio that is not long-form plays on the local device beside it")
    func shortSounds() async throws {
        try session.setCategory(.ambient)
        let token = listen()
        defer { NotificationCenter.default.removeObserver(token) }
        first.setRate(1, time: .zero, hostTime: nil)
        second.setRate(1, time: .zero, hostTime: nil)
        #expect(first.rate == 1 && second.rate == 1)
        #expect(notes.value.isEmpty)
        await catalogue.deselect()
    }
}
