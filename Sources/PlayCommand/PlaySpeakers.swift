import AirPlaySender
import Playback

/// The speakers of a play while it runs: who joins and leaves, and each one's volume and delay.
///
/// Carries out one request after the other. A name takes up to seconds to find on the network; playback goes on
/// meanwhile. A request that fails is a warning, and changes nothing.
final class PlaySpeakers: Sendable {
    private let options: SpeakerOptions
    /// Finds the speakers that a name or an address stands for.
    private let find: @Sendable (String) async throws -> [SpeakerTarget]
    private let report: any PlayReport
    private let requests: AsyncStream<SpeakerRequest>
    private let inbox: AsyncStream<SpeakerRequest>.Continuation

    /// The requests that may wait; beyond it the newest are dropped.
    private static let limit = 256

    init(
        options: SpeakerOptions, report: any PlayReport,
        find: @escaping @Sendable (String) async throws -> [SpeakerTarget]
    ) {
        (self.options, self.report, self.find) = (options, report, find)
        (requests, inbox) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.limit))
    }

    /// Takes a request; any thread.
    func perform(_ request: SpeakerRequest) {
        if case .dropped = inbox.yield(request) {
            report.warn("busy", "too many commands for speakers wait already; this one is dropped")
        }
    }

    /// Carries out the requests until the task is cancelled.
    func run() async {
        for await request in requests { await carryOut(request) }
    }

    private func carryOut(_ request: SpeakerRequest) async {
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
        guard case SpeakerLookupError.notFound = error else { return "\(error)" }
        return "\(error). Is it switched on? `tutti speakers` lists the names"
    }
}
