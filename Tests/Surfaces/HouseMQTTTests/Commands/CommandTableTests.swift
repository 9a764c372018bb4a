import Testing
import TuttiHouse
import TuttiMQTT
import TuttiSurfaceCommands

@testable import TuttiHouseMQTT

@Suite("The table of commands, MQTT")
struct CommandTableTests {
    @Test("each row is a topic of the scheme, and its message is the command of the row")
    func topics() throws {
        var house = TestState.house
        house.zones.append(ZoneSnapshot(id: ZoneID(rawValue: 2), name: "Garden"))
        let scheme = TopicScheme(root: "tutti", name: "My House")
        let reader = CommandReader(scheme: scheme, house: HouseMirror(house))
        for row in CommandRow.all {
            guard let words = row[.mqtt].words else { continue }
            let parts = words.split(separator: "=", maxSplits: 1).map(String.init)
            let level = ["zone": "1", "room": "aabbccddeeff", "alarm": "4"]
            let kind = String(parts[0].prefix { $0 != "/" })
            let topic = scheme.base + "/" + parts[0].replacing("+", with: level[kind] ?? "")
            let payload = (parts.count > 1 ? parts[1] : "").replacing("FILE", with: "/m/a.flac")
                .replacing("ID", with: "4")
            let (command, _) = try reader.read(MQTTMessage(topic: topic, text: payload))
            #expect(CommandName(command) == row.name, "\(words)")
            #expect(scheme.commandFilters.contains { Self.fits(topic, $0) }, "\(topic)")
        }
    }

    private static func fits(_ topic: String, _ filter: String) -> Bool {
        let (levels, parts) = (topic.split(separator: "/"), filter.split(separator: "/"))
        return levels.count == parts.count && zip(levels, parts).allSatisfy { $1 == "+" || $0 == $1 }
    }
}
