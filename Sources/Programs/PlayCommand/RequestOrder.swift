/// The requests that change speakers or volumes, carried out one after the other in the order given.
///
/// Finding a speaker by its name takes up to seconds, in which later requests of this kind wait; all other requests,
/// such as a pause, go to the player at once.
final class RequestOrder: Sendable {
    private let report: any PlayReport
    /// Returns when the request is carried out.
    private let carryOut: @Sendable (PlayRequest) async -> Void
    private let requests: AsyncStream<PlayRequest>
    private let inbox: AsyncStream<PlayRequest>.Continuation

    /// The limit of waiting requests; beyond it the newest are dropped.
    private static let limit = 256

    init(report: any PlayReport, carryOut: @escaping @Sendable (PlayRequest) async -> Void) {
        (self.report, self.carryOut) = (report, carryOut)
        (requests, inbox) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.limit))
    }

    /// Takes a request; any thread.
    func perform(_ request: PlayRequest) {
        if case .dropped = inbox.yield(request) {
            report.warn("busy", "too many commands for speakers wait already; this one is dropped")
        }
    }

    /// Carries out the requests until the task is cancelled.
    func run() async {
        for await request in requests { await carryOut(request) }
    }
}

extension PlayRequest {
    /// Whether the request changes speakers or volumes, so that its order among such requests matters.
    var concernsSpeakers: Bool {
        switch self {
        case .speaker, .volume, .louder: true
        default: false
        }
    }
}
