import MediaTime
import SystemIO

/// The programs that a serving program has let in, and those that wait for it; belongs to the clock's thread.
struct ClockMembers {
    struct Member {
        let channel: LocalChannel
        let since: HostTime
        var isIn = false
    }

    /// A connection without a hello ends after so long.
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

    /// Connections that have not said hello in time.
    func silent(at now: HostTime) -> [Int] {
        all.filter { !$0.member.isIn && now.since($0.member.since) > Self.helloTime }.map(\.id)
    }

    var count: Int { all.count { $0.member.isIn } }

    /// Sends to members. One that does not read loses it: measurements come again.
    ///
    /// - Returns: Those that are gone.
    func send(_ message: ClockMessage, to wanted: [Int]? = nil) -> [Int] {
        if let wanted, wanted.isEmpty { return [] }
        let bytes = message.encoded
        return all.filter { entry in
            guard entry.member.isIn, wanted?.contains(entry.id) ?? true else { return false }
            return (try? entry.member.channel.send(bytes)) == nil
        }.map(\.id)
    }
}
