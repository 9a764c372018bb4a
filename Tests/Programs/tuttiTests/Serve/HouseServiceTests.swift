import Foundation
import Glibc
import Testing
import TuttiHouse
import TuttiServiceHost
import TuttiSystemIO
import TuttiTestSupport

@testable import tutti

@Suite("The running service", .tags(.machine))
final class HouseServiceTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Returns settings with a page at one address, and no other surface.
    private func settings(_ address: SocketAddress) -> HouseSettings {
        var settings = HouseSettings(name: "Test", database: folder.path)
        (settings.web.addresses, settings.web.port) = ([.address(address.address)], address.port)
        settings.mpris.enabled = false
        settings.library.watch = false
        return settings
    }

    private func makeService(_ settings: HouseSettings) throws -> HouseService {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let log = ServiceLog(level: .error, to: STDERR_FILENO, .of(STDERR_FILENO, journalStream: nil))
        return try HouseService(settings, log: log) { $0.searches = false }
    }

    @Test("a surface whose port was in use is opened once the port is free")
    func portInUse() async throws {
        // An address that no other test uses: the port must stay free between the two.
        let other = try TCPListener(at: SocketAddress(IPAddress(127, 83, 0, 3), port: 0))
        let service = try makeService(settings(other.address))
        await service.start()
        #expect(await service.troubles.keys.sorted() == ["web"])
        #expect(await service.retry())
        #expect(await service.troubles["web"] != nil)
        other.close()
        #expect(await !service.retry())
        #expect(await service.troubles.isEmpty)
        #expect(await service.addresses == ["http://\(other.address)/"])
        await service.stop()
    }
}
