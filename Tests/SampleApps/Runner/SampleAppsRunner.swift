import AVFoundation
import Playback

/// The sample programs on real outputs: SampleAppsRunner APP FILE..., where APP is one of `AppUnderTest.names`.
/// `player` also takes addresses, and none at all; `seeks` takes none. `endless ADDRESS HOURS` is ``EndlessStream``,
/// `clock ADDRESS` ``LeadingClock``.
///
/// Commands are lines on standard input, events are lines of JSON on standard output.
///
///     to OUTPUT[,OUTPUT]    plays on outputs by name: `local`, or speakers' names
///     volume PERCENT OUTPUT
///     publish TITLE|ARTIST|ELAPSED|DURATION[|PICTURE]    through MPNowPlayingInfoCenter; PICTURE is a file
///     unpublish
///     quit
///
/// All other commands are the app's own.
@main
struct SampleAppsRunner {
    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            report("error", ["message": "\(error)"])
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        guard let name = arguments.first, arguments.count > 1 || name == "player" || name == "seeks" else {
            throw UsageError("usage: SampleAppsRunner APP FILE..., APP being \(AppUnderTest.names)")
        }
        if name == "endless", arguments.count == 3, let hours = Int(arguments[2]) {
            return try await EndlessStream.run(arguments[1], hours: hours)
        }
        if name == "clock", arguments.count == 2 { return try await LeadingClock.run(arguments[1]) }
        // A long-form policy, as players of music have it: it lets speakers buffer minutes.
        try AVAudioSession.sharedInstance().setCategory(.playback, mode: .default, policy: .longFormAudio)
        let app = try await AppUnderTest.make(name, arguments.dropFirst().map(url))
        let outputs = Outputs()
        let telling = [Task { await outputs.tellEvents() }, Task { await outputs.tellDepths() }]
        NowPlaying.listen()
        report("ready")
        for await line in lines() {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            let rest = words.count > 1 ? words[1] : ""
            switch words.first ?? "" {
            case "to": try await outputs.choose(rest.split(separator: ",").map(String.init))
            case "volume": try outputs.setVolume(rest)
            case "publish": try NowPlaying.publish(rest)
            case "unpublish": NowPlaying.clear()
            case "quit": return await end(telling)
            case let word: try await app.perform(word, rest)
            }
        }
        await end(telling)
    }

    /// Reads the lines of standard input, each without its end.
    ///
    /// Not `readLine()`: it waits inside of C's `stdin` with its lock held, and from glibc 2.41 on `exit` waits for that lock,
    /// so that the program would never end (*observed* on Debian 13).
    private static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            DispatchQueue.global().async {
                var rest = Data()
                while case let piece = FileHandle.standardInput.availableData, !piece.isEmpty {
                    rest += piece
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                        rest = Data(rest[rest.index(after: end)...])
                    }
                }
                continuation.finish()
            }
        }
    }

    private static func end(_ telling: [Task<Void, Never>]) async {
        for task in telling { task.cancel() }
        await RouteCatalogue.shared.deselect()
        report("ended")
    }
}

struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Prints a line of JSON immediately. Any thread.
func report(_ event: String, _ facts: [String: Any] = [:]) {
    let all = facts.merging(["event": event]) { first, _ in first }
    guard var line = try? JSONSerialization.data(withJSONObject: all, options: .sortedKeys) else { return }
    line.append(UInt8(ascii: "\n"))
    FileHandle.standardOutput.write(line)
}
