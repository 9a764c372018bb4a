import AirPlayMessages
import MediaTime
import SystemIO

/// Edits of the sound that the speakers already hold.
extension SpeakerGroup {
    /// Least distance of a deferred flush from the playhead: shairport-sync decodes 0.85 s ahead and
    /// ignores a flush of decoded packets (*observed*: 1.0 s worked, 0.4 s did not).
    static let cutMargin = Duration.milliseconds(1200)

    /// Withdraws the sound from `frame` on from playing speakers; returns `false` if that is too near the playhead.
    func cutAll(at frame: Int64) async -> Bool {
        // A receiver plays what it has decoded, about a second ahead.
        let margin: Duration
        switch phase {
        case .playing(let line):
            margin = line.host(of: frame).since(SystemClock.now)
            guard margin >= Self.cutMargin, await canCut() else { return false }
        case .paused(let paused):
            margin = .nanoseconds(sampleRate.nanoseconds(of: frame - paused))
            guard margin >= Self.cutMargin, await canCut() else { return await cutUntold(at: frame) }
        case .idle, .starting: return await cutUntold(at: frame)
        }
        isCutOpen = true
        var tasks: [Task<Void, Never>] = []
        for member in members {
            guard let session = member.session, let range = await session.withdraw(from: frame) else {
                continue
            }
            tasks.append(
                Task { [weak self] in
                    do {
                        try await session.flush(range, patience: margin - Self.cutMargin)
                    } catch {
                        await self?.missedCut(member, session, SpeakerFailure(error))
                    }
                })
        }
        // An unreachable speaker learns of the cut later; do not wait for it.
        await settle(tasks, within: timing.promptness)
        return true
    }

    private func canCut() async -> Bool {
        for member in members {
            if let session = member.session, await !session.canCut(at: playhead) { return false }
        }
        return true
    }

    /// Cuts while nothing is heard: the next start flushes the speakers.
    private func cutUntold(at frame: Int64) async -> Bool {
        isCutOpen = true
        for member in members { await member.session?.stream.withdraw(from: frame, forcesRestart: true) }
        return true
    }

    /// Marks a speaker that still holds the withdrawn sound; refills it at once or when it answers again.
    private func missedCut(
        _ member: GroupMember, _ session: SpeakerSession, _ failure: SpeakerFailure
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
