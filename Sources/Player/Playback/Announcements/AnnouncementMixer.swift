import AirPlayMessages
import AirPlaySender
import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// Mixes announcements into what the chosen speakers play. Any thread.
struct AnnouncementMixer: Sendable {
    let routing: QueueRouting
    let members: SpeakerMembers
    let machine: any Machine

    /// Tries to change what speakers hold, and the pause between them.
    private static let tries = 8
    private static let pause = Duration.milliseconds(250)
    private static let raisedPause = Duration.milliseconds(40)

    /// Mixes an announcement in, and returns when it was heard; see ``RouteCatalogue/announce(_:began:)``.
    func announce(
        _ announcement: RouteAnnouncement, began: @Sendable (Double) -> Void
    ) async -> RouteAnnouncement.Outcome {
        for attempt in 1...Self.tries {
            guard let chosen = routing.speakers, let rate = await chosen.group.wireRate,
                let plan = AnnouncementPlan(announcement, for: chosen, at: rate)
            else { return .nothingPlays }
            let id = AnnouncementNumbers.next()
            switch await chosen.group.announce(id, plan.overlays) {
            case .nothingPlays: return .nothingPlays
            case .notNow where attempt == Self.tries: return .nothingPlays
            case .notNow:
                do { try await machine.sleep(for: Self.pause) } catch { return .cancelled }
            case .begins(let time):
                began(time.since(machine.now).inSeconds)
                return await follow(id, plan, in: chosen.group, begins: time)
            }
        }
        return .nothingPlays
    }

    private func follow(
        _ id: Int, _ plan: AnnouncementPlan, in group: SpeakerGroup, begins: HostTime
    ) async -> RouteAnnouncement.Outcome {
        var isRaised = false
        while true {
            let progress = await group.progress(ofAnnouncement: id)
            if isRaised, progress == .ended || progress == .dropped || Task.isCancelled {
                members.sendVolumes(of: Array(plan.raised.keys))
            }
            switch progress {
            case .ended: return .heard
            case .dropped: return .interrupted
            case .until(let end):
                if Task.isCancelled {
                    group.cancelAnnouncement(id)
                    return .cancelled
                }
                let now = machine.now
                let rise = begins.advanced(by: .milliseconds(100))
                if !isRaised, now >= rise, !plan.raised.isEmpty {
                    isRaised = true
                    for (key, volume) in plan.raised { group.setVolume(volume, speaker: key) }
                }
                let next = isRaised || plan.raised.isEmpty ? end : min(rise, end)
                // A raised volume must not outlast the announcement.
                let pause = isRaised ? Self.raisedPause : Self.pause
                await machine.pause(for: min(pause, max(.milliseconds(1), next.since(now))))
            }
        }
    }

    /// Sets the volume of speakers for an announcement that is not mixed in; see
    /// ``RouteCatalogue/setAnnouncementVolume(_:of:)``.
    func setVolume(_ percent: Double?, of ids: Set<RouteOption.ID>) {
        guard let chosen = routing.speakers else { return }
        let concerned = chosen.members.filter { ids.contains($0.id) }
        guard let percent else { return members.sendVolumes(of: concerned.map(\.target.key)) }
        for member in concerned where chosen.volumes.volume(of: member.target.key) != nil {
            let volume = Volume(percent: min(100, percent) * member.target.maximumVolume / 100)
            chosen.group.setVolume(volume, speaker: member.target.key)
        }
    }
}

/// Numbers of announcements, unique in the process.
private enum AnnouncementNumbers {
    private static let last = Atomic<Int>(0)

    static func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
