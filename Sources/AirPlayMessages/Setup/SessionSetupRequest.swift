/// Which clock a session follows.
public struct TimingProtocol: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let ptp = TimingProtocol(rawValue: "PTP")
    public static let ntp = TimingProtocol(rawValue: "NTP")
    /// Only for connections that carry remote control and no sound.
    public static let noClock = TimingProtocol(rawValue: "None")
}

/// Body of the first SETUP, which opens the session. It has no `streams`.
public struct SessionSetupRequest: PropertyListMessage, Hashable {
    /// The clock of the session; shairport-sync takes only PTP (*observed*).
    public var timingProtocol: TimingProtocol
    /// Ourselves; a receiver with PTP answers without ports when it is missing (*observed*).
    public var timingPeerInfo: TimingPeerInfo?
    /// The same again, as Apple senders write it.
    public var timingPeerList: [TimingPeerInfo]
    /// UDP port of our clock, with NTP only.
    public var timingPort: UInt16?
    /// MAC address as text, the same in both.
    public var deviceID: String?
    public var macAddress: String?
    /// Upper-case UUID, new for each session.
    public var sessionUUID: String?
    /// Upper-case UUID, the same for all members of a group.
    public var groupUUID: String?
    /// False unless a receiver of the group leads it by itself.
    public var groupContainsGroupLeader: Bool?
    /// Whether the sender may address several receivers.
    public var isMultiSelectAirPlay: Bool?
    public var isRemoteControlOnly: Bool?
    public var name: String?
    public var model: String?
    public var osName: String?
    public var osVersion: String?
    public var osBuildVersion: String?
    public var sourceVersion: String?
    /// Ours alone: the session named is already there, and goes on over this connection; without it there is to be none.
    public var isContinuing: Bool?

    /// A session without any description of the sender; fill in what is known.
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
