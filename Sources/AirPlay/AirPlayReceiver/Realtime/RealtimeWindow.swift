import TuttiMediaTime
import TuttiRTP

/// The reordering window of a realtime stream; decides which packets to request again.
///
/// Delivers each packet once, in the order of sequence numbers. Packets after a hole wait until it is filled
/// or its deadline has passed. The caller supplies the times; nothing here waits.
struct RealtimeWindow: Sendable {
    /// Most packets in the window. Senders keep about a thousand; a larger jump is another stream.
    static let packetLimit = 512
    /// Grace period before the first request: the packet may only be out of order.
    static let firstRequestAfter = Duration.milliseconds(100)
    static let requestAgainAfter = Duration.milliseconds(250)
    /// The deadline for requests, ahead of the due time: a later request cannot be answered in time.
    static let lastRequestBeforeDue = Duration.milliseconds(100)
    /// Time to wait for a hole without a line, when due times are unknown; about the lead of senders.
    static let patienceWithoutLine = Duration.milliseconds(1500)
    /// Time for which the first packet that has come waits for packets that it has overtaken: datagrams that are sent at once may
    /// come in another order.
    static let settling = Duration.milliseconds(20)
    /// The longest time from a hole to its sound. A due time further away, ahead or behind, is that of another line: the sender has begun
    /// again at another RTP time, and packets before and behind that wait together.
    static let longestLead = Duration.seconds(10)

    /// The most packets that may be missing before the first one that comes: a second. Where the RTP time does not fit the one that
    /// the sender has named, as after a flush by Tutti, the number alone is believed for fewer, of a sender that marks its first packets.
    static let longestBeginning = (named: 128, leaping: 16)

    /// The packet with which the sender says that it begins.
    struct Beginning: Hashable, Sendable {
        var number: UInt16
        var rtpTime: RTPTime
    }

    private struct Hole: Sendable {
        var number: UInt16
        var noticed: HostTime
        var nextRequest: HostTime

        init(number: UInt16, at now: HostTime) {
            (self.number, noticed) = (number, now)
            nextRequest = now.advanced(by: RealtimeWindow.firstRequestAfter)
        }
    }

    private let framesPerPacket: Int
    private let settles: Bool
    private var next: UInt16?
    /// The first packet, until one has come; `nil` if the sender has not named it.
    private var beginning: Beginning?
    /// Whether a packet has come out since the last flush.
    private var hasBegun = false
    /// Whether the sender has marked a packet as the first.
    private var marksFirst = false
    /// The end of ``settling``; `nil` once the first packet of the run is known.
    private var settlesAt: HostTime?
    /// In order of sequence number, from ``next`` on.
    private var waiting: [RealtimePacket] = []
    private var holes: [Hole] = []
    /// Counts of numbers given up, and of packets refused as late or duplicate.
    private(set) var lostCount = 0
    private(set) var refusedCount = 0
    /// The part of ``lostCount`` before the first packet that came out.
    private(set) var lostAtBeginning = 0

    /// - Parameter settles: Whether the first packet that has come waits (``settling``) if it is neither marked nor named as the
    ///   first of the run.
    init(framesPerPacket: Int = 352, settles: Bool = false) {
        (self.framesPerPacket, self.settles) = (framesPerPacket, settles)
    }

    var waitingCount: Int { waiting.count }
    /// The number behind the last packet that has come; `nil` before the first one.
    var end: UInt16? { waiting.last.map { $0.sequenceNumber &+ 1 } ?? next }

    /// Notes the packet with which the sender begins, unless packets have come.
    mutating func begin(with beginning: Beginning) { if next == nil { self.beginning = beginning } }

    /// Takes a packet and returns the packets that are now in order.
    mutating func receive(_ packet: RealtimePacket, at now: HostTime) -> [RealtimePacket] {
        marksFirst = marksFirst || packet.isFirst
        guard let next, !isFarAway(packet, from: next) else { return restart(with: packet, at: now) }
        if let settlesAt, now < settlesAt {
            settle(with: packet, at: now)
            return self.settlesAt == nil ? takeReady() : []
        }
        settlesAt = nil
        guard Self.distance(from: next, to: packet.sequenceNumber) >= 0 else {
            refusedCount += 1
            return []
        }
        insert(packet, at: now)
        return takeReady()
    }

    /// Gives up holes past their deadline, and returns the packets to request again.
    ///
    /// - Parameter due: Returns the host time at which a packet is heard; `nil` if unknown.
    mutating func handleTime(
        _ now: HostTime, due: (RTPTime) -> HostTime?
    ) -> (ready: [RealtimePacket], requests: [RealtimeControlPacket.ResendRequest]) {
        var ready: [RealtimePacket] = []
        if let time = settlesAt, now >= time {
            settlesAt = nil
            ready = takeReady()
        }
        while settlesAt == nil, let packet = waiting.first, let time = skipTime(due), now >= time {
            skip(to: packet)
            ready += takeReady()
        }
        return (ready, requests(at: now))
    }

