internal import AirPlayMessages
internal import MediaTime
internal import RTSP

extension ReceiverSession {
    /// Handles SETRATEANCHORTIME. Accepts an anchor before its clock is known: the stream holds it until
    /// then. Refuses an anchor that needs its beginning if that cannot be heard.
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
        // Rate 1 without an anchor announces that one will follow.
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

    /// Handles FLUSH, for realtime streams; senders also end with it, without an RTP time.
    mutating func flush(_ request: RTSPRequest) {
        guard let audio else { return answer(.methodNotValidInThisState) }
        if audio.kind == .realtime, let time = rtpTime(of: request) {
            emit(.command(.flushBefore(time)))
            // Senders of realtime streams pause with FLUSH.
            setPlaying(false)
        }
        answer()
    }

    /// Notes that packets of a paused realtime stream arrive again.
    ///
    /// - Returns: Whether the stream was paused.
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
        // A request without a name is a keep-alive.
        guard names.split(whereSeparator: \.isWhitespace).contains("volume") else { return answer() }
        answer(RTSPResponse(contentType: Volume.contentType, body: context.volume.body))
    }

    /// Most bytes of a picture. Real ones have some hundred KiB.
    static let artworkByteLimit = 2 << 20
    /// Most bytes of text about a track.
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
