import SystemIO

/// Why there is no clock service.
public enum ClockServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another program has the port. Only one on an address can.
    case portTaken(port: UInt16, holder: PortHolder?)
    /// The system lets only privileged programs have the port.
    case portForbidden(port: UInt16)
    /// ``ClockServer/mostPeers`` are served already.
    case tooManyPeers(limit: Int)
    /// No address to bind: the list is empty, or none exists on this machine.
    case noAddress
    case closed
    case system(SystemError)

    public var description: String {
        switch self {
        case .portTaken(let port, let holder):
            "UDP \(port) is taken by \(holder?.description ?? "another program"): "
                + "only one program on a machine can be its AirPlay clock; stop it, or run this one elsewhere"
        case .portForbidden(let port):
            "UDP \(port) is not allowed to this user: allow it to the program with "
                + "'setcap cap_net_bind_service=+ep <program>', or to everyone with "
                + "'sysctl net.ipv4.ip_unprivileged_port_start=\(port)'"
        case .tooManyPeers(let limit): "the clock serves at most \(limit) receivers"
        case .noAddress: "no address to serve the clock from"
        case .closed: "the clock service is closed"
        case .system(let error): "clock service: \(error)"
        }
    }
}
