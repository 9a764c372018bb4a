// Plays a file in one room, lets a second room join, and tells what the speakers do:
// ChooseRooms FILE ROOM [ROOM]
import AirPlaySender
import AVFoundation
import Playback

@main
struct ChooseRooms {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let file = arguments.first, arguments.count > 1 else {
            print("usage: ChooseRooms FILE ROOM [ROOM]; found now:")
            return await printOutputs()
        }
        try AVAudioSession.sharedInstance().setCategory(.playback, mode: .default, policy: .longFormAudio)
        let rooms = arguments.dropFirst()
        let events = Task { await printEvents() }

        try await select(rooms.first ?? "")
        let player = AVPlayer(url: URL(fileURLWithPath: file))
        player.play()
        try await Task.sleep(for: .seconds(10))

        for room in rooms.dropFirst() { try await join(room) }
        await printDepths()
        try await Task.sleep(for: .seconds(10))

        events.cancel()
        await RouteCatalogue.shared.deselect()
    }

    /// Searches for three seconds and lists the outputs.
    static func printOutputs() async {
        let search = RouteCatalogue.shared.search()
        try? await Task.sleep(for: .seconds(3))
        for output in RouteCatalogue.shared.options {
            print(output.isSelected ? "*" : " ", output.name, output.kind, output.volume ?? "")
        }
        withExtendedLifetime(search) {}
    }

    static func select(_ room: String) async throws {
        var options = RouteCatalogue.Options()
        options.volume = 25
        let speakers = try await RouteCatalogue.shared.targets(for: [room])
        RouteCatalogue.shared.select(speakers, options: options)
    }

    static func join(_ room: String) async throws {
        let speakers = try await RouteCatalogue.shared.targets(for: [room])
        try await RouteCatalogue.shared.join(speakers)
        try RouteCatalogue.shared.setVolume(15, speaker: room)
    }

    static func printDepths() async {
        for depth in await RouteCatalogue.shared.depths() {
            print(depth.speaker, "holds \(Int(depth.secondsAhead)) s, volume", depth.volume ?? "unknown")
        }
    }

    static func printEvents() async {
        for await event in RouteCatalogue.shared.events {
            switch event {
            case .format(let choice): print("sending \(choice.format): \(choice.reason)")
            case .speaker(.state(let name, .lost(let failure))): print("\(name): \(failure.message)")
            case .speaker(.state(let name, let state)): print("\(name): \(state)")
            case .speaker(.warning(let name, _, let message)): print("\(name): \(message)")
            case .outputMissing(let error): print(error)
            default: break
            }
        }
    }
}
