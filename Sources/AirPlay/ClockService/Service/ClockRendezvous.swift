import Glibc
import TuttiMediaTime
import TuttiSystemIO

/// Finds the machine's clock, or makes it.
///
/// The network namespace, the ports and the bound addresses identify a clock: each has its own socket in the
/// run-time folders. Only the program that has bound the UDP ports makes the socket, so no second clock can exist.
///
/// Blocks its thread while it waits for another program; a clock that is not shared waits for none.
struct ClockRendezvous {
    /// The deadline for the answer of a serving program. A stopped program is replaced after
    /// ``ClockTenure/silenceLimit`` if there is another member.
    private static let patience = Duration.seconds(3)
    /// The time to look for a clock that another program is just making.
    private static let makingTime = Duration.milliseconds(400)
    private static let lookMicroseconds: UInt32 = 20_000

    let configuration: ClockService.Configuration
    let folders: [RuntimeFolder]
    private let isShared: Bool
    private let machine: any Machine

    init(_ configuration: ClockService.Configuration, machine: any Machine) {
        (self.configuration, self.machine) = (configuration, machine)
        isShared = configuration.isShared && configuration.eventPort != 0 && configuration.generalPort != 0
        folders = isShared ? configuration.runtimeFolders ?? RuntimeFolder.standard() : []
    }

    func enter() throws(ClockServiceError) -> ClockEntry {
        let own = configuration.exactAddresses.isEmpty ? [] : [configuration.exactAddresses]
        let sets = [configuration.addresses] + own
        if let entry = try join(sets) { return entry }
        var failure: ClockServiceError?
        for addresses in sets {
            do throws(ClockServiceError) {
                return make(try bind(addresses), at: addresses)
            } catch {
                failure = failure ?? error
            }
        }
        if case .portTaken = failure, isShared {
            // Another program may have been faster. A clock bound to the wildcards serves each address, too.
            let end = machine.now.advanced(by: Self.makingTime)
            repeat {
                if let entry = try join(sets + [[.anyV4, .anyV6]]) { return entry }
                usleep(Self.lookMicroseconds)
            } while machine.now < end
        }
        throw explained(failure ?? .noAddress)
    }

    private func bind(_ addresses: [IPAddress]) throws(ClockServiceError) -> ClockSockets {
        try ClockSockets(
            addresses: addresses, eventPort: configuration.eventPort, generalPort: configuration.generalPort,
            machine: machine)
    }

    /// Returns the file name of a clock's socket.
    func name(_ addresses: [IPAddress]) -> String {
        var name =
            "clock-\(NetworkNamespace.number())-\(configuration.eventPort)-\(configuration.generalPort)"
        if !addresses.allSatisfy(\.isUnspecified) {
            let text = addresses.map(\.description).sorted().joined(separator: ",")
            name += "-" + String(ClockIdentity.ofHost(hardwareAddress: [], machine: text).rawValue, radix: 16)
        }
        return name + ".sock"
    }

    // MARK: Making

    /// Makes the clock; one that cannot be shared still serves this program.
    private func make(_ sockets: ClockSockets, at addresses: [IPAddress]) -> ClockEntry {
        var entry = ClockEntry(identity: configuration.identity, sockets: sockets, shared: nil)
        guard isShared, sockets.all.count <= ClockMessage.mostSockets, let lease = try? SharedLease(),
            let folder = folders.first(where: { $0.prepare() })
        else { return entry }
        let path = folder.path(of: name(addresses))
        if let listener = try? LocalListener(at: path) {
            entry.shared = .init(
                listener: listener, lease: lease, path: path, channel: nil,
                tenure: ClockTenure(servingAt: machine.now))
        }
        return entry
    }

    // MARK: Joining

    private func join(_ sets: [[IPAddress]]) throws(ClockServiceError) -> ClockEntry? {
        for addresses in sets {
            for folder in folders where folder.access == .use || folder.access == .make {
                if let entry = try join(at: folder.path(of: name(addresses))) { return entry }
            }
        }
        return nil
    }

    /// - Returns: `nil` when no program serves there (any more), whatever the error of the connection.
    private func join(at path: String) throws(ClockServiceError) -> ClockEntry? {
        guard let channel = try? LocalChannel(to: path) else { return nil }
        let holder = channel.peer.flatMap { PortHolder.program($0.processID) }
        let before = machine.now
        let hello = ClockMessage.hello(.init(identity: wanted)).encoded
        guard (try? channel.send(hello)) == true else { return nil }
        let answer = wait(for: channel, until: before.advanced(by: Self.patience))
        let after = machine.now
        guard case .message(let bytes, let passed) = answer else {
            if case .closed = answer { return nil }
            throw .noAnswer(holder: holder)
        }
        guard let message = try? ClockMessage(bytes) else { throw .noAnswer(holder: holder) }
        switch message {
        case .welcome(let welcome):
            guard welcome.reading >= before, welcome.reading <= after else {
                throw .otherTime(holder: holder)
            }
            do throws(SystemError) {
                return try entry(welcome, passed, at: path, channel: channel)
            } catch {
                throw .system(error)
            }
        case .refusal(.otherVersion(let version)): throw .otherRelease(version: version, holder: holder)
        case .refusal(.otherIdentity(let identity)): throw .otherIdentity(identity, holder: holder)
        case .refusal(.tooManyPrograms): throw .tooManyPrograms(limit: SharedClock.mostPrograms)
        default: throw .noAnswer(holder: holder)
        }
    }

    /// The identity to ask for: a program with the host's own adopts that of the clock.
    private var wanted: ClockIdentity {
        configuration.identity == .ofHost(machine) ? ClockMessage.Hello.anyIdentity : configuration.identity
    }

    /// Waits for the first message; a wait that fails is the same as a closed channel.
    private func wait(for channel: LocalChannel, until end: HostTime) -> LocalChannel.Received {
        guard let signal = try? WakeSignal() else { return .closed }
        var poller = SocketPoller(sockets: [], signal: signal)
        poller.watch(sockets: [], listener: nil, channels: [channel])
        while true {
            let received = channel.receive()
            guard case .nothing = received, machine.now < end else { return received }
            do { try poller.wait(until: end) { _ in } } catch { return .closed }
        }
    }

    private func entry(
        _ welcome: ClockMessage.Welcome, _ passed: [PassedDescriptor], at path: String, channel: LocalChannel
    ) throws(SystemError) -> ClockEntry {
        let count = Int(welcome.socketCount)
        guard passed.count == count + 2 else { throw SystemError(operation: "adopt", code: 0) }
        return ClockEntry(
            identity: welcome.identity,
            sockets: try ClockSockets(
                adopting: Array(passed.prefix(count)), stampsDepartures: welcome.stampsDepartures),
            shared: .init(
                listener: try LocalListener(adopting: passed[count]),
                lease: try SharedLease(adopting: passed[count + 1]), path: path, channel: channel,
                tenure: ClockTenure(memberOf: welcome.term, at: machine.now)))
    }

    // MARK: Errors

    private func explained(_ failure: ClockServiceError) -> ClockServiceError {
        guard let closed = folders.first(where: { $0.access == .none }) else { return failure }
        switch failure {
        case .portTaken(let port, let holder) where holder == nil || holder?.program == "tutti":
            return .folderForbidden(folder: closed.path, port: port, holder: holder)
        case .portForbidden(let port) where PortHolder.isTaken(udpPort: port):
            return .folderForbidden(folder: closed.path, port: port, holder: .whoHolds(udpPort: port))
        default: return failure
        }
    }
}
