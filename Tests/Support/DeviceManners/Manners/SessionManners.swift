import AirPlayMessages
import AirPlayReceiver
import TuttiMediaTime
import TuttiRTSP

/// The manners of one control connection: rulings on its requests and answers.
struct SessionManners: ConnectionManners {
    /// A session whose SETUP was answered.
    private struct Session {
        let openedAt: HostTime
        /// The last sign of life that counts.
        var fedBackAt: HostTime
        var firstAnchorAt: HostTime?
        var hasRecorded = false
        var kind: StreamKind?
    }

    private let manners: MannerSet
    private let sound: SoundState
    private let report: Report
    /// `nil` without ``Manner/wantsOldPIN``.
    private var oldPairing: OldPairing.Connection?
    private var session: Session?
    /// Whether the event connection came; it may come before the answer to the SETUP is noted.
    private var hasEvents = false

    init(
        _ manners: MannerSet, sound: SoundState, oldPairing: OldPairing.Connection? = nil,
        report: @escaping Report
    ) {
        (self.manners, self.sound, self.report) = (manners, sound, report)
        self.oldPairing = oldPairing
    }

    // MARK: Requests

    mutating func ruling(on request: RTSPRequest, at now: HostTime) -> RequestRuling {
        if let answer = oldPairing?.answer(request) {
            report(.wantsOldPIN, "\(request.method) \(request.path) \(answer.status)")
            return .answer(answer)
        }
        let ruling: (manner: Manner, status: RTSPStatus)? =
            switch request.method {
            case .post: refusalOfPost(request, at: now)
            case .setup: refusalOfSetup(request)
            case .setRateAnchorTime: refusalOfAnchor(request, at: now)
            case .setParameter: refusalOfParameter(request)
            case .flush, .flushBuffered: noteFlush()
            default: nil
            }
        guard let ruling else { return .handle }
        report(ruling.manner, "\(request.method) \(ruling.status)")
        return .answer(RTSPResponse(ruling.status))
    }

    private mutating func refusalOfPost(_ request: RTSPRequest, at now: HostTime) -> (Manner, RTSPStatus)? {
        if request.path == "/feedback" { session?.fedBackAt = now }
        guard request.path.hasPrefix("/pair-") else { return nil }
        if manners.has(.wantsUserAgent), request.headers["User-Agent"] == nil {
            return (.wantsUserAgent, .forbidden)
        }
        if manners.has(.wantsClientName), request.path == "/pair-pin-start",
            request.headers["X-Apple-Client-Name"] == nil
        {
            return (.wantsClientName, .ok)
        }
        return nil
    }

    private func refusalOfSetup(_ request: RTSPRequest) -> (Manner, RTSPStatus)? {
        guard manners.has(.refusesNTP), let message = try? SessionSetupRequest(body: request.body),
            message.timingProtocol == .ntp
        else { return nil }
        return (.refusesNTP, .badRequest)
    }

    private mutating func refusalOfAnchor(
        _ request: RTSPRequest, at now: HostTime
    ) -> (Manner, RTSPStatus)? {
        guard let message = try? RateAnchor(body: request.body), message.isPlaying, message.anchor != nil,
            let session
        else { return nil }
        if manners.has(.neverStartsBuffered), session.kind == .buffered {
            return (.neverStartsBuffered, .badRequest)
        }
        let first = session.firstAnchorAt ?? now
        self.session?.firstAnchorAt = first
        if let time = manners.time(.locksLate), now.since(session.openedAt) < time {
            return (.locksLate, .badRequest)
        }
        if let time = manners.time(.refusesFirstAnchors), now.since(first) < time {
            return (.refusesFirstAnchors, .badRequest)
        }
        return nil
    }

    private func refusalOfParameter(_ request: RTSPRequest) -> (Manner, RTSPStatus)? {
        switch request.headers.contentType {
        case Volume.contentType:
            guard (try? Volume(body: request.body)) != nil else { return nil }
            if manners.has(.refusesEarlyVolume), !sound.hasBegun {
                return (.refusesEarlyVolume, .methodNotValidInThisState)
            }
            if manners.has(.forgetsEarlyVolume), session?.kind == nil { return (.forgetsEarlyVolume, .ok) }
            return nil
        case DMAPMetadata.contentType:
            guard manners.has(.wantsMetadata), request.headers[RTPInfo.headerName] == nil else { return nil }
            return (.wantsMetadata, .badRequest)
        default: return nil
        }
    }

