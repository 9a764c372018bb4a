internal import AirPlayMessages
internal import MediaTime
internal import RTSP

extension ReceiverSession {
    /// An anchor is taken whether or not its clock is known yet: the stream holds it until then. One that needs its
    /// beginning is refused when that cannot be heard.
    mutating func setRate(_ request: RTSPRequest, _ context: Context) {
        guard audio != nil else { return answer(.methodNotValidInThisState) }
        guard let message = try? RateAnchor(body: request.body) else { return answer(.badRequest) }
        if !message.isPlaying {
            emit(.command(.pause))
            setPlaying(false)
        } else if let anchor = message.anchor, let timeline = message.timelineID {
            if !message.needsBeginning {
                emit(.command(.play(anchor, timeline)))
            } else if let late = context.playWhole(anchor, timeline) {
                setPlaying(false)
                var response = RTSPResponse(.preconditionFailed)
                response.headers[LateStart.headerName] = LateStart.headerValue(late)
                return answer(response)
            }
            setPlaying(true)
        }
        // Rate 1 without an anchor says that one will follow.
        answer()
    }

    mutating func pause() {
        guard audio != nil else { return answer(.methodNotValidInThisState) }
        emit(.command(.pause))
        setPlaying(false)
        answer()
    }

    mutating func flushBuffered(_ request: RTSPRequest) {
        guard audio?.kind == .buffered else { return answer(.methodNotValidInThisState) }
        guard let message = try? FlushBuffered(body: request.body) else { return answer(.badRequest) }
        emit(.command(.flush(message)))
        if message.isImmediate { setPlaying(false) }
        answer()
    }

    /// For realtime streams; senders also end with it, without saying where.
    mutating func flush(_ request: RTSPRequest) {
        guard let audio else { return answer(.methodNotValidInThisState) }
        if audio.kind == .realtime, let time = rtpTime(of: request) {
            emit(.command(.flushBefore(time)))
            // Senders of realtime streams pause with it.
            setPlaying(false)
        }
        answer()
    }

    /// Packets of a paused realtime stream come again.
    ///
    /// - Returns: Whether the stream did not count as playing.
    public mutating func realtimeResumed() -> Bool {
        guard audio?.kind == .realtime, !isPlaying else { return false }
        isPlaying = true
        return true
    }

    func rtpTime(of request: RTSPRequest) -> RTPTime? {
        request.headers[RTPInfo.headerName].flatMap { RTPInfo.rtpTime(headerValue: $0) }
    }

    // MARK: Parameters

    mutating func getParameter(_ request: RTSPRequest, _ context: Context) {
        let names = String(decoding: request.body.prefix(256), as: UTF8.self)
        // Without a name it only asks whether anybody is there.
        guard names.split(whereSeparator: \.isWhitespace).contains("volume") else { return answer() }
        answer(RTSPResponse(contentType: Volume.contentType, body: context.volume.body))
    }

    /// A picture that is shown. Real ones have some hundred KiB.
    static let artworkByteLimit = 2 << 20
    /// Text about a track.
    private static let metadataByteLimit = 64 << 10

    mutating func setParameter(_ request: RTSPRequest) {
        guard session != nil else { return answer(.methodNotValidInThisState) }
        switch request.headers.contentType {
        case Volume.contentType: setTextParameter(request)
        case DMAPMetadata.contentType:
            guard request.body.count <= Self.metadataByteLimit,
                let metadata = try? DMAPMetadata(exactly: request.body)
            else { return answer(.badRequest) }
            emit(.event(.metadata(metadata, rtpTime(of: request))))
            answer()
        case let type?:
            guard let kind = ArtworkKind(rawValue: type == "image/jpg" ? "image/jpeg" : type),
                request.body.count <= Self.artworkByteLimit
            else { return answer(.badParameters) }
            emit(.event(.artwork(kind, kind == .cleared ? [] : request.body, rtpTime(of: request))))
            answer()
        case nil: answer(.badParameters)
        }
    }

    private mutating func setTextParameter(_ request: RTSPRequest) {
        if let volume = try? Volume(body: request.body) {
            emit(.volume(volume))
        } else if let progress = try? Progress(body: request.body) {
            emit(.event(.progress(progress)))
        } else {
            return answer(.badRequest)
        }
        answer()
    }
}