    /// Returns the time of the next call of ``handleTime(_:due:)``; `nil` if none is needed before another packet.
    func nextDeadline(due: (RTPTime) -> HostTime?) -> HostTime? {
        if let settlesAt { return settlesAt }
        guard let request = holes.map(\.nextRequest).min() else { return nil }
        return skipTime(due).map { min($0, request) } ?? request
    }

    /// Forgets all packets, because the stream continues at another position.
    mutating func flush() {
        (next, beginning, hasBegun, settlesAt) = (nil, nil, false, nil)
        waiting = []
        holes = []
    }

    // MARK: Details

    /// Returns the steps from one number to another, negative if that is before it.
    static func distance(from first: UInt16, to second: UInt16) -> Int {
        Int(Int16(bitPattern: second &- first))
    }

    private func isFarAway(_ packet: RealtimePacket, from next: UInt16) -> Bool {
        let distance = Self.distance(from: next, to: packet.sequenceNumber)
        return distance >= Self.packetLimit || distance < -2 * Self.packetLimit
    }

    private mutating func restart(with packet: RealtimePacket, at now: HostTime) -> [RealtimePacket] {
        let (old, first) = (waiting, missingBeginning(before: packet))
        let isFirst = packet.isFirst || packet.sequenceNumber == beginning?.number
        flush()
        if let first {
            next = first
            insert(packet, at: now)
            return old
        }
        guard isFirst || !settles else {
            (next, waiting, settlesAt) = (packet.sequenceNumber, [packet], now.advanced(by: Self.settling))
            return old
        }
        (next, hasBegun) = (packet.sequenceNumber &+ 1, true)
        return old + [packet]
    }

    /// Takes a packet while the first one is not known.
    private mutating func settle(with packet: RealtimePacket, at now: HostTime) {
        guard let next, Self.distance(from: next, to: packet.sequenceNumber) < 0 else {
            return insert(packet, at: now)
        }
        let missing = Self.distance(from: packet.sequenceNumber, to: next) - 1
        let most = packet.isFirst ? Self.longestBeginning.named : Self.longestBeginning.leaping
        let last = waiting.last?.sequenceNumber ?? next
        guard missing < most, Self.distance(from: packet.sequenceNumber, to: last) < Self.packetLimit else {
            refusedCount += 1
            return
        }
        if packet.isFirst { settlesAt = nil }
        let before = (0..<missing).map { Hole(number: packet.sequenceNumber &+ 1 &+ UInt16($0), at: now) }
        holes.insert(contentsOf: before, at: 0)
        waiting.insert(packet, at: 0)
        self.next = packet.sequenceNumber
    }

    /// Returns the number of the packet with which the sender has begun, if that is missing before the first one that has come.
    private func missingBeginning(before packet: RealtimePacket) -> UInt16? {
        guard next == nil, let beginning, !packet.isFirst else { return nil }
        let count = Self.distance(from: beginning.number, to: packet.sequenceNumber)
        let isNamed = packet.rtpTime.frames(since: beginning.rtpTime) == Int64(count * framesPerPacket)
        let most =
            isNamed ? Self.longestBeginning.named : marksFirst ? Self.longestBeginning.leaping : 0
        return count > 0 && count <= most ? beginning.number : nil
    }

    private mutating func insert(_ packet: RealtimePacket, at now: HostTime) {
        guard let next else { return }
        let number = packet.sequenceNumber
        if let hole = holes.firstIndex(where: { $0.number == number }) {
            holes.remove(at: hole)
        } else {
            // All numbers between the last known packet and this one are missing.
            let last = waiting.last?.sequenceNumber ?? next &- 1
            guard Self.distance(from: last, to: number) > 0 else {
                refusedCount += 1
                return
            }
            var missing = last &+ 1
            while missing != number {
                holes.append(Hole(number: missing, at: now))
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
        if count > 0 { hasBegun = true }
        defer { waiting.removeFirst(count) }
        return Array(waiting.prefix(count))
    }

    /// Returns the time at which the packet behind the first hole waits no longer; `nil` without a hole.
    private func skipTime(_ due: (RTPTime) -> HostTime?) -> HostTime? {
        guard let hole = holes.first, let packet = waiting.first else { return nil }
        if let due = due(packet.rtpTime), due.since(hole.noticed) < Self.longestLead,
            due.since(hole.noticed) > .zero - Self.longestLead
        {
            return due.advanced(by: .zero - Self.lastRequestBeforeDue)
        }
        return hole.noticed.advanced(by: Self.patienceWithoutLine)
    }

    private mutating func skip(to packet: RealtimePacket) {
        let number = packet.sequenceNumber
        let count = holes.count
        holes.removeAll { Self.distance(from: $0.number, to: number) > 0 }
        lostCount += count - holes.count
        if !hasBegun { lostAtBeginning += count - holes.count }
        next = number
    }

    /// Returns the due requests; consecutive numbers share one.
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
