import AirPlaySender
import Playback

/// The speakers during playback: joining and leaving, and each speaker's volume and delay.
///
/// To find a name on the network can take seconds; playback continues meanwhile. A request that fails causes a warning
/// and changes nothing. ``RequestOrder`` keeps the requests in order.
final class PlaySpeakers: Sendable {
    private let options: SpeakerOptions
    /// Finds the speakers that a name or an address stands for.
    private let find: @Sendable (String) async throws -> [SpeakerTarget]
    private let report: any PlayReport

    init(
        options: SpeakerOptions, report: any PlayReport,
        find: @escaping @Sendable (String) async throws -> [SpeakerTarget]
    ) {
        (self.options, self.report, self.find) = (options, report, find)
    }

    /// Warns of options for speakers that are not on the network; they would have no effect even if commands let the
    /// speaker join later.
    func check(_ unmatched: [SpeakerOptions.Unmatched]) async {
        for entry in unmatched {
            do {
                _ = try await find(entry.name)
            } catch SpeakerLookupError.notFound where !Task.isCancelled {
                report.warn("unknown-speaker", entry.warning)
            } catch {
                // The speaker answers; whether it can be used shows when it joins.
            }
        }
    }

    /// Carries out a request.
    func perform(_ request: SpeakerRequest) async {
        let catalogue = RouteCatalogue.shared
        do {
            switch request {
            case .join(let name):
                var targets = try await find(name)
                _ = options.apply(to: &targets)
                try await catalogue.join(targets)
            case .leave(let name): try await catalogue.leave(name)
            case .volume(let percent, let name): try catalogue.setVolume(percent, speaker: name)
            case .delay(let delay, let name): try catalogue.setDelay(delay, speaker: name)
            }
        } catch {
            report.warn(PlayCommand.code(of: error), Self.words(error))
        }
    }

    static func words(_ error: any Error) -> String {
        switch error {
        case SpeakerLookupError.notFound: "\(error). Is it switched on? `tutti speakers` lists the names"
        case SpeakerLookupError.ambiguous: "\(error); name one by its id or its address"
        default: "\(error)"
        }
    }
}
