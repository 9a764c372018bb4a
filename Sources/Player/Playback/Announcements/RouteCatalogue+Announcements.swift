import AirPlayMessages
import AirPlaySender
import Foundation
import Synchronization
import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO

/// An announcement that is mixed into what speakers of a selection play.
public struct RouteAnnouncement: Sendable {
    /// The end of an announcement.
    public enum Outcome: Sendable, Equatable {
        /// It was heard to its end.
        case heard
        /// Nothing plays that it could be mixed into, or what plays ends before it would; nothing was heard of it.
        case nothingPlays
        /// The music was stopped, or went elsewhere, before the end.
        case interrupted
        /// The task was cancelled before the end.
        case cancelled
    }

    /// The sound.
    public var sound: AnnouncementSound
    /// The speakers; `nil` for all of the selection.
    public var speakers: Set<RouteOption.ID>?
    /// The volume of the speakers while it is heard, in percent; `nil` for the volume that they have.
    public var volume: Double?
    /// The level of the music under it, in decibels.
    public var musicLevel = -18.0
    /// Whether the music is silent meanwhile, also in the other speakers; the program then goes back to where it was.
    public var silencesMusic = false

    /// Makes an announcement.
    public init(_ sound: AnnouncementSound, speakers: Set<RouteOption.ID>? = nil, volume: Double? = nil) {
        (self.sound, self.speakers, self.volume) = (sound, speakers, volume)
    }
}

extension RouteCatalogue {
    /// The silence before an announcement for which a speaker's volume is raised, in seconds: the music is down and
    /// the volume is up by then.
    private static let raisingTime = 0.25
    /// Tries to change what speakers hold, and the pause between them.
    private static let tries = 8
    private static let pause = Duration.milliseconds(250)
    private static let raisedPause = Duration.milliseconds(40)

    /// Mixes an announcement into what speakers play, as soon as all of them can change what they hold; the music is
    /// softer meanwhile, and continues afterwards where it would have been, sample by sample. Returns when it was heard.
    /// Cancelling the task ends it soon.
    ///
    /// - Parameter began: Called with the seconds until it begins to be heard.
    public func announce(
        _ announcement: RouteAnnouncement, began: @Sendable (Double) -> Void = { _ in }
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
                do { try await services.machine.sleep(for: Self.pause) } catch { return .cancelled }
            case .begins(let time):
                began(time.since(services.machine.now).inSeconds)
                return await follow(id, plan, in: chosen.group, begins: time)
            }
        }
        return .nothingPlays
    }

    private func follow(
        _ id: Int, _ plan: AnnouncementPlan, in group: SpeakerGroup, begins: HostTime
    ) async -> RouteAnnouncement.Outcome {
        let machine = services.machine
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

    /// Sets what a speaker's sound goes through: equaliser and night mode. Heard soon, also where minutes are in the
    /// speaker already.
    public func setTreatment(_ treatment: SoundTreatment, of id: RouteOption.ID) {
        guard let chosen = routing.speakers else { return }
        for member in chosen.members where member.id == id {
            chosen.group.setTreatment(treatment, speaker: member.target.key)
        }
    }

    /// Sets the volume of speakers for an announcement, without a change of the volume that they have for music. A speaker
    /// whose volume is unknown keeps it, because nobody could set it back.
    ///
    /// - Parameter percent: `nil` for the volume that they have.
    public func setAnnouncementVolume(_ percent: Double?, of ids: Set<RouteOption.ID>) {
        guard let chosen = routing.speakers else { return }
        let concerned = chosen.members.filter { ids.contains($0.id) }
        guard let percent else { return members.sendVolumes(of: concerned.map(\.target.key)) }
        for member in concerned where chosen.volumes.volume(of: member.target.key) != nil {
            let volume = Volume(percent: min(100, percent) * member.target.maximumVolume / 100)
            chosen.group.setVolume(volume, speaker: member.target.key)
        }
    }

    /// An announcement for each speaker of a group, with its gains; by the speaker's key.
    fileprivate struct AnnouncementPlan {
        var overlays: [String: SoundOverlay] = [:]
        /// The volumes of speakers that have to be louder for it.
        var raised: [String: Volume] = [:]

        /// - Returns: `nil` if none of the speakers is to play it, or its sound cannot be converted.
        init?(_ announcement: RouteAnnouncement, for chosen: ChosenSpeakers, at rate: SampleRate) {
            let isHeard = chosen.members.contains { announcement.speakers?.contains($0.id) != false }
            guard isHeard, let sound = try? announcement.sound.converted(to: rate) else { return nil }
            let music = announcement.silencesMusic ? -.infinity : announcement.musicLevel
            var late: PCMBuffer?
            for member in chosen.members {
                let (key, maximum) = (member.target.key, member.target.maximumVolume / 100)
                guard announcement.speakers?.contains(member.id) != false else {
                    if announcement.silencesMusic {
                        overlays[key] = SoundOverlay(sound, gain: 0, musicGain: 0)
                    }
                    continue
                }
                let now = chosen.volumes.volume(of: key).map { Volume(percent: $0 * maximum) }
                let wanted = announcement.volume.map { Volume(percent: min(100, $0) * maximum) }
                guard let wanted, wanted != now else {
                    overlays[key] = SoundOverlay(sound, musicGain: Self.gain(music))
                    continue
                }
                // Without a known volume nobody could set it back.
                let raise = now.map { wanted.decibels - $0.decibels } ?? 0
                guard raise > 0 else {
                    overlays[key] = SoundOverlay(
                        sound, gain: Self.gain(raise), musicGain: Self.gain(music))
                    continue
                }
                raised[key] = wanted
                late = late ?? Self.delayed(sound)
                overlays[key] = SoundOverlay(late ?? sound, musicGain: Self.gain(music - raise))
            }
            if overlays.isEmpty { return nil }
        }

        private static func gain(_ decibels: Double) -> Float { Float(pow(10, decibels / 20)) }

        private static func delayed(_ sound: PCMBuffer) -> PCMBuffer {
            let frames = RouteCatalogue.raisingTime * Double(sound.format.sampleRate.hertz)
            var late = PCMBuffer(format: sound.format, silentFrameCount: Int(frames))
            late.append(sound)
            return late
        }
    }
}

/// Numbers of announcements, unique in the process.
private enum AnnouncementNumbers {
    private static let last = Atomic<Int>(0)

    static func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
