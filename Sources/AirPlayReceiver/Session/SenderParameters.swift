internal import AirPlayMessages
internal import RTSP

/// Reads the parameters that senders of both kinds set and ask for: volume, position, text and picture.
enum SenderParameters {
    /// A request that is not understood.
    struct Refusal: Error, Hashable {
        let status: RTSPStatus
    }

    /// Most bytes of a picture. Real ones have some hundred KiB.
    static let artworkByteLimit = 2 << 20
    /// Most bytes of text about a track.
    static let metadataByteLimit = 64 << 10

    /// Returns the task that SET_PARAMETER asks for.
    static func read(_ request: RTSPRequest) -> Result<ReceiverSession.Output, Refusal> {
        let time = request.headers[RTPInfo.headerName].flatMap { RTPInfo.rtpTime(headerValue: $0) }
        switch request.headers.contentType {
        case Volume.contentType: return readText(request.body)
        case DMAPMetadata.contentType:
            guard request.body.count <= metadataByteLimit,
                let metadata = try? DMAPMetadata(exactly: request.body)
            else { return .failure(Refusal(status: .badRequest)) }
            return .success(.event(.metadata(metadata, time)))
        case let type?:
            guard let kind = ArtworkKind(rawValue: type == "image/jpg" ? "image/jpeg" : type),
                request.body.count <= artworkByteLimit
            else { return .failure(Refusal(status: .badParameters)) }
            return .success(.event(.artwork(kind, kind == .cleared ? [] : request.body, time)))
        case nil: return .failure(Refusal(status: .badParameters))
        }
    }

    private static func readText(_ body: [UInt8]) -> Result<ReceiverSession.Output, Refusal> {
        if let volume = try? Volume(body: body) { return .success(.volume(volume)) }
        if let progress = try? Progress(body: body) { return .success(.event(.progress(progress))) }
        return .failure(Refusal(status: .badRequest))
    }

    /// Returns the response to GET_PARAMETER.
    static func answer(to request: RTSPRequest, volume: Volume) -> RTSPResponse {
        let names = String(decoding: request.body.prefix(256), as: UTF8.self)
        // A request without a name is a keep-alive.
        guard names.split(whereSeparator: \.isWhitespace).contains("volume") else { return RTSPResponse() }
        return RTSPResponse(contentType: Volume.contentType, body: volume.body)
    }
}
