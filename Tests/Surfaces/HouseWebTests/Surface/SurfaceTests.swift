import Foundation
import Testing
import TuttiHouse
import TuttiHTTPService
import TuttiTestSupport

@testable import TuttiHouseWeb

@Suite("The surface", .tags(.machine))
struct SurfaceTests {
    @Test("pages come with their type and their version, and are not sent twice")
    func pages() async throws {
        let test = try await TestSurface()
        let client = try WebClient(port: test.port)
        let index = try await client.ask("GET", "/")
        #expect(index.status == 200 && index.headers["content-type"] == "text/html; charset=utf-8")
        #expect(index.headers["cache-control"] == "no-cache")
        let tag = try #require(index.headers["etag"])
        let again = try await client.ask("GET", "/", headers: ["Host: localhost", "If-None-Match: \(tag)"])
        #expect(again.status == 304)
        #expect(try await client.ask("GET", "/index.html").body == index.body)
        #expect(try await client.ask("HEAD", "/").headers["content-length"] == "\(index.body.count)")
        #expect(try await client.ask("GET", "/none.js").status == 404)
        #expect(try await client.ask("POST", "/", "{}").status == 405)
        #expect(try await client.ask("GET", "/api/v2/house").status == 404)
        await test.surface.stop()
    }

    @Test(
        "each answer has the fields that keep browsers from mixing sites",
        arguments: ["/", "/api/v1/house", "/none"])
    func securityFields(path: String) async throws {
        let test = try await TestSurface()
        let response = try await WebClient(port: test.port).ask("GET", path)
        #expect(response.headers["x-content-type-options"] == "nosniff")
        #expect(response.headers["referrer-policy"] == "no-referrer")
        #expect(response.headers["content-security-policy"]?.hasPrefix("default-src 'self';") == true)
        await test.surface.stop()
    }

    @Test("a request for another host, or from another site, is refused everywhere")
    func guarded() async throws {
        let test = try await TestSurface()
        for path in ["/", "/api/v1/house", "/api/v1/access"] {
            let client = try WebClient(port: test.port)
            #expect(try await client.ask("GET", path, headers: ["Host: evil.example"]).status == 421)
        }
        let fields = ["Host: localhost", "Origin: http://evil.example"]
        #expect(try await test.ask("POST", "/zones/2/play", headers: fields).status == 403)
        #expect(test.house.takeCommands().isEmpty)
        await test.surface.stop()
    }

    @Test("the table of pages has each file of the folder")
    func pageFiles() throws {
        let folder = ProjectFolder.url(of: "Sources/Surfaces/HouseWeb/Pages")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(PageTable().names == Set(files))
        for file in files { #expect(PageTable.type(of: file) != "application/octet-stream", "\(file)") }
    }

    @Test("a port in use is an error with a sentence, and a surface can be closed twice")
    func portInUse() async throws {
        let first = try await TestSurface()
        var configuration = TestSurface.configuration
        configuration.addresses = first.surface.addresses
        let second = WebSurface(
            configuration: configuration, library: FakeLibrary(), access: try AccessControl(path: nil))
        let error = await #expect(throws: HTTPServerError.self) { try await second.start(FakeHouse()) }
        #expect(error?.description.contains("is in use") == true)
        await second.stop()
        await first.surface.stop()
        await first.surface.stop()
        #expect(first.surface.addresses.isEmpty)
    }

    @Test("thousands of requests on one connection are all answered")
    func manyRequests() async throws {
        let test = try await TestSurface()
        let client = try WebClient(port: test.port)
        let requests: [(String, String, String?)] = [
            ("GET", "/api/v1/house", nil), ("PUT", "/api/v1/zones/2/volume", #"{"percent":20}"#),
            ("GET", "/api/v1/library/albums", nil), ("GET", "/docs", nil),
        ]
        let answered = await onThread {
            (0..<2_000).count { number in
                let request = requests[number % requests.count]
                return client.askAndWait(request.0, request.1, request.2)?.status == 200
            }
        }
        #expect(answered == 2_000)
        #expect(test.house.takeCommands().count == 500)
        await test.surface.stop()
    }
}
