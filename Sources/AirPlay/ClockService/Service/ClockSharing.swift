import TuttiMediaTime
import TuttiSystemIO

/// The sockets of a clock and the connections between the programs that share it. Confined to the clock's thread.
struct ClockSharing {
    enum Source {
        case socket(ClockSockets.Bound)
        case listener
        case member(Int)
        case server
    }

    private(set) var sockets: ClockSockets
    private let identity: ClockIdentity
    private let loop: ClockLoop
    private var shared: ClockEntry.Shared?
    private var members = ClockMembers()
    private var sources: [Source] = []
    private var isWatched = false

    init(_ entry: ClockEntry, loop: ClockLoop) {
        (sockets, identity, shared, self.loop) = (entry.sockets, entry.identity, entry.shared, loop)
    }

    var isServing: Bool { shared?.tenure.isServing ?? true }

    func nextDeadline(unsent: Int) -> HostTime? {
        guard let shared else { return nil }
        guard unsent > 0, case .member = shared.tenure.role else { return shared.tenure.nextDeadline }
        return min(shared.tenure.nextDeadline, loop.machine.now.advanced(by: ClockLoop.resendInterval))
    }

    // MARK: Steps

    /// Has the loop watch the sockets that this program reads in its present role.
    mutating func prepare(_ watch: inout LoopWatch) {
        guard !isWatched else { return }
        isWatched = true
        if isServing {
            sources = sockets.all.map { .socket($0) }
            if shared != nil { sources.append(.listener) }
            sources += members.all.map { .member($0.id) }
            watch.set(
                sockets: sockets.all.map(\.socket), listener: shared?.listener, channels: members.channels)
        } else {
            let channels = [shared?.channel].compactMap(\.self)
            sources = channels.map { _ in .server }
            watch.set(sockets: [], listener: nil, channels: channels)
        }
    }

    func source(at index: Int) -> Source { sources[index] }

    /// Performs every step that is due: takeover, stepping down, search for the serving program.
    mutating func advance(at now: HostTime) {
        guard var current = shared else { return }
        while let step = current.tenure.advance(at: now, lease: current.lease) {
            shared = current
            perform(step, at: now)
            guard let next = shared else { return }
            current = next
        }
        shared = current
    }

    private mutating func perform(_ step: ClockTenure.Step, at now: HostTime) {
        isWatched = false
        switch step {
        case .connect: connect()
        case .beginServing:
            shared?.channel = nil
            loop.state.withLock { state in
                state.isServing = true
                state.unsent = []
                state.clock.server.takeOver(at: now)
            }
            noteCount()
        case .stopServing:
            members.removeAll()
            loop.state.withLock { state in
                state.isServing = false
                state.clock.removeOtherPrograms(at: now)
            }
        case .beat:
            drop(members.send(.beat) + members.silent(at: now))
        }
    }

    /// Connects to the program that serves now. Any error counts as one failed attempt of the tenure.
    private mutating func connect() {
        guard let path = shared?.path, let channel = try? LocalChannel(to: path),
            (try? channel.send(ClockMessage.hello(.init(identity: identity)).encoded)) == true
        else {
            shared?.channel = nil
            shared?.tenure.couldNotConnect()
            return
        }
        shared?.channel = channel
    }

    /// Hands over to the other programs, and releases the sockets. Call it last.
    mutating func end() {
        handOver()
        sources = []
        sockets.removeAll()
    }

    private mutating func handOver() {
        guard let shared else { return }
        if case .serving(let term, _) = shared.tenure.role {
            // While this program holds the ports, no other program makes a socket there.
            if members.all.isEmpty { RuntimeFolder.removeSocket(at: shared.path) }
            shared.lease.letGo(of: term)
        }
        members.removeAll()
        self.shared = nil
    }

    // MARK: As the serving program

    mutating func accept(at now: HostTime) {
        for _ in 0..<ClockTurns.readsPerTurn {
            guard let channel = shared?.listener.accept() else { return }
            isWatched = false
            guard members.all.count < SharedClock.mostPrograms else {
                // A program that is gone needs no refusal.
                _ = try? channel.send(ClockMessage.refusal(.tooManyPrograms).encoded)
                continue
            }
            members.add(channel, at: now)
        }
    }

    mutating func receive(fromMember id: Int) {
        guard let member = members.all.first(where: { $0.id == id })?.member else { return }
        for _ in 0..<ClockTurns.readsPerTurn {
            switch member.channel.receive() {
            case .nothing: return
            case .message(let bytes, _):
                guard let message = try? ClockMessage(bytes), take(message, from: id, member.channel) else {
                    return drop([id])
                }
            case .cut, .closed: return drop([id])
            }
        }
    }

