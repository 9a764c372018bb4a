/// The DNS-SD service types that AirPlay uses.
package enum ServiceKind: String, Hashable, Sendable {
    /// AirPlay 2 (and video) receivers; the instance name is the plain device name.
    case airplay = "_airplay._tcp"
    /// AirPlay 1 receivers; the instance name is `<12 hex digits of the device id>@<name>`.
    case raop = "_raop._tcp"
    /// Senders that take remote commands; the instance name is `iTunes_Ctrl_<id>`.
    case dacp = "_dacp._tcp"

    /// The service types by which receivers announce themselves.
    package static let receivers = [ServiceKind.airplay, .raop]
}
