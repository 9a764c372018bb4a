import Testing
import TuttiSurfaceCommands

@testable import TuttiHouseWeb

@Suite("The table of commands, HTTP")
struct CommandTableTests {
    @Test("each row has a route, and each route that changes the house has a row")
    func routes() throws {
        let table = try RouteTableTests.dispatch().table
        let routes = Set(table.routes.map { "\($0.method.rawValue) \($0.pattern.text)" })
        let rows = CommandRow.all.map { row in
            let words = (row[.http].words ?? "").split(separator: " ")
            return words.prefix(2).joined(separator: " ")
        }
        #expect(Set(rows).subtracting(routes).isEmpty)
        // A change of an alarm is the row of its making; a saved queue is the library's.
        let others: Set = ["PUT /alarms/{alarm}", "POST /zones/{zone}/queue/save"]
        let changing = routes.filter { route in
            !route.hasPrefix("GET ")
                && ["/zones", "/rooms", "/announcements", "/alarms"].contains { prefix in
                    route.contains(" \(prefix)")
                }
        }
        #expect(changing.subtracting(rows) == others)
    }
}
