import TuttiMediaTime
import TuttiPCM

/// An announcement for some of a group's speakers.
struct PlannedAnnouncement: Sendable {
    let id: Int
    /// The sound for each speaker, by its key; all of the same length.
    let overlays: [String: SoundOverlay]

    /// Returns whether its sound has this sample rate.
    func isMade(for rate: SampleRate) -> Bool {
        overlays.values.allSatisfy { $0.sound.format.sampleRate == rate }
    }
}

/// An announcement with its place in the sound of a group.
struct RunningAnnouncement: Equatable, Sendable {
    let id: Int
    let frame: Int64
    /// The end of the announcement itself, before the music has its own level again.
    var soundEnd: Int64
    var endFrame: Int64
    /// The speakers that it is for, by their keys.
    let speakers: Set<String>
}

extension RunningAnnouncement {
    /// Gives an announcement its place.
    init(_ planned: PlannedAnnouncement, at frame: Int64) {
        let overlays = planned.overlays.values
        self.init(
            id: planned.id, frame: frame,
            soundEnd: frame + Int64(overlays.map(\.sound.frameCount).max() ?? 0),
            endFrame: frame + (overlays.map(\.frameCount).max() ?? 0),
            speakers: Set(planned.overlays.keys))
    }
}

/// The announcements of a group that are heard or about to be.
struct GroupAnnouncements: Sendable {
    private var running: [RunningAnnouncement] = []

    /// The announcement with this number; `nil` if it is over, or was dropped.
    subscript(id: Int) -> RunningAnnouncement? { running.first { $0.id == id } }

    mutating func add(_ announcement: RunningAnnouncement) { running.append(announcement) }

    /// Lets an announcement end at a frame. It is kept until the music has its own level: a jump before must find it.
    ///
    /// - Parameter fade: More frames than the end and the music after it take.
    mutating func end(_ id: Int, at frame: Int64, fade: Int64) {
        guard let index = running.firstIndex(where: { $0.id == id }) else { return }
        running[index].soundEnd = min(running[index].soundEnd, max(frame, running[index].frame))
        running[index].endFrame = min(running[index].endFrame, frame + fade)
    }

    mutating func remove(_ id: Int) { running.removeAll { $0.id == id } }

    /// Removes all announcements; returns them.
    mutating func removeAll() -> [RunningAnnouncement] {
        defer { running = [] }
        return running
    }

    /// Removes the announcements that end before a frame; returns them.
    mutating func removeAll(endingBefore frame: Int64) -> [RunningAnnouncement] {
        let over = running.filter { $0.endFrame < frame }
        running.removeAll { $0.endFrame < frame }
        return over
    }
}
