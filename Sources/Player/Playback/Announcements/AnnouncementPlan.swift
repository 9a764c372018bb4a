import AirPlayMessages
import AirPlaySender
import Foundation
import TuttiMediaTime
import TuttiPCM

/// An announcement for each speaker of a group, with its gains; by the speaker's key.
struct AnnouncementPlan {
    /// The silence before an announcement for which a speaker's volume is raised, in seconds: the music is down and
    /// the volume is up by then.
    private static let raisingTime = 0.25

    private(set) var overlays: [String: SoundOverlay] = [:]
    /// The volumes of speakers that have to be louder for it.
    private(set) var raised: [String: Volume] = [:]

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
        let frames = raisingTime * Double(sound.format.sampleRate.hertz)
        var late = PCMBuffer(format: sound.format, silentFrameCount: Int(frames))
        late.append(sound)
        return late
    }
}
