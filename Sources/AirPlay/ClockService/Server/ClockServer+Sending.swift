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
            datagram.stampFollowUp(adding: peer.serve(at: now), usesSync: peer.measuresPath)
        case .signaling:
            peer.signalingSequence &+= 1
            load(templates.signaling, .general, peer.signalingSequence)
        case .delayResponse(let answer):
            load(templates.delayResponse, .general, answer.sequence)
            datagram.writeCorrection(of: answer)
            datagram.writeArrival(of: answer)
            datagram.writeRequester(of: answer)
        case .peerDelayResponse(let answer):
            load(templates.peerDelayResponse, .event, answer.sequence)
            datagram.writeArrival(of: answer)
            datagram.writeRequester(of: answer)
        case .peerDelayResponseFollowUp(let answer):
            load(templates.peerDelayResponseFollowUp, .general, answer.sequence)
            datagram.writeCorrection(of: answer)
            datagram.writeRequester(of: answer)
            datagram.stampDeparture(adding: peer.lastServed)
        case .grant(let bytes, let sequence):
            load(bytes, .general, sequence)
        }
    }
}

extension ClockDatagram {
    /// Writes what an answer copies of its request.
    fileprivate mutating func writeRequester(of answer: ClockAnswer) {
        write(answer.requester, at: ClockTemplates.answerRequester)
    }

    fileprivate mutating func writeCorrection(of answer: ClockAnswer) {
        write(UInt64(bitPattern: answer.correction.rawValue), at: PTPHeader.correctionOffset)
    }

    fileprivate mutating func writeArrival(of answer: ClockAnswer) {
        write(PTPTimestamp(answer.receivedAt), at: ClockTemplates.answerTimestamp)
    }

    /// Has the Follow_Up tell the departure of its Sync, or else its own.
    fileprivate mutating func stampFollowUp(adding shift: Int64, usesSync: Bool) {
        if usesSync { stampSyncDeparture(adding: shift) } else { stampDeparture(adding: shift) }
    }
}
