import Foundation
import Testing
import TuttiSystemIO

@Suite("Sockets at a path")
struct LocalStreamTests {
    /// A folder that ends with the test.
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString)")
            .path

        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func files(_ path: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: path)
        }
    }

    @Test("a long path is split where the system splits it, also before a mark that combines with the slash")
    func combiningMark() throws {
        let folder = try Folder()
        let long = folder.path + "/" + String(repeating: "x", count: 150)
        try FileManager.default.createDirectory(atPath: long, withIntermediateDirectories: false)
        let path = long + "/\u{301}sock"
        let socket = try LocalStream.listen(at: path, backlog: 1)
        #expect(try folder.files(long).count == 1)
        _ = try LocalStream.connect(to: path)
        withExtendedLifetime(socket) {}
    }

    @Test("a start that fails after the file is made leaves no file")
    func lateFailure() throws {
        let folder = try Folder()
        var deep = folder.path
        // The folder's path is just short enough for the system, that of the file in it is not.
        while deep.utf8.count < 4_080 {
            deep += "/" + String(repeating: "d", count: min(200, 4_085 - deep.utf8.count))
        }
        try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
        #expect(throws: SystemError.self) {
            try LocalStream.listen(at: deep + "/control-sock.sock", backlog: 1)
        }
        #expect(try folder.files(deep).isEmpty)
    }
}
