import AirPlaySender
import TuttiPCM

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
    private var announcements: AnnouncementMixer {
        AnnouncementMixer(routing: routing, members: members, machine: services.machine)
    }

    /// Mixes an announcement into what speakers play, as soon as all of them can change what they hold; the music is
    /// softer meanwhile, and continues afterwards where it would have been, sample by sample. Returns when it was heard.
    /// Cancelling the task ends it soon.
    ///
    /// - Parameter began: Called with the seconds until it begins to be heard.
    public func announce(
        _ announcement: RouteAnnouncement, began: @Sendable (Double) -> Void = { _ in }
    ) async -> RouteAnnouncement.Outcome {
        await announcements.announce(announcement, began: began)
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
        announcements.setVolume(percent, of: ids)
    }
}
