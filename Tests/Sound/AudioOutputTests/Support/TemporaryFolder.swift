import Foundation

/// A folder that is deleted after the test.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "tutti-output-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func bytes(of name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: file(name)))) }

    func text(of name: String) throws -> String { String(decoding: try bytes(of: name), as: UTF8.self) }
}
