import Foundation
import Playback
import Testing
import TuttiTestMedia
import TuttiTestSupport

@testable import AVFoundation
@testable import MediaPlayer

@Suite("Now-playing sessions", .timeLimit(.minutes(10)))
struct MPNowPlayingSessionTests {
    private final class Delegate: NSObject, MPNowPlayingSessionDelegate, Sendable {
        let changes = Recorder<[String]>([])

        func nowPlayingSessionDidChangeActive(_ session: MPNowPlayingSession) {
            changes.update { $0.append("active \(session.isActive)") }
        }
        func nowPlayingSessionDidChangeCanBecomeActive(_ session: MPNowPlayingSession) {
            changes.update { $0.append("can \(session.canBecomeActive)") }
        }
    }

    private final class Display: NowPlayingSurface {
        let shown = Recorder<[NowPlayingSnapshot]>([])
        func show(_ snapshot: NowPlayingSnapshot) { shown.update { $0.append(snapshot) } }
        func enable(_ commands: RemoteCommandSet) {}
    }

    let stage = CommandStage()
    let registry = NowPlayingSessions()
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func player(_ name: String = "a.wav") throws -> AVPlayer {
        let player = AVPlayer(queue: RenderQueue(route: SilentRoute()))
        try MediaFile.kind(name).write(Signal.sweep(frameCount: 44_100 * 3), to: folder.file(name))
        player.replaceCurrentItem(with: AVPlayerItem(url: URL(fileURLWithPath: folder.file(name))))
        return player
    }

    private func session(_ players: AVPlayer...) -> MPNowPlayingSession {
        MPNowPlayingSession(players: players, hub: stage.hub, registry: registry, clock: stage.clock)
    }

    @Test("an active session publishes and handles commands in place of the program's centers")
    func activity() async throws {
        let player = try player()
        let session = session(player)
        let delegate = Delegate()
        session.delegate = delegate
        stage.info.nowPlayingInfo = [MPMediaItemPropertyTitle: "program"]
        session.nowPlayingInfoCenter.nowPlayingInfo = [MPMediaItemPropertyTitle: "session"]
        let display = Display()
        stage.hub.attach(display)
        let pressed = Recorder<[String]>([])
        session.remoteCommandCenter.pauseCommand.addTarget { _ in
            pressed.update { $0.append("session") }
            return .success
        }
        stage.center.pauseCommand.addTarget { _ in
            pressed.update { $0.append("program") }
            return .success
        }
        #expect(!session.isActive && session.canBecomeActive && session.players == [player])
        let origin = RemoteCommandOrigin(surface: "test")
        #expect(await stage.hub.send(.pause, from: origin) == .success)
        #expect(await session.becomeActiveIfPossible())
        #expect(session.isActive)
        #expect(await stage.hub.send(.pause, from: origin) == .success)
        #expect(pressed.value == ["program", "session"])
        _ = try await display.shown.wait(for: "the session") { $0.last?.title == "session" ? 1 : nil }
        _ = try await delegate.changes.wait(for: "the delegate") {
            $0.contains("active true") ? 1 : nil
        }
        session.removePlayer(player)
        #expect(!session.canBecomeActive && session.players.isEmpty)
        _ = try await delegate.changes.wait(for: "the delegate") { $0.contains("can false") ? 1 : nil }
        stage.hub.detach(display)
    }

    @Test(
        "a session without an item does not become active, and a deallocated one leaves the program's centers active",
        .timeLimit(.minutes(1)))
    func ends() async throws {
        let empty = session(AVPlayer(queue: RenderQueue(route: SilentRoute())))
        #expect(await !empty.becomeActiveIfPossible())
        var session: MPNowPlayingSession? = session(try player())
        #expect(await session?.becomeActiveIfPossible() == true)
        #expect(stage.hub.activeSource != .program)
        session = nil
        // The delegate's call on the main queue, or a player notification, may delay it for a moment.
        while stage.hub.activeSource != .program { await Task.yield() }
    }

    @Test("a player that starts makes its session active, unless another active session plays")
    func takesOver() throws {
        let (first, second) = (try player("a.wav"), try player("b.wav"))
        let (one, two) = (session(first), session(second))
        first.play()
        #expect(one.isActive && !two.isActive)
        second.play()
        #expect(one.isActive && !two.isActive)
        first.pause()
        second.pause()
        second.play()
        #expect(!one.isActive && two.isActive)
        first.pause()
        second.pause()
    }

    @Test("automatic publishing uses the item's metadata, overridden by the program's, and the position")
    func automatic() async throws {
        let player = try player()
        let session = session(player)
        session.automaticallyPublishesNowPlayingInfo = true
        player.currentItem?.nowPlayingInfo = [
            MPMediaItemPropertyTitle: "Title", MPMediaItemPropertyArtist: "Artist",
        ]
        let display = Display()
        stage.hub.attach(display)
        player.play()
        let shown = try await display.shown.wait(for: "the item") { all in
            all.last { $0.title == "Title" && $0.duration != nil && $0.state == .playing }
        }
        #expect(shown.artist == "Artist" && shown.rate == 1 && shown.elapsed != nil)
        #expect(abs((shown.duration ?? 0) - 3) < 0.01)
        player.pause()
        _ = try await display.shown.wait(for: "the pause") { $0.last?.state == .paused ? 1 : nil }
        player.currentItem?.nowPlayingInfo = [MPMediaItemPropertyTitle: "Other"]
        _ = try await display.shown.wait(for: "the change") { $0.last?.title == "Other" ? 1 : nil }
        player.replaceCurrentItem(with: nil)
        _ = try await display.shown.wait(for: "nothing") { $0.last?.isEmpty == true ? 1 : nil }
        stage.hub.detach(display)
    }
}
