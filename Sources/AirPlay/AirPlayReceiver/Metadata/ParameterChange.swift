import AirPlayMessages
import TuttiMediaTime
import TuttiRTSP

/// The meaning of a SET_PARAMETER request.
enum ParameterChange: Equatable {
    case volume(Volume)
    case event(SpeakerEvent)
    case refused(RTSPStatus)

    /// Most bytes of text about a track.
    static let metadataByteLimit = 64 << 10

    init(_ request: RTSPRequest) {
        let (body, time) = (request.body, request.rtpTime)
        switch request.headers.contentType {
        case Volume.contentType:
            if let volume = try? Volume(body: body) {
                self = .volume(volume)
            } else if let progress = try? Progress(body: body) {
                self = .event(.progress(progress))
            } else {
                self = .refused(.badRequest)
            }
        case DMAPMetadata.contentType:
            let metadata = body.count <= Self.metadataByteLimit ? (try? DMAPMetadata(readable: body)) : nil
            self = metadata.map { .event(.metadata($0, time)) } ?? .refused(.badRequest)
        case let type:
            let kind = type.flatMap { ArtworkKind(rawValue: $0 == "image/jpg" ? "image/jpeg" : $0) }
            if let kind, body.count <= NowPlayingCommand.artworkByteLimit {
                self = .event(.artwork(kind, kind == .cleared ? [] : body, time))
            } else {
                self = .refused(.badParameters)
            }
        }
    }
}

extension RTSPRequest {
    /// The RTP time that the request refers to, if any.
    var rtpTime: RTPTime? { headers[RTPInfo.headerName].flatMap { RTPInfo.rtpTime(headerValue: $0) } }

    /// The packet with which the request says that a realtime stream begins, if any.
    var beginning: StreamCommand? {
        let number = headers[RTPInfo.headerName].flatMap { RTPInfo.sequenceNumber(headerValue: $0) }
        guard let number, let rtpTime else { return nil }
        return .begin(number, rtpTime)
    }
}

extension RTSPResponse {
    /// The response to GET_PARAMETER.
    init(toGetParameter request: RTSPRequest, volume: Volume) {
        let names = String(decoding: request.body.prefix(256), as: UTF8.self)
        // A request without a name is a keep-alive.
        let isAsked = names.split(whereSeparator: \.isWhitespace).contains("volume")
        self = isAsked ? RTSPResponse(contentType: Volume.contentType, body: volume.body) : RTSPResponse()
    }
}
