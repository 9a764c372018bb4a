import Testing
import TuttiHouse
import TuttiSurfaceCommands

@testable import TuttiHouseMPD

@Suite("The table of commands, MPD")
struct SurfaceCommandTests {
    @Test("each row is a command that MPD clients can send, with so many arguments")
    func commands() throws {
        for row in CommandRow.all {
            guard let words = row[.mpd].words?.split(separator: " ") else { continue }
            let command = try #require(CommandTable.commands[String(words[0])], "\(row.name)")
            #expect(command.count.contains(words.count - 1), "\(row.name)")
        }
    }

    @Test("a command of the house has the row of its own name")
    func names() {
        let (zone, room, entry) = (ZoneID(rawValue: 1), RoomID(rawValue: "a"), EntryID(rawValue: 1))
        let commands: [HouseCommand] = [
            .play(zone), .pause(zone), .toggle(zone), .stop(zone), .next(zone), .previous(zone),
            .seek(zone, seconds: 1), .skip(zone, seconds: 1), .setRate(zone, 1), .setShuffle(zone, true),
            .setRepeat(zone, .all), .sleep(zone, afterSeconds: nil), .sleepAtEndOfTrack(zone),
            .setZoneVolume(zone, 1), .setLevelling(zone, .off), .setCrossfade(zone, seconds: 1),
            .setSleepFade(zone, seconds: 1), .playInput(zone, "x"), .add(zone, [], .end), .jump(zone, entry),
            .remove(zone, []), .move(zone, [], before: nil), .clear(zone), .makeZone(name: "x", rooms: []),
            .renameZone(zone, "x"), .removeZone(zone), .moveRoom(room, to: nil), .transfer(zone, to: zone),
            .setRoomVolume(room, 1), .setRoomDelay(room, milliseconds: 1), .setRoomPassword(room, "x"),
            .forgetRoom(room), .setRoomEqualizer(room, nil), .setRoomMaximumVolume(room, 1),
            .setRoomNightMode(room, true), .announce(AnnouncementRequest(location: "x")),
            .cancelAnnouncement(AnnouncementID(rawValue: 1)), .setAlarm(Alarm(zone: zone, minute: 1)),
            .removeAlarm(AlarmID(rawValue: 1)),
        ]
        for command in commands {
            #expect("\(command)".prefix { $0 != "(" } == CommandName(command).rawValue)
        }
        #expect(commands.map { CommandName($0) } == CommandName.allCases)
    }

    @Test("rows have meanings and words of their own")
    func words() {
        let rows = CommandRow.all
        #expect(rows.map(\.name) == CommandName.allCases && Set(rows.map(\.meaning)).count == rows.count)
        for row in rows { #expect(row.meaning.hasSuffix(".") && row.meaning.first?.isUppercase == true) }
        for column in SurfaceColumn.allCases where column != .page {
            let words = rows.compactMap { $0[column].words }
            #expect(Set(words).count == words.count, "\(column)")
        }
    }
}
