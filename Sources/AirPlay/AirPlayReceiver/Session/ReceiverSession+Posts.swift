import AirPlayMessages
import TuttiRTSP

extension ReceiverSession {
    mutating func get(_ request: RTSPRequest, _ context: Context) {
        // Every form of the request gets the whole description: `/info?txtAirPlay`, and with a body that asks
        // for the TXT record alone.
        guard request.path == "/info" else { return answer(.notFound) }
        answer(RTSPResponse(context.info()))
    }

    mutating func post(_ request: RTSPRequest, _ context: Context) {
        switch request.path {
        case "/pair-setup", "/pair-verify", "/pair-pin-start", "/pair-add", "/pair-remove", "/pair-list":
            outputs += gate.pair(request, at: context.now)
        case "/feedback": feedback(context)
        case "/command": command(request)
        case "/audioMode", "/configure":
            guard (try? PropertyList(parsing: request.body)) != nil else { return answer(.badRequest) }
            answer(request.path == "/configure" ? .settings(context.info()) : RTSPResponse())
        default: answer(.notFound)
        }
    }

    /// Answers feedback; with an empty body while nothing plays, as *observed*.
    private mutating func feedback(_ context: Context) {
        guard let audio, isPlaying else { return answer() }
        let rate = context.status?.sampleRate.map { Double($0.hertz) } ?? 0
        answer(RTSPResponse(FeedbackResponse(streams: [.init(kind: audio.kind, sampleRate: rate)])))
    }

    private mutating func command(_ request: RTSPRequest) {
        guard let list = try? PropertyList(parsing: request.body) else { return answer(.badRequest) }
        for event in NowPlayingCommand(propertyList: list)?.events ?? [] { emit(.event(event)) }
        answer()
    }
}
