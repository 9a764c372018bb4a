extension CommandRow {
    /// All rows, in the order of the names.
    package static let all = CommandName.allCases.map(row)

    /// The row of a name. A new name does not compile without one.
    private static func row(_ name: CommandName) -> CommandRow {
        switch name {
        case .play, .pause, .toggle, .stop, .next, .previous: playback(name)
        case .seek, .skip, .setRate: position(name)
        case .setShuffle, .setRepeat: order(name)
        case .sleep, .sleepAtEndOfTrack, .setSleepFade: sleepTimer(name)
        case .setZoneVolume, .setLevelling, .setCrossfade, .playInput: zoneSound(name)
        case .add, .jump, .remove, .move, .clear: queue(name)
        case .makeZone, .renameZone, .removeZone, .moveRoom, .transfer: zones(name)
        case .setRoomVolume, .setRoomDelay, .setRoomPassword, .forgetRoom: rooms(name)
        case .setRoomEqualizer, .setRoomMaximumVolume, .setRoomNightMode: roomSound(name)
        case .announce, .cancelAnnouncement, .setAlarm, .removeAlarm: calls(name)
        }
    }

    private static func playback(_ name: CommandName) -> CommandRow {
        switch name {
        case .play:
            CommandRow(
                name, "Plays the current entry, or the first one.", page: "Play",
                http: "POST /zones/{zone}/play", shell: "play", mpd: "play", mqtt: "zone/+/play/set",
                mpris: "Play")
        case .pause:
            CommandRow(
                name, "Pauses, and keeps the position.", page: "Pause", http: "POST /zones/{zone}/pause",
                shell: "pause", mpd: "pause 1", mqtt: "zone/+/pause/set", mpris: "Pause")
        case .toggle:
            CommandRow(
                name, "Plays if paused, else pauses.", page: .lacks(.oneButton),
                http: "POST /zones/{zone}/toggle", shell: "toggle", mpd: "pause", mqtt: "zone/+/toggle/set",
                mpris: "PlayPause")
        case .stop:
            CommandRow(
                name, "Pauses at the beginning of the entry, and releases the rooms.",
                page: .lacks(.pageStop),
                http: "POST /zones/{zone}/stop", shell: "stop", mpd: "stop", mqtt: "zone/+/stop/set",
                mpris: "Stop")
        case .next:
            CommandRow(
                name, "Goes to the next entry.", page: "Next", http: "POST /zones/{zone}/next", shell: "next",
                mpd: "next", mqtt: "zone/+/next/set", mpris: "Next")
        default:
            CommandRow(
                name, "Goes to the beginning of the entry or, in its first 3 s, to the previous entry.",
                page: "Previous", http: "POST /zones/{zone}/previous", shell: "previous",
                mpd: .differs("previous", .previousOfMPD), mqtt: "zone/+/previous/set", mpris: "Previous")
        }
    }

    private static func position(_ name: CommandName) -> CommandRow {
        switch name {
        case .seek:
            CommandRow(
                name, "Continues at a second of the entry.", page: "Seek bar",
                http: #"PUT /zones/{zone}/position {"seconds":30}"#, shell: "seek 0:30", mpd: "seekcur 30",
                mqtt: "zone/+/position/set=30", mpris: "SetPosition")
        case .skip:
            CommandRow(
                name, "Skips a number of seconds forwards, or backwards.", page: "Keys ← and →",
                http: #"PUT /zones/{zone}/position {"by":10}"#, shell: "seek +10", mpd: "seekcur +10",
                mqtt: #"zone/+/position/set={"by":10}"#, mpris: "Seek")
        default:
            CommandRow(
                name, "Plays at a rate, 0.5 to 2.", page: "Speed",
                http: #"PUT /zones/{zone}/rate {"rate":1.5}"#,
                shell: .lacks(.noSpeedInShell), mpd: .lacks(.noWordInMPD), mqtt: "zone/+/rate/set=1.5",
                mpris: "Rate")
        }
    }

    private static func order(_ name: CommandName) -> CommandRow {
        switch name {
        case .setShuffle:
            CommandRow(
                name, "Plays in random order, or in the queue's order.", page: "Shuffle",
                http: #"PUT /zones/{zone}/shuffle {"on":true}"#, shell: "shuffle on", mpd: "random 1",
                mqtt: "zone/+/shuffle/set=on", mpris: "Shuffle")
        default:
            CommandRow(
                name, "Repeats nothing, one entry, or the queue.", page: "Repeat",
                http: #"PUT /zones/{zone}/repeat {"mode":"all"}"#, shell: "repeat all", mpd: "repeat 1",
                mqtt: "zone/+/repeat/set=all", mpris: "LoopStatus")
        }
    }

    private static func sleepTimer(_ name: CommandName) -> CommandRow {
        switch name {
        case .sleep:
            CommandRow(
                name, "Pauses after a time, or turns the timer off.", page: "Sleep",
                http: #"PUT /zones/{zone}/sleep {"seconds":600}"#, shell: "sleep 10m",
                mpd: .lacks(.noWordInMPD), mqtt: "zone/+/sleep/set=600", mpris: .lacks(.noWordInMPRIS))
        case .sleepAtEndOfTrack:
            CommandRow(
                name, "Pauses at the end of the current entry.", page: "Sleep, “At the end of the track”",
                http: #"PUT /zones/{zone}/sleep {"endOfTrack":true}"#, shell: "sleep end",
                mpd: "single oneshot", mqtt: "zone/+/sleep/set=endOfTrack", mpris: .lacks(.noWordInMPRIS))
        default:
            CommandRow(
                name, "Sets the time in which the sleep timer lowers the volume.",
                page: "Sound, “Sleep timer: fade out”", http: #"PUT /zones/{zone}/sleep-fade {"seconds":30}"#,
                shell: "zone sleep-fade ZONE 30s", mpd: .lacks(.noWordInMPD),
                mqtt: "zone/+/sleep-fade/set=30", mpris: .lacks(.noWordInMPRIS))
        }
    }

    private static func zoneSound(_ name: CommandName) -> CommandRow {
        switch name {
        case .setZoneVolume:
            CommandRow(
                name, "Sets the volume of the loudest room; the others follow.", page: "Volume",
                http: #"PUT /zones/{zone}/volume {"percent":35}"#, shell: "volume 35", mpd: "setvol 35",
                mqtt: "zone/+/volume/set=35", mpris: "Volume")
        case .setLevelling:
            CommandRow(
                name, "Plays tracks, or albums, at the same loudness.", page: "Sound, Loudness",
                http: #"PUT /zones/{zone}/levelling {"mode":"track"}"#, shell: "zone levelling ZONE track",
                mpd: "replay_gain_mode track", mqtt: "zone/+/levelling/set=track",
                mpris: .lacks(.noWordInMPRIS))
        case .setCrossfade:
            CommandRow(
                name, "Lets tracks overlap by 0 to 12 s.", page: "Sound, Crossfade",
                http: #"PUT /zones/{zone}/crossfade {"seconds":4}"#, shell: "zone crossfade ZONE 4",
                mpd: "crossfade 4", mqtt: "zone/+/crossfade/set=4", mpris: .lacks(.noWordInMPRIS))
        default:
            CommandRow(
                name, "Plays an input of the zone, by its name, instead of the queue.",
                page: "Menu of a zone",
                http: #"PUT /zones/{zone}/input {"name":"INPUT"}"#, shell: "zone input ZONE INPUT",
                mpd: .lacks(.noWordInMPD), mqtt: "zone/+/input/set=INPUT", mpris: .lacks(.noWordInMPRIS))
        }
    }

    private static func queue(_ name: CommandName) -> CommandRow {
        switch name {
        case .add:
            CommandRow(
                name, "Adds items at a place of the queue.", page: "Menu of an item",
                http: #"POST /zones/{zone}/queue {"items":[{"location":"FILE"}]}"#, shell: "queue add FILE",
                mpd: "add FILE", mqtt: "zone/+/queue/set=FILE", mpris: "OpenUri")
        case .jump:
            CommandRow(
                name, "Plays an entry from its beginning.", page: "Tap on an entry",
                http: "POST /zones/{zone}/queue/{entry}/play", shell: "queue play 2", mpd: "playid ID",
                mqtt: .lacks(.noEntriesInMQTT), mpris: "GoTo")
        case .remove:
            CommandRow(
                name, "Removes entries.", page: "Remove, on an entry",
                http: #"POST /zones/{zone}/queue/remove {"entries":[ID]}"#, shell: "queue remove 2",
                mpd: "deleteid ID", mqtt: .lacks(.noEntriesInMQTT), mpris: "RemoveTrack")
        case .move:
            CommandRow(
                name, "Moves entries before another one.", page: "Drag an entry",
                http: #"POST /zones/{zone}/queue/move {"entries":[ID],"before":ID}"#, shell: "queue move 3 1",
                mpd: "moveid ID 0", mqtt: .lacks(.noEntriesInMQTT), mpris: .lacks(.noWordInMPRIS))
        default:
            CommandRow(
                name, "Removes all entries, and stops.", page: "Menu of the queue",
                http: "DELETE /zones/{zone}/queue", shell: "queue clear", mpd: "clear",
                mqtt: .lacks(.noEntriesInMQTT), mpris: .lacks(.noWordInMPRIS))
        }
    }
}
