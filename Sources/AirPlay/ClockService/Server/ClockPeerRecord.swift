import TuttiMediaTime
import TuttiSystemIO

/// A snapshot of one served peer, which a program hands to the next server of the clock.
struct ClockPeerRecord: Hashable, Sendable {
    var address: IPAddress
    var localAddress: IPAddress?
    /// The number of the sending program's sessions with the peer.
    var uses: Int
    var behaviour: ClockPeerBehaviour
    /// The path delay added to the served times.
    var servedDelay: Duration
    var measuresPath: Bool
    var firstFollowUp: HostTime?
    var announceSequence: UInt16
    var syncSequence: UInt16
    var signalingSequence: UInt16
    var state: PeerClockState
    var questionCount: UInt32
    var streakCount: UInt32
    var restartedAt: HostTime
    var firstSync: HostTime?
    var lastQuestion: HostTime?
    var exchangeReadyTime: HostTime?
}

extension ClockPeer {
    /// The increment of sequence numbers at a takeover, because the successor's numbers are up to a second old.
    static let sequenceLead: UInt16 = 256

    func record(uses: Int, at now: HostTime) -> ClockPeerRecord {
        var delay = delay
        return ClockPeerRecord(
            address: id, localAddress: localAddress, uses: uses, behaviour: following.behaviour,
            servedDelay: .nanoseconds(delay.value(at: now)), measuresPath: measuresPath,
            firstFollowUp: firstFollowUp, announceSequence: announceSequence, syncSequence: syncSequence,
            signalingSequence: signalingSequence, state: following.state,
            questionCount: UInt32(clamping: following.questionCount),
            streakCount: UInt32(clamping: following.streakCount), restartedAt: following.restartedAt,
            firstSync: following.firstSync, lastQuestion: following.lastQuestion,
            exchangeReadyTime: following.exchangeReadyTime)
    }

    /// Moves the sequence numbers beyond those that another program has used.
    mutating func skipUsedSequences() {
        announceSequence &+= Self.sequenceLead
        syncSequence &+= Self.sequenceLead
        signalingSequence &+= Self.sequenceLead
    }
}

extension ClockServer {
    /// Serves a peer that another program has served, from the recorded state.
    ///
    /// A peer that is served already keeps its state and adds the uses of the record.
    /// - Returns: `false` when there are too many peers.
    mutating func restore(_ record: ClockPeerRecord, at now: HostTime) -> Bool {
        if let index = indices[record.address] {
            if peers[index].lingersUntil == nil {
                peers[index].userCount += record.uses
                return true
            }
            peers.remove(at: index)
            reindex()
        }
        guard peers.count < configuration.peerLimit else { return false }
        indices[record.address] = peers.count
        peers.append(ClockPeer(record, at: now))
        handleTimeout(at: now)
        return true
    }

    /// Takes over from another program's server. Call it before this server begins to send.
    mutating func takeOver(at now: HostTime) {
        for index in peers.indices { peers[index].skipUsedSequences() }
        handleTimeout(at: now)
    }

    func record(of address: IPAddress, uses: Int, at now: HostTime) -> ClockPeerRecord? {
        indices[address].map { peers[$0].record(uses: uses, at: now) }
    }

    /// Whether unwanted peers are still served.
    var isLingering: Bool { peers.contains { $0.lingersUntil != nil } }
}
