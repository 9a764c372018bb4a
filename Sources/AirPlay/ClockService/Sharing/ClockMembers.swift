import TuttiMediaTime
import TuttiSystemIO

/// The programs that a serving program has admitted, and those not yet admitted. Confined to the clock's thread.
struct ClockMembers {
    struct Member {
        let channel: LocalChannel
        let since: HostTime
        var isIn = false
    }

    /// The deadline for the hello of a new connection.
    private static let helloTime = Duration.seconds(2)

    private(set) var all: [(id: Int, member: Member)] = []
    private var nextID = SharedClock.here + 1

    var channels: [LocalChannel] { all.map(\.member.channel) }

    mutating func add(_ channel: LocalChannel, at now: HostTime) {
        all.append((nextID, Member(channel: channel, since: now)))
        nextID += 1
    }

    mutating func letIn(_ id: Int) {
        guard let index = all.firstIndex(where: { $0.id == id }) else { return }
        all[index].member.isIn = true
    }

    mutating func remove(_ id: Int) { all.removeAll { $0.id == id } }

    mutating func removeAll() { all = [] }

    /// Returns the connections whose hello is overdue.
    func silent(at now: HostTime) -> [Int] {
        all.filter { !$0.member.isIn && now.since($0.member.since) > Self.helloTime }.map(\.id)
    }

    var count: Int { all.count { $0.member.isIn } }

    /// Sends a message to members. A member that does not read loses it: measurements repeat.
    ///
    /// - Returns: The members whose connection has failed.
    func send(_ message: ClockMessage, to wanted: [Int]? = nil) -> [Int] {
        if let wanted, wanted.isEmpty { return [] }
        let bytes = message.encoded
        return all.filter { entry in
            guard entry.member.isIn, wanted?.contains(entry.id) ?? true else { return false }
            return (try? entry.member.channel.send(bytes)) == nil
        }.map(\.id)
    }
}
