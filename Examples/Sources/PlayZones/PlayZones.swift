// Plays different files in several rooms at the same time: PlayZones FILE ROOM [FILE ROOM]...
import AVFoundation
import AirPlaySender
import Playback

@main
struct PlayZones {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard !arguments.isEmpty, arguments.count.isMultiple(of: 2) else {
            return print("usage: PlayZones FILE ROOM [FILE ROOM]...; the room 'local' is this machine")
        }
        var players: [AVPlayer] = []
        do {
            for index in stride(from: 0, to: arguments.count, by: 2) {
                players.append(try await makePlayer(of: arguments[index], in: arguments[index + 1]))
            }
            try await play(players)
        } catch {
            print(error)
        }
        for player in players { await player.tuttiRoutes.deselect() }
    }

    /// Makes a zone of one room, and the player of what is heard there.
    static func makePlayer(of file: String, in room: String) async throws -> AVPlayer {
        let routes = RouteCatalogue.shared.makeSelection()
        await routes.setSpeakers(try await routes.targets(for: [room]))
        let player = AVPlayer(tuttiRoutes: routes)
        player.replaceCurrentItem(with: AVPlayerItem(url: URL(fileURLWithPath: file)))
        return player
    }

    /// Plays in all zones; after ten seconds the first one becomes quieter, and then pauses. The others play on untouched.
    static func play(_ players: [AVPlayer]) async throws {
        let troubles = players.map { player in Task { await printTroubles(of: player.tuttiRoutes) } }
        defer { for task in troubles { task.cancel() } }
        for player in players { player.play() }
        try await Task.sleep(for: .seconds(10))
        players[0].tuttiRoutes.setVolume(15)
        try await Task.sleep(for: .seconds(5))
        players[0].pause()
        try await Task.sleep(for: .seconds(5))
    }

    static func printTroubles(of routes: RouteCatalogue) async {
        for await case .speaker(.state(let speaker, .lost(let failure))) in routes.events {
            print(speaker, failure.message)
        }
    }
}
