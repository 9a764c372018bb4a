import AirPlayMessages
import TuttiMediaTime
import TuttiRTSP

/// The speaker's responses.
extension RTSPResponse {
    /// The response with the server name of receivers with this source version.
    var signed: RTSPResponse {
        var response = self
        response.headers["Server"] = "AirTunes/366.0"
        return response
    }

    init(_ message: some PropertyListMessage) {
        self.init(contentType: PeerList.contentType, body: message.body)
    }

    /// The response to OPTIONS. iOS 17 and later need the whole list, separated by a comma and a space
    /// (*observed*).
    static let methods = RTSPResponse(headers: [
        "Public": """
        ANNOUNCE, SETUP, RECORD, PAUSE, FLUSH, FLUSHBUFFERED, TEARDOWN, OPTIONS, POST, GET, PUT, SETPEERS, \
        SETPEERSX, SETMAGICCOOKIE, SETRATEANCHORTIME, GET_PARAMETER, SET_PARAMETER
        """
    ])

    /// The response to an anchor whose first frame can no longer be heard.
    static func lateStart(_ late: Duration) -> RTSPResponse {
        RTSPResponse(.preconditionFailed, headers: [LateStart.headerName: LateStart.headerValue(late)])
    }

    /// The response to a pause, at whose end this frame has not been played.
    static func paused(_ end: RTPTime?) -> RTSPResponse {
        guard let end else { return RTSPResponse() }
        return RTSPResponse(headers: [SoundEnd.headerName: SoundEnd.headerValue(end)])
    }

    /// The response to the Home app, which requests settings that this speaker does not have: the current
    /// state.
    static func settings(_ info: ReceiverInfo) -> RTSPResponse {
        var fields: [String: PropertyList] = [
            "Enable_HK_Access_Control": false, "Access_Control_Level": 0,
            "Identifier": .string(info.publicID ?? ""), "Device_Name": .string(info.name ?? ""),
        ]
        if let key = info.publicKey { fields["PublicKey"] = .data(key) }
        return RTSPResponse(contentType: PeerList.contentType, body: PropertyList.dictionary(fields).encoded)
    }
}
