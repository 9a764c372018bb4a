import TuttiMediaTime
import TuttiSystemIO

/// Edits of the sound that some members of a group hold.
extension [GroupMember] {
    /// Returns whether every speaker can take back sound at this distance from its playhead.
    func canTakeBack(_ margin: Duration, in group: isolated SpeakerGroup) async -> Bool {
        guard margin >= .zero else { return false }
        for member in self {
            guard let session = member.session else { continue }
            guard let least = session.traits.takeBackMargin, margin + member.delay.duration >= least,
                await session.canTakeBack(at: group.playhead)
            else { return false }
        }
        return true
    }

    /// Withdraws the sound from `frame` on, which is `margin` ahead of the playhead.
    ///
    /// - Parameter isExchanged: Whether each speaker is sent at once what the store has in its place.
    func takeBack(
        from frame: Int64, margin: Duration, isExchanged: Bool, in group: isolated SpeakerGroup
    ) async {
        var tasks: [Task<Void, Never>] = []
        for member in self {
            let session = member.session
            if let task = await member.takeBack(from: frame, margin: margin, in: group),
                !member.isOutOfReach(in: group)
            {
                tasks.append(task)
            }
            // Also if it has ended meanwhile: another session may continue its stream.
            if isExchanged { session?.resume(from: frame) }
        }
        // An unreachable speaker learns of the edit later; do not wait for it.
        await settle(tasks, within: group.timing.groupAnswerTimeout, on: group.machine)
    }

    // MARK: Exchanging

    /// The time in which an exchange is carried out here, before its messages leave.
    private static var slack: Duration { .milliseconds(30) }

    /// Returns the first frame of a packet from which on all of these speakers can change what they hold; `nil` if
    /// nothing plays.
    func nextChange(in group: isolated SpeakerGroup) -> Int64? {
        guard let line = group.plan.line else { return nil }
        let margin =
            compactMap { member in
                member.session.map { $0.exchangeMargin - member.delay.duration }
            }.max() ?? .zero
        let frame = line.frame(at: group.machine.now.advanced(by: Swift.max(.zero, margin) + Self.slack))
        // At the end of the next packet: one that is heard partly before cannot be changed.
        guard let packet = group.store.packet(holding: Swift.max(frame, line.frame)) else { return frame }
        return packet.frame >= frame ? packet.frame : packet.endFrame
    }

    /// Sends these speakers what they hold from a frame on once more, as their sound is now.
    func exchange(from frame: Int64, in group: isolated SpeakerGroup) async {
        guard let line = group.plan.line else { return }
        let margin = line.host(of: frame).since(group.machine.now)
        await takeBack(from: frame, margin: margin, isExchanged: true, in: group)
    }

    /// Sends these speakers, which are silent, what follows a frame once more, as their sound is now; while the program's
    /// edit is under way, when that ends.
    func sendAgain(from frame: Int64, in group: isolated SpeakerGroup) async {
        guard !isEmpty, group.plan.line == nil else { return }
        let isEdited = group.cutFrame != nil
        if !isEdited { group.receive(.cut) }
        for member in self {
            await member.session?.takeBackSilently(from: frame)
            if isEdited {
                member.withdrawnFrom = Swift.min(member.withdrawnFrom ?? .max, frame)
            } else {
                member.session?.resume(from: frame)
            }
        }
        if !isEdited { await group.carryOut(.resume) }
    }
}
