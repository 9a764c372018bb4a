extension CommandRow {
    static func zones(_ name: CommandName) -> CommandRow {
        switch name {
        case .makeZone:
            CommandRow(
                name, "Makes a zone from rooms.", page: "New zone", http: #"POST /zones {"name":"Attic"}"#,
                shell: "zone new Attic", mpd: "newpartition Attic", mqtt: .lacks(.noZonesByMQTT),
                mpris: .lacks(.noWordInMPRIS))
        case .renameZone:
            CommandRow(
                name, "Gives a zone another name.", page: "Menu of a zone, Rename",
                http: #"PATCH /zones/{zone} {"name":"Loft"}"#, shell: "zone rename ZONE Loft",
                mpd: .lacks(.noWordInMPD), mqtt: .lacks(.noZonesByMQTT), mpris: .lacks(.noWordInMPRIS))
        case .removeZone:
            CommandRow(
                name, "Removes a zone and its queue.", page: "Menu of a zone, Remove",
                http: "DELETE /zones/{zone}", shell: "zone remove ZONE", mpd: "delpartition ZONE",
                mqtt: .lacks(.noZonesByMQTT), mpris: .lacks(.noWordInMPRIS))
        case .moveRoom:
            CommandRow(
                name, "Moves a room to a zone while it plays, or takes it out of its zone.",
                page: "Tap on a room",
                http: #"PUT /rooms/{room}/zone {"zone":1}"#, shell: "room move ROOM ZONE",
                mpd: "enableoutput 0",
                mqtt: "room/+/zone/set=1", mpris: .lacks(.noWordInMPRIS))
        default:
            CommandRow(
                name, "Moves queue, position and state to another zone.",
                page: "Menu of a zone, “Move playback”", http: #"POST /zones/{zone}/transfer {"to":2}"#,
                shell: "zone transfer ZONE TO", mpd: .lacks(.noWordInMPD), mqtt: "zone/+/transfer/set=2",
                mpris: .lacks(.noWordInMPRIS))
        }
    }

    static func rooms(_ name: CommandName) -> CommandRow {
        switch name {
        case .setRoomVolume:
            CommandRow(
                name, "Sets the volume of a room.", page: "Volume of a room",
                http: #"PUT /rooms/{room}/volume {"percent":25}"#, shell: "volume --room ROOM 25",
                mpd: "outputset 0 volume 25", mqtt: "room/+/volume/set=25", mpris: .lacks(.noWordInMPRIS))
        case .setRoomDelay:
            CommandRow(
                name, "Sets the time by which a room plays later than the others.",
                page: "Settings of a room, Delay",
                http: #"PUT /rooms/{room}/delay {"milliseconds":20}"#, shell: "room delay ROOM 20",
                mpd: "outputset 0 delay 20", mqtt: "room/+/delay/set=20", mpris: .lacks(.noWordInMPRIS))
        case .setRoomPassword:
            CommandRow(
                name, "Gives the password or PIN that a room needs.", page: "Enter password",
                http: #"PUT /rooms/{room}/password {"password":"4711"}"#, shell: "room password ROOM",
                mpd: .lacks(.noWordInMPD), mqtt: .lacks(.secretsByMQTT), mpris: .lacks(.noWordInMPRIS))
        default:
            CommandRow(
                name, "Forgets an absent room.", page: "Forget this room",
                http: "DELETE /rooms/{room}", shell: "room forget ROOM", mpd: .lacks(.noWordInMPD),
                mqtt: .lacks(.forgetting), mpris: .lacks(.noWordInMPRIS))
        }
    }

    static func roomSound(_ name: CommandName) -> CommandRow {
        switch name {
        case .setRoomEqualizer:
            CommandRow(
                name, "Sets the equaliser of a room, or turns it off.", page: "Settings of a room, Equaliser",
                http: #"PUT /rooms/{room}/equalizer {"preset":"bass"}"#, shell: "room equalizer ROOM bass",
                mpd: .lacks(.noWordInMPD), mqtt: "room/+/equalizer/set=bass", mpris: .lacks(.noWordInMPRIS))
        case .setRoomMaximumVolume:
            CommandRow(
                name, "Sets the maximum volume of a room, to which 100 % then corresponds.",
                page: "Settings of a room, Loudest", http: #"PUT /rooms/{room}/maximum {"percent":60}"#,
                shell: "room maximum ROOM 60", mpd: "outputset 0 maximum 60", mqtt: "room/+/maximum/set=60",
                mpris: .lacks(.noWordInMPRIS))
        default:
            CommandRow(
                name, "Turns night mode on or off: loud sound softer, soft sound louder.",
                page: "Settings of a room, Night mode", http: #"PUT /rooms/{room}/night {"on":true}"#,
                shell: "room night ROOM on", mpd: "outputset 0 night 1", mqtt: "room/+/night/set=on",
                mpris: .lacks(.noWordInMPRIS))
        }
    }

    static func calls(_ name: CommandName) -> CommandRow {
        switch name {
        case .announce:
            CommandRow(
                name, "Plays an announcement, after the waiting ones.", page: "Announcement",
                http: #"POST /announcements {"location":"FILE"}"#, shell: "say FILE",
                mpd: .lacks(.noWordInMPD), mqtt: "announce/set=FILE", mpris: .lacks(.noWordInMPRIS))
        case .cancelAnnouncement:
            CommandRow(
                name, "Ends an announcement, or removes a waiting one.", page: "End, Cancel",
                http: "DELETE /announcements/{announcement}", shell: "say --cancel ID",
                mpd: .lacks(.noWordInMPD), mqtt: "cancel/set=ID", mpris: .lacks(.noWordInMPRIS))
        case .setAlarm:
            CommandRow(
                name, "Makes an alarm, or changes the one with the same number.", page: "Alarms",
                http: #"POST /alarms {"zone":1,"minute":390}"#, shell: "alarm add 6:30",
                mpd: .lacks(.noWordInMPD), mqtt: #"alarm/set={"zone":1,"minute":390}"#,
                mpris: .lacks(.noWordInMPRIS))
        default:
            CommandRow(
                name, "Removes an alarm.", page: "Alarms, Remove", http: "DELETE /alarms/{alarm}",
                shell: "alarm remove ID", mpd: .lacks(.noWordInMPD), mqtt: "alarm/+/remove/set",
                mpris: .lacks(.noWordInMPRIS))
        }
    }
}
