import AVFoundation

/// One of the sample programs, driven as its user would.
@MainActor
protocol AppCommands: Sendable {
    func perform(_ command: String, _ rest: String) async throws
}

@MainActor
enum AppUnderTest {
    nonisolated static let names = "player, simple, buffering, seeking, queue or seeks"

    static func make(_ name: String, _ files: [URL]) async throws -> any AppCommands {
        switch name {
        case "player": PlayerCommands(files)
        case "simple": SimpleCommands(files)
        case "buffering": BufferingCommands(try await Takes(files))
        case "seeking": SeekingCommands(try await Takes(files))
        case "queue": try await QueueCommands(files)
        case "seeks": try FullRendererSeeks()
        default: throw UsageError("no app \(name): say \(names)")
        }
    }
}

func seconds(_ text: String) throws -> CMTime {
    guard let seconds = Double(text) else { throw UsageError("'\(text)' are no seconds") }
    return CMTime(seconds: seconds, preferredTimescale: 44_100)
}

/// Makes a location of a path or an address.
func url(_ text: String) -> URL {
    if text.contains("://"), let url = URL(string: text) { return url }
    return URL(fileURLWithPath: text)
}

private func unknown(_ command: String) -> UsageError { UsageError("no command \(command)") }

/// 01. `start`, `stop`, `skip`, `jump SECONDS`, `remove NUMBER`: of the current queue, the current item being 1.
private struct SimpleCommands: AppCommands {
    private let app: SimplePlayer

    init(_ files: [URL]) {
        app = SimplePlayer(urls: files)
        app.player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 4), queue: .main) {
            [app] time in
            report("progress", ["position": time.seconds, "left": app.player.items().count])
        }
    }

    func perform(_ command: String, _ rest: String) async throws {
        switch command {
        case "start": app.start()
        case "stop": app.stop()
        case "skip": app.skip()
        case "jump": report("jumped", ["done": await app.jumpAndWait(to: try seconds(rest).seconds)])
        case "remove":
            guard let number = Int(rest), app.player.items().indices.contains(number - 1) else {
                throw UsageError("remove NUMBER")
            }
            app.player.remove(app.player.items()[number - 1])
        default: throw unknown(command)
        }
    }
}

/// 03. `start`, `pause`.
private struct BufferingCommands: AppCommands {
    private let player: FlexibleBufferingPlayer

    init(_ takes: Takes) {
        takes.prepare(at: .zero)
        player = FlexibleBufferingPlayer(source: takes)
        player.observeProgress { report("progress", ["position": $0.seconds]) }
    }

    func perform(_ command: String, _ rest: String) throws {
        switch command {
        case "start": player.start()
        case "pause": player.pause()
        default: throw unknown(command)
        }
    }
}

/// 04. `jump SECONDS`, `replace SECONDS`, `replace-and-wait SECONDS`: each continues with the next file.
private struct SeekingCommands: AppCommands {
    private let player: SeekingPlayer
    private let takes: Takes

    init(_ takes: Takes) {
        self.takes = takes
        player = SeekingPlayer(source: takes)
    }

    func perform(_ command: String, _ rest: String) async throws {
        let time = try seconds(rest)
        switch command {
        case "jump": player.jump(to: time)
        case "replace": player.replace(from: time)
        case "replace-and-wait":
            let isDone = await player.replaceAndWait(from: time)
            report("flushed", ["done": isDone])
        case "start":
            takes.prepare(at: time)
            player.startWhenPrerolled(at: time)
        default: throw unknown(command)
        }
    }
}

/// 05. `play`, `remove ID`: the files' ids count from 1.
private struct QueueCommands: AppCommands {
    private let player = PlayQueue()
    private let entries: [QueueEntry]

    init(_ files: [URL]) async throws {
        var entries: [QueueEntry] = []
        for (index, file) in files.enumerated() {
            let source = AssetSource(url: file)
            let duration = try await source.load()
            entries.append(
                QueueEntry(id: index + 1, duration: duration) {
                    source.prepare(at: .zero)
                    return source
                })
        }
        self.entries = entries
    }

    func perform(_ command: String, _ rest: String) throws {
        switch command {
        case "play": player.play(entries)
        case "remove":
            guard let id = Int(rest) else { throw UsageError("remove ID") }
            player.remove(id: id)
        default: throw unknown(command)
        }
    }
}
