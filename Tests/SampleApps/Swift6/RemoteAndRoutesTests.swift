import AVFoundation
import AVKit
import MediaPlayer
import Playback
import Testing
import TuttiRouteTestSupport
import TuttiTestMedia
import TuttiTestSupport

@Suite("Program 07: commands, now playing, and routes", .timeLimit(.minutes(10)))
struct RemoteAndRoutesTests {
    private func press(_ command: RemoteCommand) async -> RemoteCommandOutcome {
        await NowPlayingHub.shared.send(command, from: RemoteCommandOrigin(surface: "test"))
    }

    @Test("commands reach the program's player, and its handlers can be removed")
    @MainActor func commands() async throws {
        try await WholeProcess.alone {
            let folder = try TestFolder()
            _ = SharedCatalogue.isSilent
            let player = AVPlayer(url: try folder.silence(seconds: 70))
            try await player.readyToPlay()
            let remote = RemoteControl(player: player)
            remote.install()
            #expect(await press(.play) == .success)
            #expect(player.rate == 1)
            #expect(await press(.togglePlayPause) == .success)
            #expect(player.rate == 0)
            // It played for as long as the commands took.
            let played = player.currentTime().seconds
            #expect(await press(.skipForward(seconds: nil)) == .success)
            #expect(abs(player.currentTime().seconds - min(played + 15, 70)) < 0.5)
            #expect(await press(.nextTrack) == .unsupported)
            #expect(await press(.changePosition(seconds: 61.5)) == .success)
            #expect(player.currentTime().seconds == 61.5)
            // The handler of the position also published.
            let shown = NowPlayingDisplay()
            NowPlayingHub.shared.attach(shown)
            let snapshot = try await shown.news.wait(for: "what was published") {
                $0.last { $0.title == "seek" }
            }
            NowPlayingHub.shared.detach(shown)
            #expect(snapshot.artist == "Nobody" && snapshot.duration == 70 && snapshot.elapsed == 61.5)
            #expect(snapshot.rate == 0 && snapshot.mediaKind == .audio)
            remote.remove()
            #expect(await press(.play) == .unsupported)
            MPNowPlayingInfoCenter.default().nowPlayingInfo = nil
        }
    }

    @Test("the route button appears with the second output, and opens the list")
    @MainActor func routes() async throws {
        try await WholeProcess.alone {
            let old = (CurrentRoutes.shared, TuttiRoutePicker.presenter)
            defer { (CurrentRoutes.shared, TuttiRoutePicker.presenter) = old }
            let routes = FakeRoutes([FakeRoutes.machine])
            let list = RouteList()
            (CurrentRoutes.shared, TuttiRoutePicker.presenter) = (routes, list)
            let controller = RouteController()
            #expect(controller.picker.isHidden)
            routes.set([FakeRoutes.machine, FakeRoutes.kitchen])
            // The program hears of it on the main queue.
            while controller.picker.isHidden { await Task.yield() }
            try await controller.picker.tuttiPresentRoutes()
            #expect(routes.log.value.choices == [["k"]])
            #expect(controller.describeRoute().contains("latency"))
        }
    }
}

/// Chooses the first speaker there is.
@MainActor
private final class RouteList: TuttiRoutePresenter {
    func presentRoutes(_ session: TuttiRouteSession, from view: UIView?) async throws(RouteError) {
        guard let speaker = session.routes.first(where: { $0.kind == .airPlay }) else { return }
        try await session.select([speaker.id])
    }

    func password(for route: TuttiRoute) async -> String? { nil }
}

private final class NowPlayingDisplay: NowPlayingSurface {
    let news = Recorder<[NowPlayingSnapshot]>([])

    func show(_ snapshot: NowPlayingSnapshot) { news.update { $0.append(snapshot) } }
    func enable(_ commands: RemoteCommandSet) {}
}
