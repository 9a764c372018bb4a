// Plays files, addresses and playlists in one room, and prints what the player and the speaker do:
// ShowPlayback ROOM FILE|URL|PLAYLIST...
import AirPlaySender
import AVFoundation
import Playback

@main
struct ShowPlayback {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let room = arguments.first, arguments.count > 1 else {
            return print("usage: ShowPlayback ROOM FILE|URL|PLAYLIST...")
        }
        try AVAudioSession.sharedInstance().setCategory(.playback, mode: .default, policy: .longFormAudio)
        let speakers = try await RouteCatalogue.shared.targets(for: [room])
        RouteCatalogue.shared.select(speakers)
        let route = Task { await printRoute() }

        let player = AVQueuePlayer(items: [])
        let watch = PlayerWatch(player)
        for entry in try arguments.dropFirst().flatMap(entries) {
            let item = AVPlayerItem(tuttiLocation: entry.location)
            watch.follow(item, title: entry.title)
            player.tuttiInsert(item, after: nil)
        }
        player.play()
        while player.currentItem != nil {
            try await Task.sleep(for: .seconds(5))
            for depth in await RouteCatalogue.shared.depths() {
                print("\(depth.speaker) holds \(Int(depth.secondsAhead)) s")
            }
        }
        withExtendedLifetime(watch) {}
        route.cancel()
        await RouteCatalogue.shared.deselect()
    }

    private static func entries(_ location: String) throws -> [TuttiPlaylist.Entry] {
        guard TuttiPlaylist.isPlaylist(location), let list = try TuttiPlaylist.read(location) else {
            return [TuttiPlaylist.Entry(location: location)]
        }
        return list.entries
    }

    /// Prints what is sent and why, and the state of each speaker and its clock.
    private static func printRoute() async {
        for await event in RouteCatalogue.shared.events {
            switch event {
            case .format(let choice):
                print(
                    "sending \(choice.format)\(choice.passesThrough ? " untouched" : ""): \(choice.reason)")
            case .speaker(.opened(let name, let address, let receiver, _)):
                print("\(name) is a \(receiver.model ?? "speaker") at \(address)")
            case .speaker(.state(let name, .lost(let failure))): print("\(name): \(failure.message)")
            case .speaker(.state(let name, let state)): print("\(name): \(state)")
            case .speaker(.clock(let name, let state)): print("\(name): clock \(state)")
            case .speaker(.warning(let name, _, let message)): print("\(name): \(message)")
            case .outputMissing(let error): print(error)
            case .speaker, .volume, .settingsWarning, .outputFound: break
            }
        }
    }
}
