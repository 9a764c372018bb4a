/// The kind of clock that a session follows.
package struct TimingProtocol: RawRepresentable, Hashable, Sendable {
    /// The name as sent in SETUP.
    package let rawValue: String

    /// Creates a value from its name in SETUP.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// PTP, IEEE 1588.
    package static let ptp = TimingProtocol(rawValue: "PTP")
    /// AirPlay's variant of NTP.
    package static let ntp = TimingProtocol(rawValue: "NTP")
    /// No clock, for connections that carry remote control and no audio.
    package static let noClock = TimingProtocol(rawValue: "None")
}

/// Body of the first SETUP, which opens the session. Has no `streams`.
package struct SessionSetupRequest: PropertyListMessage, Hashable {
    /// The clock of the session; shairport-sync takes only PTP (*observed*).
    package var timingProtocol: TimingProtocol
    /// Ourselves. A receiver with PTP answers without ports if this is missing (*observed*).
    package var timingPeerInfo: TimingPeerInfo?
    /// The same peer again, as Apple senders write it.
    package var timingPeerList: [TimingPeerInfo]
    /// The UDP port of our clock, with NTP only.
    package var timingPort: UInt16?
    /// The sender's MAC address as text, the same as ``macAddress``.
    package var deviceID: String?
    /// The sender's MAC address as text.
    package var macAddress: String?
    /// The session's upper-case UUID, new for each session.
    package var sessionUUID: String?
    /// The group's upper-case UUID, the same for all members.
    package var groupUUID: String?
    /// False unless a receiver leads the group by itself.
    package var groupContainsGroupLeader: Bool?
    /// Whether the sender may address several receivers.
    package var isMultiSelectAirPlay: Bool?
    /// Whether the session carries remote control and no audio.
    package var isRemoteControlOnly: Bool?
    /// The sender's name, for display.
    package var name: String?
    /// The sender's model identifier.
    package var model: String?
    /// The name of the sender's operating system.
    package var osName: String?
    /// The version of the sender's operating system.
    package var osVersion: String?
    /// The build of the sender's operating system.
    package var osBuildVersion: String?
    /// The sender's AirPlay version.
    package var sourceVersion: String?
    /// Tutti only: whether the session exists already and continues on this connection. The receiver then
    /// must not open a new one.
    package var isContinuing: Bool?

    /// Creates a request without a description of the sender; set the known fields.
    package init(timingProtocol: TimingProtocol, timingPeerInfo: TimingPeerInfo? = nil) {
        self.timingProtocol = timingProtocol
        self.timingPeerInfo = timingPeerInfo
        timingPeerList = timingPeerInfo.map { [$0] } ?? []
    }

    package init(propertyList: PropertyList) throws(MessageError) {
        let fields = try PropertyListFields(propertyList)
        let clock = try fields.required(fields["timingProtocol"]?.stringValue, "timingProtocol")
        timingProtocol = TimingProtocol(rawValue: clock)
        timingPeerInfo = nil
        if let peer = fields["timingPeerInfo"] { timingPeerInfo = try TimingPeerInfo(propertyList: peer) }
        timingPeerList = []
        for peer in try fields.dictionaries("timingPeerList") {
            timingPeerList.append(try TimingPeerInfo(propertyList: peer))
        }
        timingPort = try fields.port("timingPort")
        deviceID = fields["deviceID"]?.stringValue
        macAddress = fields["macAddress"]?.stringValue
        sessionUUID = fields["sessionUUID"]?.stringValue
        groupUUID = fields["groupUUID"]?.stringValue
        groupContainsGroupLeader = fields["groupContainsGroupLeader"]?.booleanValue
        isMultiSelectAirPlay = fields["isMultiSelectAirPlay"]?.booleanValue
        isRemoteControlOnly = fields["isRemoteControlOnly"]?.booleanValue
        name = fields["name"]?.stringValue
        model = fields["model"]?.stringValue
        osName = fields["osName"]?.stringValue
        osVersion = fields["osVersion"]?.stringValue
        osBuildVersion = fields["osBuildVersion"]?.stringValue
        sourceVersion = fields["sourceVersion"]?.stringValue
        isContinuing = fields[Self.isContinuingKey]?.booleanValue
    }

    private static let isContinuingKey = "tuttiContinues"

    package var propertyList: PropertyList {
        dictionary([
            "timingProtocol": .string(timingProtocol.rawValue),
            "timingPeerInfo": timingPeerInfo?.propertyList,
            "timingPeerList": timingPeerList.isEmpty ? nil : .array(timingPeerList.map(\.propertyList)),
            "timingPort": timingPort.map { .integer(Int64($0)) },
            "deviceID": deviceID.map { .string($0) },
            "macAddress": macAddress.map { .string($0) },
            "sessionUUID": sessionUUID.map { .string($0) },
            "groupUUID": groupUUID.map { .string($0) },
            "groupContainsGroupLeader": groupContainsGroupLeader.map { .boolean($0) },
            "isMultiSelectAirPlay": isMultiSelectAirPlay.map { .boolean($0) },
            "isRemoteControlOnly": isRemoteControlOnly.map { .boolean($0) },
            "name": name.map { .string($0) },
            "model": model.map { .string($0) },
            "osName": osName.map { .string($0) },
            "osVersion": osVersion.map { .string($0) },
            "osBuildVersion": osBuildVersion.map { .string($0) },
            "sourceVersion": sourceVersion.map { .string($0) },
            Self.isContinuingKey: isContinuing.map { .boolean($0) },
        ])
    }
}
