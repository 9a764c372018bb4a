import AirPlayMessages
import TuttiMediaTime
import TuttiRTSP

/// The SET_PARAMETER requests of one session: volume, text, artwork and progress.
struct DisplayRequests: Sendable {
    /// The session's URL.
    let url: String

    func volume(_ volume: Volume) -> RTSPRequest {
        RTSPRequest(.setParameter, url, contentType: Volume.contentType, body: volume.body)
    }

    /// - Parameter time: The RTP time of the track's first frame.
    func text(_ text: DMAPMetadata, at time: RTPTime) -> RTSPRequest {
        stamped(DMAPMetadata.contentType, time, body: text.encoded)
    }

    func picture(_ artwork: TrackMetadata.Artwork, at time: RTPTime) -> RTSPRequest {
        stamped(artwork.kind.rawValue, time, body: artwork.bytes)
    }

    func progress(start: RTPTime, current: RTPTime, end: RTPTime) -> RTSPRequest {
        let progress = Progress(start: start, current: current, end: end)
        return RTSPRequest(.setParameter, url, contentType: Progress.contentType, body: progress.body)
    }

    private func stamped(_ contentType: String, _ time: RTPTime, body: [UInt8]) -> RTSPRequest {
        var request = RTSPRequest(.setParameter, url, contentType: contentType, body: body)
        request.headers[RTPInfo.headerName] = RTPInfo.headerValue(time)
        return request
    }
}
