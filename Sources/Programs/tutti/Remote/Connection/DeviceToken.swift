import Foundation
import TuttiSystemIO

/// The token by which a service on another machine knows this user: a file of mode 0600 for each service.
struct DeviceToken {
    private let folder: PrivateFolder
    private let file: PrivateFile

    /// Names the file of a service; `nil` without a place for it.
    init?(of address: ServiceAddress, environment: [String: String]) {
        guard
            let folder = PrivateFolder.below(
                "XDG_STATE_HOME", or: ".local/state", "tutti/tokens", environment: environment)
        else { return nil }
        self.folder = folder
        file = PrivateFile(
            path: "\(folder.path)/\(PrivateFolder.fileName(of: address.text, instance: nil))")
    }

    /// The stored token; `nil` if there is none.
    func read() throws(RemoteFailure) -> String? {
        do throws(PrivateFileError) {
            guard case .bytes(let bytes, _) = try file.read() else { return nil }
            let token = String(decoding: bytes.prefix { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
            return token.isEmpty ? nil : token
        } catch {
            throw RemoteFailure(.failed, "The token cannot be read. \(error)")
        }
    }

    func store(_ token: String) throws(RemoteFailure) {
        do throws(PrivateFileError) {
            _ = try folder.prepare()
            try file.write(Array("\(token)\n".utf8))
        } catch {
            throw RemoteFailure(.failed, "The token cannot be stored. \(error)")
        }
    }
}
