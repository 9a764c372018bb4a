import AirPlaySender
import AVFoundation
import Playback

/// The outputs by their user-visible names.
struct Outputs: Sendable {
    private let catalogue = RouteCatalogue.shared
    private let search = RouteCatalogue.shared.search()

    /// Selects these outputs; waits until all of them are found.
    func choose(_ names: [String]) async throws {
        var ids: Set<RouteOption.ID> = []
        for name in names { ids.insert(try await id(of: name)) }
        try await catalogue.choose(ids)
        report("route", ["outputs": names])
    }

    func setVolume(_ text: String) throws {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2, let percent = Double(words[0]),
            let output = catalogue.options.first(where: { $0.name == words[1] })
        else { throw UsageError("volume PERCENT OUTPUT") }
        catalogue.setVolume(percent, of: output.id)
    }

    private func id(of name: String) async throws -> RouteOption.ID {
        let (changes, change) = AsyncStream<[RouteOption]>.makeStream()
        let observation = catalogue.observe { change.yield($0) }
        defer { withExtendedLifetime(observation) { change.finish() } }
        change.yield(catalogue.options)
        for await options in changes {
            if let option = options.first(where: { $0.name == name || $0.id == name }) { return option.id }
            report("awaited", ["output": name, "there": options.map(\.name)])
        }
        throw UsageError("no output \(name)")
    }

    func tellEvents() async {
        for await event in catalogue.events {
            switch event {
            // A speaker's record is longer than a line that is read.
            case .speaker(let event): report("speaker", ["text": String("\(event)".prefix(300))])
            case .format(let choice): report("format", ["text": "\(choice)"])
            case .outputMissing(let error): report("noOutput", ["text": "\(error)"])
            case .outputFound: report("outputFound")
            case .volume(let speaker, let percent):
                report("volume", ["speaker": speaker.name, "volume": percent])
            case .settingsWarning(let text): report("settings", ["text": text])
            }
        }
    }

    /// Prints how far ahead the speakers are filled, four times a second.
    func tellDepths() async {
        while (try? await Task.sleep(for: .milliseconds(250))) != nil {
            let depths = await catalogue.depths()
            guard !depths.isEmpty else { continue }
            report(
                "progress",
                ["ahead": depths.map { ["speaker": $0.speaker.name, "ahead": $0.secondsAhead] }])
        }
    }
}
