import AirPlayMessages
import TuttiMediaTime
import TuttiRTSP

extension ReceiverSession {
    /// Handles SETRATEANCHORTIME. Accepts an anchor before its clock is known: the stream holds it until
    /// then. Refuses an anchor that needs its beginning if that cannot be heard.
    mutating func setRate(_ request: RTSPRequest, _ context: Context) {
        guard audio != nil else { return answer(.methodNotValidInThisState) }
        guard let message = try? RateAnchor(body: request.body) else { return answer(.badRequest) }
        if !message.isPlaying { return silence(context) }
        if let anchor = message.anchor, let timeline = message.timelineID {
            if !message.needsBeginning {
                emit(.command(.play(anchor, timeline)))
            } else if let late = context.playWhole(anchor, timeline) {
                setPlaying(false)
                return answer(.lateStart(late))
            }
            setPlaying(true)
        }
        // Rate 1 without an anchor announces that one will follow.
        answer()
    }

    /// Pauses, and reports where the sound of a buffered stream ends.
    private mutating func silence(_ context: Context) {
        guard audio?.kind == .buffered else { return pause() }
        let end = context.pause()
        setPlaying(false)
        answer(.paused(end))
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
        if audio.kind == .realtime, let time = request.rtpTime {
            emit(.command(.flushBefore(time)))
            if let beginning = request.beginning { emit(.command(beginning)) }
            // Senders of realtime streams pause with FLUSH.
            setPlaying(false)
        }
        answer()
    }

    /// Notes that packets of a paused realtime stream arrive again.
    ///
    /// - Returns: Whether the stream was paused.
    package mutating func realtimeResumed() -> Bool {
        guard audio?.kind == .realtime, !isPlaying else { return false }
        isPlaying = true
        return true
    }

    // MARK: Parameters

    mutating func getParameter(_ request: RTSPRequest, _ context: Context) {
        answer(RTSPResponse(toGetParameter: request, volume: context.volume))
    }

    mutating func setParameter(_ request: RTSPRequest) {
        guard session != nil else { return answer(.methodNotValidInThisState) }
        switch ParameterChange(request) {
        case .volume(let volume): emit(.volume(volume))
        case .event(let event): emit(.event(event))
        case .refused(let status): return answer(status)
        }
        answer()
    }
}
