import Foundation
import Testing
import TuttiHTTPService
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiHouseWeb

@Suite("Access to the interface", .tags(.machine))
struct AccessTests {
    /// A folder that ends with the test.
    private final class Folder: Sendable {
        let path = NSTemporaryDirectory() + "access-\(UUID().uuidString)"
        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test("without a token only the pages, the documentation and the code are open")
    func withoutToken() async throws {
        let test = try await TestSurface(trustsLocal: false)
        for path in ["/house", "/events", "/about", "/library/albums", "/pictures/abc", "/nothing"] {
            let response = try await test.ask("GET", path)
            #expect(response.status == 401 && response.headers["www-authenticate"] == "Bearer", "\(path)")
        }
        #expect(try await test.ask("POST", "/zones/2/play").status == 401)
        for path in ["/", "/docs", "/api/v1/openapi.json"] {
            #expect(try await WebClient(port: test.port).ask("GET", path).status == 200)
        }
        let access = try await test.ask("GET", "/access").json
        #expect(access["isAllowed"] as? Bool == false)
        #expect(access["isLocal"] as? Bool == true && test.house.takeCommands().isEmpty)
        await test.surface.stop()
    }

    @Test("a code gives a token, which lets in as a cookie and as a bearer")
    func pairing() async throws {
        let test = try await TestSurface(trustsLocal: false)
        let code = test.access.makeCode()
        let paired = try await test.ask("POST", "/access", #"{"code":"\#(code)"}"#)
        let token = try #require(paired.json["token"] as? String)
        let cookie = try #require(paired.headers["set-cookie"])
        #expect(cookie.hasPrefix("tutti-token=\(token);") && cookie.contains("HttpOnly; SameSite=Strict"))
        for field in [
            "Authorization: Bearer \(token)", "authorization: bearer \(token)",
            "Cookie: a=b; tutti-token=\(token)", "Cookie: tutti-token=\(token);c",
        ] {
            #expect(try await test.ask("GET", "/house", headers: ["Host: localhost", field]).status == 200)
        }
        for field in [
            "Authorization: Bearer \(token)0", "Authorization: Basic \(token)",
            "Cookie: xtutti-token=\(token)",
            "Cookie: tutti-token=", "Authorization: Bearer",
        ] {
            #expect(try await test.ask("GET", "/house", headers: ["Host: localhost", field]).status == 401)
        }
        #expect(try await test.ask("POST", "/access", #"{"code":"\#(code)"}"#).status == 403)
        await test.surface.stop()
    }

    @Test("a wrong code is refused, and the next try must wait")
    func wrongCode() async throws {
        let test = try await TestSurface(trustsLocal: false)
        let code = test.access.makeCode()
        let wrong = code == "000000" ? "000001" : "000000"
        let first = try await test.ask("POST", "/access", #"{"code":"\#(wrong)"}"#)
        #expect(first.status == 403 && first.json["code"] as? String == "wrongCode")
        let second = try await test.ask("POST", "/access", #"{"code":"\#(wrong)"}"#)
        // A slow machine may take longer than the pause.
        #expect([429, 403].contains(second.status) && second.json["token"] == nil)
        await test.surface.stop()
    }

    @Test("tokens outlast the process in a file of their owner, until they are taken back")
    func file() throws {
        let folder = try Folder()
        let path = folder.path + "/tokens"
        let first = try AccessControl(path: path)
        let token = try first.token(for: first.makeCode(), at: .now)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == token + "\n")
        let second = try AccessControl(path: path)
        #expect(second.deviceCount == 1)
        try second.revokeAll()
        #expect(try AccessControl(path: path).deviceCount == 0)
    }

    /// Returns a listener with a new token, once it has the house.
    private static func listener(of test: TestSurface) async throws -> EventListener {
        let token = try test.access.token(for: test.access.makeCode(), at: .now)
        let listener = try EventListener(
            port: test.port, headers: ["Host: localhost", "Authorization: Bearer \(token)"])
        #expect(await listener.events { $0.name == "house" }.map(\.name) == ["house"])
        return listener
    }

    @Test("taking the tokens back voids a code that was not used yet")
    func revokedCode() throws {
        let access = try AccessControl(path: nil)
        let code = access.makeCode()
        try access.revokeAll()
        let problem = #expect(throws: Problem.self) { try access.token(for: code, at: .now) }
        #expect(problem?.code == "needsNewCode" && access.deviceCount == 0)
        _ = try access.token(for: access.makeCode(), at: .now)
        #expect(access.deviceCount == 1)
    }

    @Test("taking the tokens back ends the streams of the devices, which may come back with a new code")
    func revokedStreams() async throws {
        let test = try await TestSurface(trustsLocal: false)
        let listener = try await Self.listener(of: test)
        try test.access.revokeAll()
        #expect(await listener.ends())
        #expect(test.surface.listenerCount == 0)
        _ = try await Self.listener(of: test)
        await test.surface.stop()
    }

    @Test("a stream that is being opened while the tokens are taken back ends too")
    func revokedMeanwhile() async throws {
        let test = try await TestSurface(trustsLocal: false)
        let access = test.access
        let token = try access.token(for: access.makeCode(), at: .now)
        test.house.state.withLock { $0.onSnapshot = { try? access.revokeAll() } }
        let listener = try EventListener(
            port: test.port, headers: ["Host: localhost", "Authorization: Bearer \(token)"])
        #expect(await listener.ends())
        await test.surface.stop()
    }

    @Test("a surface that asks for no tokens keeps its streams when they are taken back")
    func openStreams() async throws {
        var configuration = TestSurface.configuration
        configuration.isOpen = true
        let access = try AccessControl(path: nil)
        let surface = WebSurface(configuration: configuration, library: FakeLibrary(), access: access)
        try await surface.start(FakeHouse())
        let listener = try EventListener(port: try #require(surface.addresses.first?.port))
        _ = await listener.events { $0.name == "house" }
        try access.revokeAll()
        #expect(surface.listenerCount == 1)
        await surface.stop()
    }

    @Test("a file that others could read is closed to them, and lines that are no tokens are left out")
    func openFile() throws {
        let folder = try Folder()
        let path = folder.path + "/tokens"
        let token = String(repeating: "a", count: 64)
        try "short\n\(token)\n\n".write(toFile: path, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(try AccessControl(path: path).deviceCount == 1)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("a file that cannot be used is an error that names it")
    func unusableFile() throws {
        let folder = try Folder()
        let error = #expect(throws: PrivateFileError.self) { try AccessControl(path: folder.path) }
        #expect(error?.description.contains(folder.path) == true)
        let missing = try AccessControl(path: folder.path + "/none/tokens")
        #expect(throws: (any Error).self) { try missing.token(for: missing.makeCode(), at: .now) }
    }

    @Test("the oldest device loses its token when there are too many")
    func limit() throws {
        let access = try AccessControl(path: nil)
        for _ in 0..<AccessControl.tokenLimit + 5 { _ = try access.token(for: access.makeCode(), at: .now) }
        #expect(access.deviceCount == AccessControl.tokenLimit)
    }
}
