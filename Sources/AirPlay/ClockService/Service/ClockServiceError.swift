import TuttiMediaTime
import TuttiSystemIO

/// An error that prevents the clock service from starting or from serving a peer.
public enum ClockServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another program holds the port. Only one program per address can.
    case portTaken(port: UInt16, holder: PortHolder?)
    /// The system reserves the port for privileged programs.
    case portForbidden(port: UInt16)
    /// The program already has `ClockServer.mostPeers` peers.
    case tooManyPeers(limit: Int)
    /// No address to bind: the list is empty, or none exists on this machine.
    case noAddress
    /// The service has been closed.
    case closed
    /// A clock runs in this network, but this user has no access to the folder by which programs share it.
    case folderForbidden(folder: String, port: UInt16, holder: PortHolder?)
    /// The serving program speaks another version of the protocol between programs.
    case otherRelease(version: UInt16, holder: PortHolder?)
    /// The machine's clock has another identity than the configured one.
    case otherIdentity(ClockIdentity, holder: PortHolder?)
    /// The serving program has another monotonic clock: it runs in another time namespace.
    case otherTime(holder: PortHolder?)
    /// The serving program does not answer: it is stopped, or it is no Tutti clock.
    case noAnswer(holder: PortHolder?)
    /// `SharedClock.mostPrograms` other programs share the clock already.
    case tooManyPrograms(limit: Int)
    /// A system call failed.
    case system(SystemError)

    /// The message for the user, with advice.
    public var description: String {
        switch self {
        case .portTaken(let port, let holder):
            "UDP \(port) is taken by \(holder?.description ?? "another program"): " + Self.advice(for: holder)
        case .portForbidden(let port):
            "this user may not bind UDP \(port): allow it for the program with "
                + "'setcap cap_net_bind_service=+ep <program>', or for everyone with "
                + "'sysctl net.ipv4.ip_unprivileged_port_start=\(port)'"
        case .tooManyPeers(let limit): "the clock serves at most \(limit) receivers"
        case .noAddress: "this machine has none of the addresses from which the clock should be served"
        case .folderForbidden(let folder, let port, let holder):
            "UDP \(port) is taken by \(holder?.description ?? "another program"), which shares its clock only with "
                + "users of \(folder): add this user to the folder's group ('ls -ld \(folder)'), "
                + "or change the folder's permissions"
        case .otherRelease(let version, let holder):
            "the clock of this machine is served by \(Self.name(holder)) from another release (clock protocol "
                + "\(version), here \(ClockMessage.version)): use the same release for both, and restart them"
        case .otherIdentity(let identity, let holder):
            "the clock of this machine has the identity \(identity) already, served by \(Self.name(holder)): "
                + "request the same identity or none, or stop that program"
        case .otherTime(let holder):
            "\(Self.name(holder)), which serves the clock of this network, runs in another time namespace, where "
                + "host time differs: run both programs in one, or each in its own network"
        case .noAnswer(let holder):
            "\(Self.name(holder)), which serves the clock of this machine, does not answer: it may be suspended; "
                + "resume it ('kill -CONT') or end it"
        case .tooManyPrograms(let limit): "at most \(limit) programs share the clock of a machine"
        case .closed: "the clock service is closed"
        case .system(let error): "clock service: \(error)"
        }
    }

    private static func name(_ holder: PortHolder?) -> String { holder?.description ?? "another program" }

    /// Returns advice on how to free the port, by the program that holds it.
    private static func advice(for holder: PortHolder?) -> String {
        let rule = "only one program on a machine can be its AirPlay clock"
        switch holder?.program {
        case "nqptp":
            return "\(rule); stop shairport-sync and its clock ('systemctl stop shairport-sync nqptp'), "
                + "or run this program on another machine"
        case "owntone", "ptp4l":
            return
                "\(rule); stop it ('systemctl stop \(holder?.program ?? "")'), or run this program on another machine"
        case "tutti":
            return
                "it does not share its clock with this user: run both as one user, or run the first as a service "
                + "with the folder /run/tutti, which both may use"
        default: return "\(rule); stop it, or run this one on another machine"
        }
    }
}
