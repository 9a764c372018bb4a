public import MediaTime
public import SystemIO

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
    /// A clock runs in this network, but this user may not enter the folder by which programs share it.
    case folderForbidden(folder: String, port: UInt16, holder: PortHolder?)
    /// The program that serves the machine's clock speaks another version of the protocol between programs.
    case otherRelease(version: UInt16, holder: PortHolder?)
    /// The machine's clock runs under another identity than the wanted one.
    case otherIdentity(ClockIdentity, holder: PortHolder?)
    /// The program that serves has another monotonic time: it lives in another time namespace.
    case otherTime(holder: PortHolder?)
    /// The program that serves does not answer: it is stopped, or no clock of ours.
    case noAnswer(holder: PortHolder?)
    /// ``SharedClock/mostPrograms`` programs share the clock already.
    case tooManyPrograms(limit: Int)
    case system(SystemError)

    public var description: String {
        switch self {
        case .portTaken(let port, let holder):
            "UDP \(port) is taken by \(holder?.description ?? "another program"): " + Self.advice(for: holder)
        case .portForbidden(let port):
            "UDP \(port) is not allowed to this user: allow it to the program with "
                + "'setcap cap_net_bind_service=+ep <program>', or to everyone with "
                + "'sysctl net.ipv4.ip_unprivileged_port_start=\(port)'"
        case .tooManyPeers(let limit): "the clock serves at most \(limit) receivers"
        case .noAddress: "no address to serve the clock from"
        case .folderForbidden(let folder, let port, let holder):
            "UDP \(port) is taken by \(holder?.description ?? "another program"), which shares its clock with those "
                + "who may use \(folder); this user may not: add it to the folder's group ('ls -ld \(folder)'), "
                + "or give the folder other rights"
        case .otherRelease(let version, let holder):
            "the clock of this machine is served by \(Self.name(holder)) of another release (clock protocol "
                + "\(version), here \(ClockMessage.version)): use the same release for both, and start them again"
        case .otherIdentity(let identity, let holder):
            "the clock of this machine has the identity \(identity) already, served by \(Self.name(holder)): "
                + "ask for the same or for none, or stop that program"
        case .otherTime(let holder):
            "\(Self.name(holder)), which serves the clock of this network, lives in another time namespace: its clock "
                + "is not this program's; run both in one, or give each a network of its own"
        case .noAnswer(let holder):
            "\(Self.name(holder)), which serves the clock of this machine, does not answer: it may be stopped; "
                + "let it go on ('kill -CONT') or end it"
        case .tooManyPrograms(let limit): "at most \(limit) programs share the clock of a machine"
        case .closed: "the clock service is closed"
        case .system(let error): "clock service: \(error)"
        }
    }

    private static func name(_ holder: PortHolder?) -> String { holder?.description ?? "another program" }

    /// The way out, by the program that has the port.
    private static func advice(for holder: PortHolder?) -> String {
        let rule = "only one program on a machine can be its AirPlay clock"
        switch holder?.program {
        case "nqptp":
            return "\(rule); stop shairport-sync and its clock ('systemctl stop shairport-sync nqptp'), "
                + "or run this program elsewhere"
        case "owntone", "ptp4l":
            return
                "\(rule); stop it ('systemctl stop \(holder?.program ?? "")'), or run this program elsewhere"
        case "tutti":
            return
                "it does not share its clock with this user: run both as one user, or start the first as a service "
                + "with the folder /run/tutti, which both may use"
        default: return "\(rule); stop it, or run this one elsewhere"
        }
    }
}
