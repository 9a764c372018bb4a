import Foundation
import Glibc
import Testing
import TuttiHouse

@testable import TuttiHouseWeb

@Suite("The interface at a socket of this machine")
struct SocketTests {
    @Test("clients need no token, and commands have the surface's name as their origin")
    func commands() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "tutti-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = WebSurface.Configuration(hostName: "hall", version: "1")
        (configuration.addresses, configuration.surfaceName) = ([], "shell")
        (configuration.trustsLocal, configuration.isOpen) = (false, true)
        configuration.socketPath = folder.appendingPathComponent("control.sock").path
        let house = FakeHouse()
        let surface = WebSurface(
            configuration: configuration, library: FakeLibrary(), access: try AccessControl(path: nil))
        #expect(surface.name == "shell")
        try await surface.start(house)
        #expect(surface.addresses.isEmpty)
        let path = try #require(configuration.socketPath)
        #expect(await Self.ask(path, "Host: localhost").hasPrefix("HTTP/1.0 200"))
        // The rules against pages of other sites hold here too.
        #expect(await Self.ask(path, "Host: evil.example").hasPrefix("HTTP/1.0 421"))
        #expect(
            await Self.ask(path, "Host: localhost\r\nOrigin: http://evil.example").hasPrefix("HTTP/1.0 403"))
        #expect(house.takeCommands() == [.pause(ZoneID(rawValue: 1))])
        #expect(house.state.withLock { $0.origins } == [CommandOrigin(surface: "shell")])
        await surface.stop()
    }

    /// Returns the beginning of the answer to a command.
    private static func ask(_ path: String, _ fields: String) async -> String {
        await onThread {
            let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            defer { close(socket) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) {
                $0.copyBytes(from: path.utf8.prefix($0.count - 1))
            }
            let code = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard code == 0 else { return "no connection" }
            let request = Array(
                "POST /api/v1/zones/1/pause HTTP/1.0\r\n\(fields)\r\nContent-Length: 0\r\n\r\n".utf8)
            send(socket, request, request.count, Int32(MSG_NOSIGNAL))
            var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 60_000) == 1 else { return "no answer" }
            var block = [UInt8](repeating: 0, count: 4096)
            let count = recv(socket, &block, block.count, 0)
            return String(decoding: block.prefix(max(0, count)), as: UTF8.self)
        }
    }
}
