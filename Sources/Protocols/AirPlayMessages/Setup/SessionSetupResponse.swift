/// Response to the first SETUP.
package struct SessionSetupResponse: PropertyListMessage, Hashable {
    /// TCP port of the event channel.
    package var eventPort: UInt16
    /// UDP port of the receiver's clock with NTP; `nil` for 0, as in PTP sessions.
    package var timingPort: UInt16?
    /// The receiver's own addresses.
    package var timingPeerInfo: TimingPeerInfo?

    /// Creates a response from its parts.
    package init(eventPort: UInt16, timingPort: UInt16? = nil, timingPeerInfo: TimingPeerInfo? = nil) {
        self.eventPort = eventPort
        self.timingPort = timingPort
        self.timingPeerInfo = timingPeerInfo
    }

    /// - Throws: ``MessageError/missing(key:)`` if there is no `eventPort`: the receiver has refused,
    ///   whatever its status says.
    package init(propertyList: PropertyList) throws(MessageError) {
        let fields = try PropertyListFields(propertyList)
        eventPort = try fields.required(fields.port("eventPort"), "eventPort")
        timingPort = try fields.port("timingPort")
        timingPeerInfo = nil
        if let peer = fields["timingPeerInfo"] { timingPeerInfo = try TimingPeerInfo(propertyList: peer) }
    }

    package var propertyList: PropertyList {
        dictionary([
            "eventPort": .integer(Int64(eventPort)),
            "timingPort": .integer(Int64(timingPort ?? 0)),
            "timingPeerInfo": timingPeerInfo?.propertyList,
        ])
    }
}
