import Foundation
import Testing
import TuttiHouse
import TuttiHTTPService
import TuttiTestSupport

@testable import TuttiHouseWeb

@Suite("Sounds of clients for announcements", .tags(.machine))
struct UploadTests {
    /// A surface whose uploads go to a folder of the test's own.
    private static func surface(_ folder: String?) async throws -> (WebSurface, FakeHouse, UInt16) {
        let house = FakeHouse()
        var configuration = TestSurface.configuration
        configuration.uploadFolder = folder
        let surface = WebSurface(
            configuration: configuration, library: FakeLibrary(), access: try AccessControl(path: nil))
        try await surface.start(house)
        return (surface, house, surface.addresses.first?.port ?? 0)
    }

    private static func folder() -> String {
        FileManager.default.temporaryDirectory.path + "/tutti-uploads-" + UUID().uuidString
    }

    private static let sound = ["Host: localhost", "Content-Type: audio/wav"]

    @Test("a sound becomes a private file of the house, announced with the values of the query")
    func store() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (surface, house, port) = try await Self.surface(folder)
        let body = String(repeating: "x", count: 3_000_000)
        let path = "/api/v1/announcements?rooms=a,b&volume=40&pause=true&title=..%2F..%2Fbell"
        let answer = try await WebClient(port: port).ask("POST", path, body, headers: Self.sound)
        #expect(answer.status == 200)
        let command = house.takeCommands().first
        guard case .announce(let request) = command else {
            Issue.record("\(String(describing: command))")
            return
        }
        #expect(request.isTemporary && request.pausesMusic && request.volume == 40)
        #expect(
            request.title == "../../bell" && request.rooms == [RoomID(rawValue: "a"), RoomID(rawValue: "b")])
        #expect(
            request.location.hasPrefix(folder + "/")
                && !request.location.dropFirst(folder.count + 1).contains("/"))
        let attributes = try FileManager.default.attributesOfItem(atPath: request.location)
        #expect(attributes[.posixPermissions] as? Int == 0o600 && attributes[.size] as? Int == 3_000_000)
        let own = try FileManager.default.attributesOfItem(atPath: folder)
        #expect(own[.posixPermissions] as? Int == 0o700)
        UploadFolder(path: folder).clear()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        await surface.stop()
    }

    @Test("a room whose id has commas is named by a value of its own")
    func commas() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (surface, house, port) = try await Self.surface(folder)
        let card = RoomID(rawValue: "alsa:hw:CARD=DAC,DEV=0")
        house.state.withLock { $0.snapshot.rooms = [RoomSnapshot(id: card, name: "DAC", kind: .local)] }
        let path = "/api/v1/announcements?rooms=a,b&rooms=alsa%3Ahw%3ACARD%3DDAC%2CDEV%3D0"
        let answer = try await WebClient(port: port).ask("POST", path, "abc", headers: Self.sound)
        #expect(answer.status == 200)
        guard case .announce(let request)? = house.takeCommands().first else {
            Issue.record("nothing is announced")
            return
        }
        #expect(request.rooms == [RoomID(rawValue: "a"), RoomID(rawValue: "b"), card])
        let long = String(repeating: "x", count: 4_097)
        let refused = try await WebClient(port: port).ask(
            "POST", "/api/v1/announcements?rooms=a&rooms=\(long)", "abc", headers: Self.sound)
        #expect(refused.status == 400)
        await surface.stop()
    }

    @Test("a sound that the house refuses leaves no file")
    func refused() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (surface, house, port) = try await Self.surface(folder)
        house.state.withLock { $0.outcome = .failure(HouseError(.limit, "Too many wait.")) }
        let answer = try await WebClient(port: port).ask(
            "POST", "/api/v1/announcements", "abc", headers: Self.sound)
        #expect(answer.status == 409 && answer.json["detail"] as? String == "Too many wait.")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        await surface.stop()
    }

    @Test("a body of another type, an empty one, and a wrong volume are refused in words")
    func wrong() async throws {
        let folder = Self.folder()
        let (surface, house, port) = try await Self.surface(folder)
        let rows: [(String, String, String, Int)] = [
            ("text/html", "", "abc", 415), ("audio/wav", "", "", 400),
            ("audio/wav", "?volume=101", "abc", 400),
            ("audio/wav", "?pause=perhaps", "abc", 400), ("application/json", "", "abc", 400),
        ]
        for (type, query, body, status) in rows {
            let answer = try await WebClient(port: port).ask(
                "POST", "/api/v1/announcements" + query, body,
                headers: ["Host: localhost", "Content-Type: \(type)"])
            #expect(answer.status == status && answer.json["detail"] is String, "\(type) \(query)")
        }
        #expect(house.takeCommands().isEmpty && !FileManager.default.fileExists(atPath: folder))
        await surface.stop()
    }

    @Test("so many sounds wait; a further one is refused until one is gone")
    func count() async throws {
        let folder = UploadFolder(path: Self.folder())
        var files: [String] = []
        for _ in 0..<UploadFolder.countLimit { files.append(try await folder.store([1])) }
        await #expect(throws: Problem.self) { try await folder.store([1]) }
        await folder.remove(files[0])
        _ = try await folder.store([1])
        folder.clear()
    }

    @Test("only the address of announcements takes a long body, and only while there is a place")
    func limits() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (surface, _, port) = try await Self.surface(folder)
        let head = "Content-Length: 20000000"
        let long = String(repeating: "x", count: 1_500_000)
        for path in ["/api/v1/zones", "/api/v1/announcementsX", "/api/v1/alarms"] {
            let answer = try await WebClient(port: port).ask("POST", path, long, headers: Self.sound)
            #expect(answer.status == 413, "\(path)")
        }
        // Two uploads that do not end take the places; a third one has the usual limit.
        let holders = [try WebClient(port: port), try WebClient(port: port)]
        for holder in holders {
            holder.send(
                "POST", "/api/v1/announcements", headers: Self.sound + [head, "Expect: 100-continue"])
            let bytes = await holder.receive { $0.count > 12 }
            #expect(String(decoding: bytes.prefix(12), as: UTF8.self).hasSuffix("100"))
        }
        let third = try await WebClient(port: port).ask(
            "POST", "/api/v1/announcements", long, headers: Self.sound)
        #expect(third.status == 413)
        withExtendedLifetime(holders) {}
        await surface.stop()
    }
}
