import Foundation
import Testing
import TuttiHouse
import TuttiHTTPService
import TuttiTestSupport

@testable import TuttiHouseWeb

@Suite("The table of routes", .tags(.machine))
struct RouteTableTests {
    /// The routes of the contract.
    private static let contract: Set = [
        "GET /house", "GET /events", "POST /zones", "PATCH /zones/{zone}", "DELETE /zones/{zone}",
        "POST /zones/{zone}/play", "POST /zones/{zone}/pause", "POST /zones/{zone}/toggle",
        "POST /zones/{zone}/stop", "POST /zones/{zone}/next", "POST /zones/{zone}/previous",
        "PUT /zones/{zone}/position", "PUT /zones/{zone}/rate", "PUT /zones/{zone}/shuffle",
        "PUT /zones/{zone}/repeat", "PUT /zones/{zone}/sleep", "PUT /zones/{zone}/volume",
        "POST /zones/{zone}/transfer", "GET /zones/{zone}/queue", "POST /zones/{zone}/queue",
        "DELETE /zones/{zone}/queue", "POST /zones/{zone}/queue/remove", "POST /zones/{zone}/queue/move",
        "POST /zones/{zone}/queue/{entry}/play", "POST /zones/{zone}/queue/save", "PUT /rooms/{room}/zone",
        "PUT /rooms/{room}/volume", "PUT /rooms/{room}/delay", "PUT /rooms/{room}/password",
        "DELETE /rooms/{room}", "GET /library", "GET /library/search", "GET /library/albums",
        "GET /library/albums/{id}", "GET /library/artists", "GET /library/artists/{id}",
        "GET /library/tracks",
        "GET /library/folders", "GET /library/playlists", "GET /library/playlists/{id}",
        "POST /library/playlists", "PUT /library/playlists/{id}", "DELETE /library/playlists/{id}",
        "GET /library/stations", "POST /library/stations", "PUT /library/stations/{id}",
        "DELETE /library/stations/{id}", "POST /library/scan", "GET /pictures/{picture}", "GET /access",
        "PUT /zones/{zone}/levelling", "PUT /zones/{zone}/crossfade", "PUT /zones/{zone}/input",
        "PUT /zones/{zone}/sleep-fade",
        "PUT /rooms/{room}/equalizer", "PUT /rooms/{room}/maximum", "PUT /rooms/{room}/night",
        "GET /announcements", "POST /announcements", "DELETE /announcements/{announcement}", "GET /alarms",
        "POST /alarms", "PUT /alarms/{alarm}", "DELETE /alarms/{alarm}",
        "POST /access", "POST /access/code", "DELETE /access", "GET /about", "GET /openapi.json",
    ]

    static func dispatch(demo: (any DemoControlling)? = nil) throws -> RequestDispatch {
        let context = ServiceContext(
            house: FakeHouse(), library: FakeLibrary(), access: try AccessControl(path: nil), hub: EventHub(),
            demo: demo, about: AboutJSON(name: "n", version: "1", host: "h", demo: nil), trustsLocal: true)
        return RequestDispatch(context, guard: RequestGuard(hostName: "h"))
    }

    @Test("the table has the routes of the contract, and no others")
    func contract() throws {
        let table = try Self.dispatch().table
        let names = table.routes.map { "\($0.method.rawValue) \($0.pattern.text)" }
        #expect(Set(names) == Self.contract && names.count == Self.contract.count)
        let more = try Self.dispatch(demo: FakeDemo()).table.routes.count
        #expect(more == names.count + 2)
    }

    @Test("the OpenAPI document has each route with its parameters and its body")
    func openAPI() async throws {
        let test = try await TestSurface()
        let document = try await test.ask("GET", "/openapi.json").json
        #expect(document["openapi"] as? String == "3.1.0")
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        for route in try Self.dispatch().table.routes {
            let operation = try #require(paths[route.pattern.text]?[route.method.rawValue.lowercased()])
            #expect(operation["summary"] as? String == route.summary)
            #expect((operation["requestBody"] != nil) == (route.body != nil))
            let parameters = operation["parameters"] as? [[String: Any]] ?? []
            #expect(
                parameters.map { $0["name"] as? String }
                    == route.pattern.names.map { $0 } + route.parameters.map { $0.name })
        }
        #expect(paths.values.reduce(0) { $0 + $1.count } == Self.contract.count)
        await test.surface.stop()
    }

    @Test("the page of the documentation shows each route, without markup from its texts")
    func documentation() async throws {
        let test = try await TestSurface()
        let page = try await WebClient(port: test.port).ask("GET", "/docs")
        #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
        for route in try Self.dispatch().table.routes {
            #expect(page.text.contains("<code>\(route.pattern.text)</code></td><td>\(route.summary)</td>"))
        }
        #expect(page.text.contains("{&quot;rate&quot;: number}"))
        await test.surface.stop()
    }

    @Test("each summary is a sentence, and no two routes match the same path")
    func summaries() throws {
        let routes = try Self.dispatch().table.routes
        for route in routes {
            #expect(route.summary.hasSuffix(".") && route.summary.first?.isUppercase == true)
        }
        for route in routes {
            let path = route.pattern.parts.map { part in
                if case .word(let word) = part { word } else { "1" }
            }
            let matching = routes.filter { $0.method == route.method && $0.pattern.match(path[...]) != nil }
            #expect(matching.count == 1, "\(route.pattern.text)")
        }
    }

    @Test("a demonstration has its routes, and its service says so")
    func demo() async throws {
        let demo = FakeDemo()
        let test = try await TestSurface(demo: demo)
        #expect(
            try await test.ask("GET", "/about").text
                == #"{"demo":true,"host":"hall.example.org","name":"hall.example.org","program":"Tutti","version":"1.2"}"#
        )
        #expect(try await test.ask("PUT", "/demo/kitchen", #"{"isCut":true}"#).status == 200)
        #expect(try await test.ask("GET", "/demo").text == #"{"rooms":[{"isCut":true,"room":"kitchen"}]}"#)
        let plain = try await TestSurface()
        #expect(try await plain.ask("GET", "/demo").status == 404)
        #expect(try await plain.ask("GET", "/about").json["demo"] == nil)
        await test.surface.stop()
        await plain.surface.stop()
    }
}

/// A demonstration of one room.
actor FakeDemo: DemoControlling {
    private var isCut = false

    func cuts() async -> [(room: RoomID, isCut: Bool)] { [(RoomID(rawValue: "kitchen"), isCut)] }

    func setCut(_ room: RoomID, _ isCut: Bool) async throws(HouseError) { self.isCut = isCut }
}
