import TuttiMediaTime
import TuttiPTP

extension ClockServer {
    /// Fills `datagram` with the next message to send.
    ///
    /// Allocates nothing once the datagram has its size. If ``ClockDatagram/carriesDeparture`` is set, stamp the
    /// datagram immediately before sending; if ``ClockDatagram/keepsDeparture`` is set, stamp it after sending.
    /// - Returns: `false` when there is nothing to send.
    package mutating func nextDatagram(into datagram: inout ClockDatagram, at now: HostTime) -> Bool {
        while pendingStart < pending.count {
            let message = pending[pendingStart]
            pendingStart += 1
            guard let index = indices[message.peer],
                !message.kind.offersClock || !yields(to: message.peer)
            else { continue }
            load(message.kind, for: &peers[index], into: &datagram, at: now)
            return true
        }
        pending.removeAll(keepingCapacity: true)
        pendingStart = 0
        return false
    }

    private func load(
        _ kind: PendingMessage.Kind, for peer: inout ClockPeer, into datagram: inout ClockDatagram,
        at now: HostTime
    ) {
        func load(_ template: [UInt8], _ port: ClockPort, _ sequence: UInt16) {
            datagram.load(template, port: port, to: peer.id, from: peer.localAddress, sequence: sequence)
        }
        func copy(_ answer: ClockAnswer) {
            datagram.write(answer.requester, at: ClockTemplates.answerRequester)
        }
        switch kind {
        case .announce:
            peer.announceSequence &+= 1
            load(templates.announce, .general, peer.announceSequence)
        case .sync(let sequence):
            load(templates.sync, .event, sequence)
            // A peer that asks uses the departure of the Sync; a peer that never asks uses only the Follow_Up.
            datagram.keepDeparture(peer.measuresPath)
        case .followUp(let sequence):
            load(templates.followUp, .general, sequence)
            let shift = peer.serve(at: now)
            if peer.measuresPath {
                datagram.stampSyncDeparture(adding: shift)
            } else {
                datagram.stampDeparture(adding: shift)
            }
        case .signaling:
            peer.signalingSequence &+= 1
            load(templates.signaling, .general, peer.signalingSequence)
        case .delayResponse(let answer):
            load(templates.delayResponse, .general, answer.sequence)
            datagram.write(UInt64(bitPattern: answer.correction.rawValue), at: PTPHeader.correctionOffset)
            datagram.write(PTPTimestamp(answer.receivedAt), at: ClockTemplates.answerTimestamp)
            copy(answer)
        case .peerDelayResponse(let answer):
            load(templates.peerDelayResponse, .event, answer.sequence)
            datagram.write(PTPTimestamp(answer.receivedAt), at: ClockTemplates.answerTimestamp)
            copy(answer)
        case .peerDelayResponseFollowUp(let answer):
            load(templates.peerDelayResponseFollowUp, .general, answer.sequence)
            datagram.write(UInt64(bitPattern: answer.correction.rawValue), at: PTPHeader.correctionOffset)
            copy(answer)
            datagram.stampDeparture(adding: peer.lastServed)
        case .grant(let bytes, let sequence):
            load(bytes, .general, sequence)
        }
    }
}
