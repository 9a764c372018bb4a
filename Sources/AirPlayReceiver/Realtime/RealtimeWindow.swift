internal import MediaTime
import RTP

/// Puts the packets of a realtime stream in order, and says which to ask for again.
///
/// Packets come out in the order of their numbers, each once. Behind a hole they wait until it is filled, or until
/// nobody can fill it in time any more. Times come in; nothing here waits.
struct RealtimeWindow: Sendable {
    /// Senders keep about a thousand packets; more than this behind a hole is another stream.
    static let packetLimit = 512
    /// A packet on its way behind another one is not missing yet.
    static let firstRequestAfter = Duration.milliseconds(100)
    static let requestAgainAfter = Duration.milliseconds(250)
    /// What comes later than this before it is due is not worth asking for.
    static let lastRequestBeforeDue = Duration.milliseconds(100)
    /// Without a line nobody knows when a packet is due; about as long as senders are ahead.
    static let patienceWithoutLine = Duration.milliseconds(1500)

    private struct Hole: Sendable {
        var number: UInt16
        var noticed: HostTime
        var nextRequest: HostTime
    }

    private var next: UInt16?
    /// In order; all behind ``next``.
    private var waiting: [RealtimePacket] = []
    private var holes: [Hole] = []
    /// Numbers that were given up, and packets that came twice or too late.
    private(set) var lostCount = 0
    private(set) var refusedCount = 0

    var waitingCount: Int { waiting.count }

    /// Takes a packet; gives those that can go on, in order.
    mutating func receive(_ packet: RealtimePacket, at now: HostTime) -> [RealtimePacket] {
        guard let next, !isFarAway(packet, from: next) else { return restart(with: packet) }
        guard Self.distance(from: next, to: packet.sequenceNumber) >= 0 else {
            refusedCount += 1
            return []
        }
        insert(packet, at: now)
        return takeReady()
    }

    /// Gives up the holes whose time is over, and says what to ask for.
    ///
    /// - Parameter due: When a packet is to be heard, as far as it is known.
    mutating func handleTime(
        _ now: HostTime, due: (RTPTime) -> HostTime?
    ) -> (ready: [RealtimePacket], requests: [RealtimeControlPacket.ResendRequest]) {
        var ready: [RealtimePacket] = []
        while let hole = holes.first, let packet = waiting.first {
            let isLate: Bool
            if let due = due(packet.rtpTime) {
                isLate = now >= due.advanced(by: .zero - Self.lastRequestBeforeDue)
            } else {
                isLate = now.since(hole.noticed) >= Self.patienceWithoutLine
            }
            guard isLate else { break }
            giveUp(before: packet)
            ready += takeReady()
        }
        return (ready, requests(at: now))
    }

    /// When ``handleTime(_:due:)`` has to do again; `nil` for not before another packet comes.
    var nextDeadline: HostTime? { holes.map(\.nextRequest).min() }

    /// Forgets everything: the stream goes on at another place.
    mutating func flush() {
        next = nil
        waiting = []
        holes = []
    }

    // MARK: Details

    private static func distance(from first: UInt16, to second: UInt16) -> Int {
        Int(Int16(bitPattern: second &- first))
    }

    private func isFarAway(_ packet: RealtimePacket, from next: UInt16) -> Bool {
        let distance = Self.distance(from: next, to: packet.sequenceNumber)
        return distance >= Self.packetLimit || distance < -2 * Self.packetLimit
    }

    private mutating func restart(with packet: RealtimePacket) -> [RealtimePacket] {
        let old = waiting
        flush()
        next = packet.sequenceNumber &+ 1
        return old + [packet]
    }

    private mutating func insert(_ packet: RealtimePacket, at now: HostTime) {
        guard let next else { return }
        let number = packet.sequenceNumber
        if let hole = holes.firstIndex(where: { $0.number == number }) {
            holes.remove(at: hole)
        } else {
            // Everything between the last one that is known and this one is missing.
            let last = waiting.last?.sequenceNumber ?? next &- 1
            guard Self.distance(from: last, to: number) > 0 else {
                refusedCount += 1
                return
            }
            var missing = last &+ 1
            while missing != number {
                holes.append(
                    Hole(
                        number: missing, noticed: now,
                        nextRequest: now.advanced(by: Self.firstRequestAfter)))
                missing &+= 1
            }
        }
        let index =
            waiting.lastIndex { Self.distance(from: $0.sequenceNumber, to: number) > 0 }.map { $0 + 1 } ?? 0
        waiting.insert(packet, at: index)
    }

    private mutating func takeReady() -> [RealtimePacket] {
        var count = 0
        while count < waiting.count, waiting[count].sequenceNumber == next {
            next = next.map { $0 &+ 1 }
            count += 1
        }
        defer { waiting.removeFirst(count) }
        return Array(waiting.prefix(count))
    }

    private mutating func giveUp(before packet: RealtimePacket) {
        let number = packet.sequenceNumber
        let count = holes.count
        holes.removeAll { Self.distance(from: $0.number, to: number) > 0 }
        lostCount += count - holes.count
        next = number
    }

    /// Neighbours are asked for together.
    private mutating func requests(at now: HostTime) -> [RealtimeControlPacket.ResendRequest] {
        var requests: [RealtimeControlPacket.ResendRequest] = []
        for index in holes.indices where holes[index].nextRequest <= now {
            let number = holes[index].number
            holes[index].nextRequest = now.advanced(by: Self.requestAgainAfter)
            if let last = requests.last, last.first &+ last.count == number {
                requests[requests.count - 1].count += 1
            } else {
                requests.append(.init(first: number, count: 1))
            }
        }
        return requests
    }
}