    /// A flush is a fault of the sender that the device does not answer with an error.
    private func noteFlush() -> (Manner, RTSPStatus)? {
        if manners.has(.mustNotBeFlushed), sound.hasBegun { report(.mustNotBeFlushed, "flushed") }
        return nil
    }

    // MARK: Answers

    mutating func ruling(
        on answer: RTSPResponse, to request: RTSPRequest, at now: HostTime
    ) -> AnswerRuling {
        if answer.status.isSuccess { noteSuccess(of: request, at: now) }
        if answer.status == .connectionAuthorizationRequired {
            report(.wantsPIN, "\(request.method) \(answer.status)")
        }
        var answer = answer
        // A header of our own speaker, which no other maker's has.
        answer.headers[SoundEnd.headerName] = nil
        if manners.has(.negativePorts), let body = NegativePorts.body(answer.body), request.method == .setup {
            answer.body = body
            report(.negativePorts, "SETUP")
        }
        if manners.has(.withholdsRecord), request.method == .record, !hasEvents {
            report(.withholdsRecord, "RECORD")
            return .withhold(answer)
        }
        guard manners.has(.wrongCSeq), let number = request.headers.cSeq else {
            return .send(answer, cSeq: nil)
        }
        report(.wrongCSeq, "\(request.method)")
        return .send(answer, cSeq: String(number &+ 1000))
    }

    private mutating func noteSuccess(of request: RTSPRequest, at now: HostTime) {
        switch request.method {
        case .setup:
            if let stream = try? StreamSetupRequest(body: request.body) {
                noteStream(stream)
            } else if session == nil {
                session = Session(openedAt: now, fedBackAt: now)
                sound.beginSession(silencedBy: [.staysSilent, .wantsMetadata].filter(manners.has))
            }
        case .record: session?.hasRecorded = true
        case .setParameter where request.headers.contentType == DMAPMetadata.contentType:
            sound.unsilence(.wantsMetadata)
        case .teardown where request.body.isEmpty || (try? Teardown(body: request.body)) == .session:
            session = nil
        default: break
        }
    }

    private mutating func noteStream(_ stream: StreamSetupRequest) {
        guard stream.kind == .buffered || stream.kind == .realtime else { return }
        session?.kind = stream.kind
        guard manners.has(.wantsRecordFirst), session?.hasRecorded == false else { return }
        sound.silence(.wantsRecordFirst)
        report(.wantsRecordFirst, "SETUP before RECORD")
    }

    mutating func eventsConnected() { hasEvents = true }

    // MARK: The end

    mutating func reasonToEnd(at now: HostTime) -> String? {
        guard let time = manners.time(.dropsWithoutFeedback), let session,
            now.since(session.fedBackAt) >= time
        else { return nil }
        self.session = nil
        report(.dropsWithoutFeedback, "dropped the session")
        return "no feedback for \(time.components.seconds) s"
    }
}

/// Tells that a manner was met, and by which request.
package typealias Report = @Sendable (_ manner: Manner, _ what: String) -> Void

/// Ports as some receivers write them.
enum NegativePorts {
    private static let keys: Set = ["dataPort", "controlPort", "eventPort", "timingPort"]

    /// Returns a property list with its ports from 32,768 on as negative numbers; `nil` if it has none.
    static func body(_ body: [UInt8]) -> [UInt8]? {
        guard let list = try? PropertyList(parsing: body) else { return nil }
        let changed = negated(list)
        return changed == list ? nil : changed.encoded
    }

    private static func negated(_ list: PropertyList) -> PropertyList {
        switch list {
        case .array(let values): return .array(values.map(negated))
        case .dictionary(let values):
            return .dictionary(
                Dictionary(
                    uniqueKeysWithValues: values.map { key, value in
                        guard keys.contains(key), let port = value.integerValue, port >= 32_768 else {
                            return (key, negated(value))
                        }
                        return (key, .integer(port - 65_536))
                    }))
        default: return list
        }
    }
}
