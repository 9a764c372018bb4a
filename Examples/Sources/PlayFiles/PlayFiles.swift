// Plays files and addresses without a gap between them: PlayFiles IP-ADDRESS FILE|URL...
import AVFoundation
import Playback
import Tones

@main
struct PlayFiles {
    static func main() async throws {
        // Long-form audio: a speaker may buffer minutes of music.
        try AVAudioSession.sharedInstance().setCategory(.playback, mode: .default, policy: .longFormAudio)
        guard Speaker.selectFromArguments() else { return }
        let troubles = Task { await Speaker.printTroubles() }

        let player = AVQueuePlayer(
            items: CommandLine.arguments.dropFirst(2).map { AVPlayerItem(url: url($0)) })
        let watching = player.observe(\.currentItem?.status, options: [.initial]) { player, _ in
            guard let item = player.currentItem else { return }
            switch item.status {
            case .unknown: break
            case .readyToPlay: print("playing \(item.duration.seconds) s")
            case .failed: print(item.error.map { "\($0)" } ?? "failed")
            }
        }
        player.play()
        await finished(player)

        watching.invalidate()
        troubles.cancel()
        await RouteCatalogue.shared.deselect()
    }

    private static func url(_ text: String) -> URL {
        text.contains("://") ? URL(string: text) ?? URL(fileURLWithPath: text) : URL(fileURLWithPath: text)
    }

    /// Returns when the last item has played.
    private static func finished(_ player: AVQueuePlayer) async {
        let (changes, change) = AsyncStream<Bool>.makeStream()
        let watching = player.observe(\.currentItem, options: [.initial]) { player, _ in
            change.yield(player.currentItem == nil)
        }
        for await isOver in changes where isOver { break }
        watching.invalidate()
    }
}
