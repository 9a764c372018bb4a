import AirPlayMessages
import MediaTime
import SystemIO

/// Edits of the sound that the speakers already hold.
extension SpeakerGroup {
    /// Withdraws the sound from `frame` on from playing speakers; returns `false` if that is too near the playhead.
    func cutAll(at frame: Int64) async -> Bool {
        // A receiver plays what it has decoded, about a second ahead.
        let margin: Duration
        switch phase {
        case .playing(let line):
            margin = line.host(of: frame).since(SystemClock.now)
            guard await canCut(margin) else { return false }
        case .paused(let paused):
            margin = .nanoseconds(sampleRate.nanoseconds(of: frame - paused))
            guard await canCut(margin) else { return await cutUntold(at: frame) }
        case .idle, .starting: return await cutUntold(at: frame)
        }
        isCutOpen = true
        var tasks: [Task<Void, Never>] = []
        for member in members {
            guard let session = member.session, let withdrawal = await session.takeBack(from: frame) else {
                continue
            }
            tasks.append(
                Task { [weak self] in
                    do {
                        try await withdrawal(margin - (session.traits.takeBackMargin ?? .zero))
                    } catch {
                        await self?.missedCut(member, session, SpeakerFailure(error))
                    }
                })
        }
        // An unreachable speaker learns of the cut later; do not wait for it.
        await settle(tasks, within: timing.promptness)
        return true
    }

    /// Returns whether every speaker can take back sound at this distance from its playhead.
    private func canCut(_ margin: Duration) async -> Bool {
        guard margin >= SessionTraits.bufferedTakeBackMargin else { return false }
        for member in members {
            guard let session = member.session else { continue }
            guard let least = session.traits.takeBackMargin, margin >= least,
                await session.canTakeBack(at: playhead)
            else { return false }
        }
        return true
    }

    /// Cuts while nothing is heard: the next start flushes the speakers.
    private func cutUntold(at frame: Int64) async -> Bool {
        isCutOpen = true
        for member in members { await member.session?.takeBackSilently(from: frame) }
        return true
    }

    /// Marks a speaker that still holds the withdrawn sound; refills it at once or when it answers again.
    private func missedCut(
        _ member: GroupMember, _ session: any SpeakerSession, _ failure: SpeakerFailure
    ) async {
        guard member.session === session else { return }
        warn(member, failure)
        member.hasMissedCut = true
        // While the cut is open, the store still has the old sound, and a refill would send it again.
        if failure.code == .refused, !isCutOpen { await refill(member) }
    }

    /// Clears a speaker that holds the wrong sound, and lets it rejoin the line.
    func refill(_ member: GroupMember) async {
        guard member.hasMissedCut, let session = member.session else { return }
        member.hasMissedCut = false
        member.isAnchored = false
        do { try await session.clear() } catch { warn(member, SpeakerFailure(error)) }
        joinLater(member, after: .zero)
    }
}
