// Plays files in the rooms that you choose, with a queue that you edit meanwhile: FirstPlayer FILE|URL...
import AVFoundation
import AVKit
import Playback

@main @MainActor
struct FirstPlayer {
    private let player = AVQueuePlayer(items: [])
    private let picker = AVRoutePickerView(frame: .zero)

    static func main() async throws {
        // Long-form audio: a speaker may hold minutes of it.
        try AVAudioSession.sharedInstance()
            .setCategory(.playback, mode: .default, policy: .longFormAudio)

        let program = FirstPlayer()
        let titles = program.printTitles()
        for file in CommandLine.arguments.dropFirst() { program.add(file) }
        program.player.play()

        print("rooms, pause, play, next, queue, add FILE, remove NUMBER, quit")
        while let line = await nextLine(), line != "quit" { await program.perform(line) }

        titles.invalidate()
        await RouteCatalogue.shared.deselect()
    }

    /// Prints each item's name when it begins to be heard.
    private func printTitles() -> NSKeyValueObservation {
        player.observe(\.currentItem) { player, _ in
            Task { @MainActor in print("now:", player.currentItem.map(name(of:)) ?? "nothing") }
        }
    }

    private func add(_ file: String) {
        let url = file.contains("://") ? URL(string: file) : URL(fileURLWithPath: file)
        if let url { player.insert(AVPlayerItem(url: url), after: nil) }
    }

    private func perform(_ line: String) async {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch words.first {
        case "rooms": await chooseRooms()
        case "pause": player.pause()
        case "play": player.play()
        case "next": player.advanceToNextItem()
        case "queue": for (number, item) in player.items().enumerated() { print(number, name(of: item)) }
        case "add": if let file = words.dropFirst().first { add(file) }
        case "remove": remove(Int(words.last ?? ""))
        default: print("no such command")
        }
    }

    private func chooseRooms() async {
        do { try await picker.tuttiPresentRoutes() } catch { print(error) }
    }

    private func remove(_ number: Int?) {
        guard let number, player.items().indices.contains(number) else { return print("no such number") }
        player.remove(player.items()[number])
    }
}

@MainActor
private func name(of item: AVPlayerItem) -> String {
    (item.asset as? AVURLAsset)?.url.lastPathComponent ?? "?"
}

/// Returns the next line that the user types; `nil` at the end of the input. The main thread stays free.
private func nextLine() async -> String? {
    await withCheckedContinuation { line in
        DispatchQueue.global().async { line.resume(returning: readLine()) }
    }
}
