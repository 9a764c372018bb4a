import TuttiMediaTime
import TuttiSystemIO

/// The lease of the right to serve, as ``ClockTenure`` needs it; tests have one without files.
protocol ClockLease: Sendable {
    var term: Int64 { get }
    func isHeldElsewhere(_ term: Int64) -> Bool
    func take(after term: Int64) -> Bool
    func letGo(of term: Int64)
}

extension SharedLease: ClockLease {}

/// An election among the programs that share a clock, from the point of view of one of them.
///
/// A value without sockets and threads: call ``advance(at:lease:)`` after every event and at
/// ``nextDeadline``, and perform the returned step.
///
/// - The serving program holds the lease of its term, and sends a beat every ``beatInterval``, together with the
///   clock's messages.
/// - When the connection to it ends, the first program that gets the lease of the next term serves. All programs hold
///   the same open sockets, so nothing has to be bound, and datagrams wait in the sockets meanwhile.
/// - A serving program that is silent for ``silenceLimit`` is stopped (`SIGSTOP`, a debugger). Its lease does
///   not end, but its term does: another program begins the next. When the stopped program runs again, it
///   sees the newer term and becomes an ordinary member.
struct ClockTenure: Hashable, Sendable {
    static let beatInterval = Duration.milliseconds(250)
    /// The silence after which another program takes over. Speakers give a clock up after 5 s at the earliest.
    static let silenceLimit = Duration.milliseconds(1500)
    /// The interval at which a program without a server looks for one.
    static let lookInterval = Duration.milliseconds(20)

    /// The retry interval of a program that was turned away.
    static let refusedInterval = Duration.milliseconds(100)

    enum Role: Hashable, Sendable {
        case serving(term: Int64, nextBeat: HostTime)
        case member(term: Int64, silentAt: HostTime)
        /// Looking for the serving program, or for the right to serve.
        case seeking(term: Int64, silentAt: HostTime, nextLook: HostTime, isConnecting: Bool)
    }

    enum Step: Hashable, Sendable {
        /// Connect to the listener, and say hello.
        case connect
        /// Use the sockets: this program serves from now on.
        case beginServing(term: Int64)
        /// Leave the sockets alone: another program serves.
        case stopServing
        /// Send a beat to every member.
        case beat
    }

    private(set) var role: Role

    /// Creates the tenure of the program that made the clock.
    init(servingAt now: HostTime) { role = .serving(term: 1, nextBeat: now) }

    /// Creates the tenure of a program that has been admitted.
    init(memberOf term: Int64, at now: HostTime) {
        role = .member(term: term, silentAt: now.advanced(by: Self.silenceLimit))
    }

    var isServing: Bool {
        if case .serving = role { true } else { false }
    }

    var nextDeadline: HostTime {
        switch role {
        case .serving(_, let nextBeat): nextBeat
        case .member(_, let silentAt): silentAt
        case .seeking(_, _, let nextLook, _): nextLook
        }
    }

    /// Notes a message from the serving program.
    mutating func heard(at now: HostTime) {
        guard case .member(let term, _) = role else { return }
        role = .member(term: term, silentAt: now.advanced(by: Self.silenceLimit))
    }

    mutating func welcomed(term: Int64, at now: HostTime) {
        guard case .seeking = role else { return }
        role = .member(term: term, silentAt: now.advanced(by: Self.silenceLimit))
    }

    /// Notes that the connection to the serving program has ended.
    mutating func lostConnection(at now: HostTime) {
        switch role {
        case .serving: break
        case .member(let term, _): seek(after: term, at: now)
        case .seeking(let term, _, _, _):
            // Only a running program ends a connection, so the serving program is not stopped.
            role = .seeking(
                term: term, silentAt: now.advanced(by: Self.silenceLimit),
                nextLook: now.advanced(by: Self.refusedInterval), isConnecting: false)
        }
    }

    /// Notes that there was no room for another connection: the next look retries.
    mutating func couldNotConnect() {
        guard case .seeking(let term, let silentAt, let nextLook, _) = role else { return }
        role = .seeking(term: term, silentAt: silentAt, nextLook: nextLook, isConnecting: false)
    }

    private mutating func seek(after term: Int64, at now: HostTime) {
        role = .seeking(
            term: term, silentAt: now.advanced(by: Self.silenceLimit), nextLook: now, isConnecting: false)
    }

    /// Returns the step to perform now; `nil` when there is none until ``nextDeadline``.
    mutating func advance(at now: HostTime, lease: some ClockLease) -> Step? {
        switch role {
        case .serving(let term, let nextBeat):
            guard now >= nextBeat else { return nil }
            if lease.term != term {
                lease.letGo(of: term)
                seek(after: lease.term, at: now)
                return .stopServing
            }
            role = .serving(term: term, nextBeat: now.next(multipleOf: Self.beatInterval))
            return .beat
        case .member(let term, let silentAt):
            guard now >= silentAt else { return nil }
            role = .seeking(term: term, silentAt: now, nextLook: now, isConnecting: false)
            return look(for: term, silentAt: now, isConnecting: false, at: now, lease)
        case .seeking(let term, let silentAt, let nextLook, let isConnecting):
            guard now >= nextLook else { return nil }
            return look(for: term, silentAt: silentAt, isConnecting: isConnecting, at: now, lease)
        }
    }

    private mutating func look(
        for known: Int64, silentAt: HostTime, isConnecting: Bool, at now: HostTime, _ lease: some ClockLease
    ) -> Step? {
        let term = lease.term
        // A new term restarts the silence limit.
        let silentAt = term == known ? silentAt : now.advanced(by: Self.silenceLimit)
        if now >= silentAt || !lease.isHeldElsewhere(term), lease.take(after: term) {
            role = .serving(term: term + 1, nextBeat: now)
            return .beginServing(term: term + 1)
        }
        role = .seeking(
            term: term, silentAt: silentAt, nextLook: now.advanced(by: Self.lookInterval), isConnecting: true)
        return isConnecting && term == known ? nil : .connect
    }
}
