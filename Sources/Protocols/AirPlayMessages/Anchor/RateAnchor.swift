import TuttiMediaTime

/// Body of SETRATEANCHORTIME: plays along a line, or pauses.
///
/// The loudspeaker plays the frame at the anchor's RTP time at the anchor's network time, and all others at
/// the nominal rate.
package struct RateAnchor: PropertyListMessage, Hashable {
    /// 1 plays, 0 pauses. An integer on the wire: shairport-sync misreads a real (*observed*).
    package var rate: Int64
    /// The anchor of the line; a pause needs none.
    package var anchor: Anchor?
    /// The clock of the anchor: the grandmaster identity in our Announce messages.
    package var timelineID: ClockIdentity?
    /// Whether the anchor's frame itself must be heard. A Tutti receiver refuses the anchor if that frame is
    /// too late, and says by how much (``LateStart``). Other receivers ignore the field.
    package var needsBeginning = false

    /// Plays without an anchor: only lifts a pause. See ``DeviceQuirks/armsBeforeAnchor``.
    package static let arm = RateAnchor(rate: 1, anchor: nil, timelineID: nil)
    /// Pauses.
    package static let pause = RateAnchor(rate: 0, anchor: nil, timelineID: nil)

    /// Returns the message that plays along the line through an anchor on this clock.
    package static func play(_ anchor: Anchor, on timelineID: ClockIdentity) -> RateAnchor {
        RateAnchor(rate: 1, anchor: anchor, timelineID: timelineID)
    }

    private init(rate: Int64, anchor: Anchor?, timelineID: ClockIdentity?) {
        self.rate = rate
        self.anchor = anchor
        self.timelineID = timelineID
    }

    /// Whether the message plays; bit 0 of the rate decides.
    package var isPlaying: Bool { rate & 1 == 1 }

    /// Reads an integer or real rate. The four fields of an anchor count only together: if `networkTimeSecs`
    /// is present, the others are required.
    package init(propertyList: PropertyList) throws(MessageError) {
        let fields = try PropertyListFields(propertyList)
        rate = try fields.required(fields.integer("rate", in: 0...Int64(Int32.max)), "rate")
        guard let seconds = try fields.integer("networkTimeSecs", in: 0...Int64.max) else { return }
        let fraction = try fields.required(fields["networkTimeFrac"]?.unsignedValue, "networkTimeFrac")
        let rtpTime = try fields.required(fields.rtpTime("rtpTime"), "rtpTime")
        let clock = try fields.required(
            fields["networkTimeTimelineID"]?.unsignedValue, "networkTimeTimelineID")
        guard let time = NetworkTimeFields(seconds: seconds, fraction: fraction).networkTime else {
            throw .outOfRange(key: "networkTimeSecs", value: seconds)
        }
        anchor = Anchor(rtpTime: RTPTime(rawValue: rtpTime), networkTime: time)
        timelineID = ClockIdentity(rawValue: clock)
        needsBeginning = fields[Self.needsBeginningKey]?.booleanValue ?? false
    }

    private static let needsBeginningKey = "tuttiNeedsBeginning"

    package var propertyList: PropertyList {
        guard let anchor, let timelineID else { return ["rate": .integer(rate)] }
        let time = NetworkTimeFields(anchor.networkTime)
        var fields: [String: PropertyList] = [
            "rate": .integer(rate),
            "rtpTime": .integer(Int64(anchor.rtpTime.rawValue)),
            "networkTimeSecs": .integer(time.seconds),
            "networkTimeFrac": .unsigned(time.fraction),
            "networkTimeTimelineID": .unsigned(timelineID.rawValue),
            "networkTimeFlags": 0,
        ]
        if needsBeginning { fields[Self.needsBeginningKey] = true }
        return .dictionary(fields)
    }
}
