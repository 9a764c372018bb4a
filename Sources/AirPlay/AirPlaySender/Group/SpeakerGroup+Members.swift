import AirPlayMessages
import TuttiMediaTime
import TuttiSystemIO

/// The speakers that are in the group, and the questions of the watches of their sessions.
extension SpeakerGroup {
    func add(_ target: SpeakerTarget) {
        guard isOpen, !members.contains(where: { $0.target == target }) else { return }
        let sound = SpeakerSound(of: store, treatment: target.treatment)
        let member = GroupMember(
            id: MemberID(number: newNumber()), target: target, sound: sound, timing: timing)
        members.append(member)
        receive(.joined(member.id))
        receive(.delayed(member.id, target.delay))
        tell(.state(speaker: target.named, .connecting))
        member.task = Task { [weak self] in
            if let self { await member.run(in: self) }
        }
    }

    /// See ``setTargets(_:closed:)``.
    func keepOnly(_ targets: [SpeakerTarget], closed: @escaping @Sendable () -> Void = {}) {
        let leaving = members.filter { !targets.contains($0.target) }
        members.removeAll { member in leaving.contains { $0 === member } }
        for target in targets { add(target) }
        for member in leaving {
            member.task?.cancel()
            member.endInterrupted()
            set(.closed, of: member)
        }
        descriptionsChanged()
        // A start may have waited for a removed speaker, whose teardown may take a second.
        let sessions = leaving.compactMap(\.session)
        let tasks = leaving.compactMap(\.task)
        Task {
            for session in sessions { await session.close() }
            // A session that is being opened ends by itself.
            await settle(tasks, within: timing.groupAnswerTimeout, on: machine)
            closed()
        }
        for member in leaving { receive(.left(member.id)) }
    }

    // MARK: Session watch

    /// The group's side of one session at this moment; `nil` once the session has left the group.
    func view(of id: SessionID) -> SessionView? { member(id)?.view(in: self) }

    /// Warns of a speaker that finds no clock, unless it is tried with another.
    func warnOfClock(_ trouble: ClockTrouble, _ failure: SpeakerFailure, of id: SessionID) {
        guard let member = member(id), !member.triesOtherClock(after: trouble, in: self) else { return }
        warn(member, failure)
    }

    /// Notes that a sign of life is missing.
    func silent(_ id: SessionID) { receive(.silent(id)) }

    /// Notes a sign of life, and the duration of the slowest recent answer.
    func alive(_ id: SessionID, slowest: Duration) { receive(.alive(id, slowest: slowest)) }

    func set(_ state: SpeakerState, of id: SessionID) {
        if let member = member(id) { set(state, of: member) }
    }

    /// See ``GroupMember/refreshProgress(in:)``.
    func refreshProgress(of id: SessionID) async { await member(id)?.refreshProgress(in: self) }
}
