internal import AirPlayMessages
internal import HomeKitPairing
internal import RTSP

extension ReceiverSession {
    mutating func get(_ request: RTSPRequest, _ context: Context) {
        // Every form of the request gets the whole description: `/info?txtAirPlay`, and with a body that asks
        // for the TXT record alone.
        guard request.path == "/info" else { return answer(.notFound) }
        answer(context.info())
    }

    mutating func post(_ request: RTSPRequest, _ context: Context) {
        switch request.path {
        case "/pair-setup", "/pair-verify", "/pair-pin-start", "/pair-add", "/pair-remove", "/pair-list":
            pair(request, context)
        case "/feedback": feedback(context)
        case "/command": command(request)
        case "/audioMode": acceptPropertyList(request)
        case "/configure": configure(request, context)
        default: answer(.notFound)
        }
    }

    private mutating func pair(_ request: RTSPRequest, _ context: Context) {
        let step = pairing.receive(request, at: context.now)
        if let pin = step.pin { emit(.event(.pin(pin))) }
        if step.endsPIN { emit(.event(.pin(nil))) }
        if step.isWrongSecret { emit(.turnedAway(.wrongSecret)) }
        // Encryption starts only once.
        guard let secret = step.secret, self.secret == nil else { return answer(step.response) }
        self.secret = secret
        phase = .paired
        emit(.answerThenEncrypt(Self.signed(step.response), secret))
    }

    /// Answers feedback; with an empty body while nothing plays, as *observed*.
    private mutating func feedback(_ context: Context) {
        guard let audio, isPlaying else { return answer() }
        let rate = context.status?.sampleRate.map { Double($0.hertz) } ?? 0
        answer(FeedbackResponse(streams: [.init(kind: audio.kind, sampleRate: rate)]))
    }

    private mutating func command(_ request: RTSPRequest) {
        guard let list = try? PropertyList(parsing: request.body) else { return answer(.badRequest) }
        if let playing = NowPlayingCommand(propertyList: list) {
            if let metadata = playing.metadata { emit(.event(.metadata(metadata, nil))) }
            if let picture = playing.artwork, picture.count <= Self.artworkByteLimit,
                let kind = ArtworkKind(of: picture)
            {
                emit(.event(.artwork(kind, picture, nil)))
            }
        }
        answer()
    }

    private mutating func acceptPropertyList(_ request: RTSPRequest) {
        answer((try? PropertyList(parsing: request.body)) == nil ? .badRequest : .ok)
    }

    /// Answers the Home app, which requests settings that this speaker does not have, with the current state.
    private mutating func configure(_ request: RTSPRequest, _ context: Context) {
        guard (try? PropertyList(parsing: request.body)) != nil else { return answer(.badRequest) }
        let info = context.info()
        var fields: [String: PropertyList] = [
            "Enable_HK_Access_Control": false, "Access_Control_Level": 0,
            "Identifier": .string(info.publicID ?? ""), "Device_Name": .string(info.name ?? ""),
        ]
        if let key = info.publicKey { fields["PublicKey"] = .data(key) }
        let body = PropertyList.dictionary(fields).encoded
        answer(RTSPResponse(contentType: PeerList.contentType, body: body))
    }
}
