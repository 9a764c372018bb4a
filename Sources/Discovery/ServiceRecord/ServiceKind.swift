/// The two DNS-SD service types by which AirPlay receivers announce themselves.
public enum ServiceKind: String, Hashable, Sendable, CaseIterable {
    /// AirPlay 2 (and video) receivers; the instance name is the plain device name.
    case airplay = "_airplay._tcp"
    /// AirPlay 1 receivers; the instance name is `<12 hex digits of the device id>@<name>`.
    case raop = "_raop._tcp"
}
