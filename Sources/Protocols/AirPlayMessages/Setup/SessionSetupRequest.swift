/// The kind of clock that a session follows.
public struct TimingProtocol: RawRepresentable, Hashable, Sendable {
    /// The name as sent in SETUP.
    public let rawValue: String

    /// Creates a value from its name in SETUP.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// PTP, IEEE 1588.
    public static let ptp = TimingProtocol(rawValue: "PTP")
    /// AirPlay's variant of NTP.
    public static let ntp = TimingProtocol(rawValue: "NTP")
    /// No clock, for connections that carry remote control and no audio.
    public static let noClock = TimingProtocol(rawValue: "None")
}

/// Body of the first SETUP, which opens the session. Has no `streams`.
public struct SessionSetupRequest: PropertyListMessage, Hashable {
    /// The clock of the session; shairport-sync takes only PTP (*observed*).
    public var timingProtocol: TimingProtocol
    /// Ourselves. A receiver with PTP answers without ports if this is missing (*observed*).
    public var timingPeerInfo: TimingPeerInfo?
    /// The same peer again, as Apple senders write it.
    public var timingPeerList: [TimingPeerInfo]
    /// The UDP port of our clock, with NTP only.
    public var timingPort: UInt16?
    /// The sender's MAC address as text, the same as ``macAddress``.
    public var deviceID: String?
    /// The sender's MAC address as text.
    public var macAddress: String?
    /// The session's upper-case UUID, new for each session.
    public var sessionUUID: String?
    /// The group's upper-case UUID, the same for all members.
    public var groupUUID: String?
    /// False unless a receiver leads the group by itself.
    public var groupContainsGroupLeader: Bool?
    /// Whether the sender may address several receivers.
    public var isMultiSelectAirPlay: Bool?
    /// Whether the session carries remote control and no audio.
    public var isRemoteControlOnly: Bool?
    /// The sender's name, for display.
    public var name: String?
    /// The sender's model identifier.
    public var model: String?
    /// The name of the sender's operating system.
    public var osName: String?
    /// The version of the sender's operating system.
    public var osVersion: String?
    /// The build of the sender's operating system.
    public var osBuildVersion: String?
    /// The sender's AirPlay version.
    public var sourceVersion: String?
    /// Tutti only: whether the session exists already and continues on this connection. The receiver then
    /// must not open a new one.
    public var isContinuing: Bool?

    /// Creates a request without a description of the sender; set the known fields.
    public init(timingProtocol: TimingProtocol, timingPeerInfo: TimingPeerInfo? = nil) {
        self.timingProtocol = timingProtocol
        self.timingPeerInfo = timingPeerInfo
        timingPeerList = timingPeerInfo.map { [$0] } ?? []
    }

    public init(propertyList: PropertyList) throws(MessageError) {
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

    public var propertyList: PropertyList {
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
