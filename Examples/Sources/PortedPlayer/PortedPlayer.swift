// A player from iOS with a terminal in place of its screen: PortedPlayer FILE|URL...
import AVKit
import Playback

@main @MainActor
struct PortedPlayer {
    static func main() async throws {
        let model = PlayerModel()
        let bar = PlayerBar(model)
        model.onChange = {
            print(model.isPlaying ? "playing" : model.isWaiting ? "waiting" : "paused", model.title)
        }

        try model.activateSession()
        model.play(CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) })

        print("p: play or pause, r: rooms, q: quit")
        while let key = await nextLine(), key != "q" {
            switch key {
            case "p": bar.playButton.sendActions(for: .touchUpInside)
            case "r": try await bar.routeButton.tuttiPresentRoutes()
            default: break
            }
        }
        await RouteCatalogue.shared.deselect()
    }

    private static func nextLine() async -> String? {
        await withCheckedContinuation { line in
            DispatchQueue.global().async { line.resume(returning: readLine()) }
        }
    }
}
