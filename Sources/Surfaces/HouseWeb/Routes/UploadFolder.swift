import Dispatch
import Foundation
import Glibc
import TuttiHTTPService

/// A private folder with the sounds that clients have sent, each until the house has played it.
///
/// The names are random numbers; nothing that a client sends is part of a path.
package struct UploadFolder: Sendable {
    /// Bytes of a sound: two minutes of 24 bits in stereo at 48 kHz.
    static let byteLimit = 33_554_432
    /// Files at once: bounds the disk that clients can fill.
    static let countLimit = 16

    private let path: String
    /// Writes one after the other, so that the count holds.
    private static let queue = DispatchQueue(label: "tutti.uploads")

    /// Names a folder, which is created with the first sound.
    package init(path: String) { self.path = path }

    /// Removes the files of an earlier run, if there are any. Waits for the disk; call it before any surface has the folder.
    package func clear() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            unlink(path + "/" + name)
        }
    }

    /// Writes a sound to a file that only this user may read, and returns its path.
    func store(_ bytes: [UInt8]) async throws -> String {
        try await onQueue { try write(bytes) }
    }

    /// Removes a sound. A sound that cannot be removed is removed at the next start.
    func remove(_ file: String) async { _ = try? await onQueue { unlink(file) } }

    private func onQueue<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Self.queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }

    private func write(_ bytes: [UInt8]) throws -> String {
        guard bytes.count <= Self.byteLimit else {
            throw Problem(status: 413, code: "limit", detail: "A sound has at most 32 MiB.")
        }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.failure }
        // A folder that cannot be read cannot be written either.
        let count = (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0
        guard count < Self.countLimit else {
            throw Problem(
                status: 409, code: "limit",
                detail: "\(Self.countLimit) sounds wait already. Cancel one, or try again later.")
        }
        let name = String(UInt64.random(in: .min ... .max), radix: 16)
        let file = "\(path)/\(name)"
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                unlink(file)
                throw Self.failure
            }
            rest = rest.dropFirst(count)
        }
        return file
    }

    private static var failure: Problem {
        let reason = String(cString: strerror(errno))
        return Problem(
            status: 503, code: "unavailable",
            detail: "The sound cannot be stored on the service's disk: \(reason). Is there space?")
    }
}
