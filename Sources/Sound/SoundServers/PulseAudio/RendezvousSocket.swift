import Glibc
import Synchronization
import TuttiSystemIO

/// A socket in its own folder, for one connection of a program of the same user; gone as soon as that
/// program has connected.
final class RendezvousSocket: Sendable {
    /// The path of the socket; without spaces.
    let path: String
    private let folder: String
    private let source = Mutex<ReadinessSource?>(nil)

    /// Listens.
    ///
    /// - Parameters:
    ///   - queue: A serial queue.
    ///   - onConnection: Receives the connection, on the queue, once at most.
    init(
        on queue: SerialQueue, onConnection: @escaping @Sendable (LocalStreamConnection) -> Void
    ) throws(SystemError) {
        folder = try Self.makeFolder()
        path = folder + "/socket"
        do throws(SystemError) {
            let listener = try LocalStream.listen(at: path, backlog: 4)
            // The folder is this user's alone already.
            guard chmod(path, 0o600) == 0 else { throw SystemError(operation: "chmod", code: errno) }
            let source = try ReadinessSource(readable: listener.number, on: queue) { [weak self] in
                self?.accept(from: listener, on: queue, onConnection)
            }
            self.source.withLock { $0 = source }
            source.arm()
        } catch {
            Self.remove(path, folder)
            throw error
        }
    }

    deinit { close() }

    /// Removes the socket and its folder. Idempotent.
    func close() {
        guard let source = source.withLock({ $0.take() }) else { return }
        source.disarm()
        Self.remove(path, folder)
    }

    private func accept(
        from listener: SocketDescriptor, on queue: SerialQueue,
        _ onConnection: (LocalStreamConnection) -> Void
    ) {
        guard let connection = LocalStreamConnection(acceptedFrom: listener, queue: queue) else { return }
        guard connection.peer?.userID == geteuid(), source.withLock({ $0 != nil }) else { return }
        close()
        onConnection(connection)
    }

    /// Makes a folder for this user alone, beside the sockets of the user's other programs if possible.
    private static func makeFolder() throws(SystemError) -> String {
        let runtime = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? ""
        var error = SystemError(operation: "mkdtemp", code: ENOENT)
        for parent in [runtime, "/tmp"] where parent.hasPrefix("/") && !parent.contains(where: \.isWhitespace)
        {
            var template = Array("\(parent)/tutti-sink-XXXXXX".utf8CString)
            if mkdtemp(&template) != nil {
                return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            }
            error = SystemError(operation: "mkdtemp", code: errno)
        }
        throw error
    }

    private static func remove(_ path: String, _ folder: String) {
        unlink(path)
        rmdir(folder)
    }
}
