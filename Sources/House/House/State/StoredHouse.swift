import Playback

/// A zone as it is stored.
struct StoredZone: Sendable, Equatable {
    /// The wish of the user, which survives a restart.
    enum Wish: String, Codable, Sendable { case stopped, paused, playing }

    var id: ZoneID
    var name: String
    var wish = Wish.stopped
    var rate = 1.0
    var repeatMode = RepeatMode.off
    var isShuffled = false
    var current: EntryID?
    /// The position in the current entry in seconds.
    var position = 0.0
    var sleep: SleepTimer?
    var queueRevision: UInt64 = 0
    var levelling = VolumeLevelling.off
    /// Seconds by which tracks overlap.
    var crossfade = 0.0
    /// Seconds in which the sleep timer lowers the volume.
    var sleepFade = 0.0

    /// Takes what has changed between two starts of the house.
    ///
    /// - Parameter resumesPlaying: Whether a zone that played plays again.
    mutating func restart(resumesPlaying: Bool, at time: Double) {
        if wish == .playing, !resumesPlaying { wish = .paused }
        if case .at(let end) = sleep, time >= end {
            sleep = nil
            if wish == .playing { wish = .paused }
        }
    }
}

/// A room as it is stored.
struct StoredRoom: Sendable, Equatable, Codable {
    var id: RoomID
    var name: String
    var model: String?
    var kind: RoomSnapshot.Kind
    var zone: ZoneID?
    var volume: Double?
    /// Milliseconds.
    var delay = 0.0
    /// Where the speakers were last: two for a stereo pair.
    var references: [SpeakerReference] = []
    /// The password that the user gave.
    var password: String?
    // Optional, so that rooms that were stored without them decode.
    var equalizer: Equalizer?
    /// Percent of the speaker's own scale; `nil` for what its settings say.
    var maximumVolume: Double?
    var nightMode: Bool?

    init(id: RoomID, name: String, model: String? = nil, kind: RoomSnapshot.Kind) {
        (self.id, self.name, self.model, self.kind) = (id, name, model, kind)
    }

    /// Whether nothing was set of the room, so that forgetting it loses nothing.
    var isUntouched: Bool {
        var new = StoredRoom(id: id, name: name, model: model, kind: kind)
        new.references = references
        return self == new
    }

    /// The equaliser and night mode.
    var treatment: SoundTreatment {
        SoundTreatment(equalizer: equalizer?.gains, isNightMode: nightMode ?? false)
    }
}

/// All that a house stores, as it begins.
struct StoredHouse: Sendable {
    var zones: [(zone: StoredZone, queue: HouseQueue)] = []
    var rooms: [StoredRoom] = []
    var alarms: [StoredAlarm] = []
    var counters = HouseCounters()
}

/// The numbers that a house never gives twice.
struct HouseCounters: Sendable, Equatable {
    var lastEntry: Int64 = 0
    var lastZone = 0
    var lastAlarm = 0
}