    /// - Returns: `false` when the connection has to end.
    private mutating func take(_ message: ClockMessage, from id: Int, _ channel: LocalChannel) -> Bool {
        switch message {
        case .hello(let hello):
            if let refusal = refusal(of: hello) {
                // A program that is gone misses nothing.
                _ = try? channel.send(ClockMessage.refusal(refusal).encoded)
                return false
            }
            return welcome(id, channel)
        case .command(let command):
            guard members.all.contains(where: { $0.id == id && $0.member.isIn }) else { return false }
            let now = loop.machine.now
            loop.state.withLock { state in
                // The member has already refused its own commands beyond a limit.
                _ = state.clock.apply(command, of: id, at: now)
                loop.publish(&state)
            }
            return true
        default: return false
        }
    }

    private func refusal(of hello: ClockMessage.Hello) -> ClockMessage.Refusal? {
        guard hello.version == ClockMessage.version else { return .otherVersion(ClockMessage.version) }
        guard hello.identity == identity || hello.identity == ClockMessage.Hello.anyIdentity else {
            return .otherIdentity(identity)
        }
        return nil
    }

    private mutating func welcome(_ id: Int, _ channel: LocalChannel) -> Bool {
        guard let shared, case .serving(let term, _) = shared.tenure.role else { return false }
        let welcome = ClockMessage.Welcome(
            identity: identity, reading: loop.machine.now, term: term,
            socketCount: UInt8(clamping: sockets.all.count))
        let passed = sockets.passed + [shared.listener.passed, shared.lease.passed]
        guard (try? channel.send(ClockMessage.welcome(welcome).encoded, passing: passed)) == true else {
            return false
        }
        members.letIn(id)
        noteCount()
        return true
    }

    private mutating func drop(_ gone: [Int]) {
        guard !gone.isEmpty else { return }
        isWatched = false
        let now = loop.machine.now
        for id in gone {
            members.remove(id)
            loop.state.withLock { state in
                state.clock.leave(id, at: now)
                loop.publish(&state)
            }
        }
        noteCount()
    }

    private func noteCount() {
        loop.state.withLock { $0.programCount = members.count + 1 }
    }

    /// Sends a message to the other programs that an address concerns.
    mutating func tell(_ message: ClockMessage, to address: IPAddress) {
        guard !members.all.isEmpty else { return }
        drop(members.send(message, to: loop.state.withLock { $0.clock.programs(concernedBy: address) }))
    }

    // MARK: As a member

    mutating func receiveFromServer(at now: HostTime) {
        guard let channel = shared?.channel else { return }
        for _ in 0..<ClockTurns.readsPerTurn {
            switch channel.receive() {
            case .nothing: return
            case .message(let bytes, _):
                guard let message = try? ClockMessage(bytes), take(message, at: now) else {
                    return loseServer(at: now)
                }
            case .cut, .closed: return loseServer(at: now)
            }
        }
    }

    private mutating func loseServer(at now: HostTime) {
        isWatched = false
        shared?.channel = nil
        shared?.tenure.lostConnection(at: now)
    }

    private mutating func take(_ message: ClockMessage, at now: HostTime) -> Bool {
        switch message {
        case .welcome(let welcome):
            guard welcome.identity == identity else { return false }
            shared?.tenure.welcomed(term: welcome.term, at: now)
            loop.state.withLock { state in
                state.unsent = state.clock.restoration(at: now).map { .command($0) }
            }
        case .received(let received):
            loop.state.withLock { state in
                state.clock.receive(
                    received.bytes[...], from: received.source, on: received.port, at: received.receivedAt)
            }
        case .asked(let address, let sequence, let departure):
            loop.state.withLock {
                $0.clock.follower.questionLeft(to: address, sequence: sequence, at: departure)
            }
        case .beat: break
        default: return false
        }
        shared?.tenure.heard(at: now)
        return true
    }

    /// Sends this program's queued commands to the serving program.
    mutating func sendWishes(at now: HostTime) {
        guard case .member = shared?.tenure.role, let channel = shared?.channel else { return }
        let unsent = loop.state.withLock { state in
            defer { state.unsent = [] }
            return state.unsent
        }
        guard unsent.count <= ClockLoop.mostUnsent else { return loseServer(at: now) }
        for (index, message) in unsent.enumerated() {
            do {
                guard try channel.send(message.encoded) else {
                    loop.state.withLock { $0.unsent.insert(contentsOf: unsent[index...], at: 0) }
                    return
                }
            } catch {
                return loseServer(at: now)
            }
        }
    }
}
