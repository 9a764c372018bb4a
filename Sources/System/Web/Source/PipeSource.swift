import Glibc
import Synchronization

/// The bytes of a pipe, a terminal's redirection or a device, which come once and in order.
///
/// A read waits for the writer, however long that takes, until ``cancel()``. A part behind the reader is
/// kept, so that it can look at the beginning twice.
package final class PipeSource: ByteSource {
    /// The interval at which a waiting read looks for ``cancel()``.
    private static let pollMilliseconds: Int32 = 200
    private static let readCount = 32 << 10

    fileprivate struct State {
        var file: Int32 = -1
        var wasOpened = false
        /// Bytes that come before those of the pipe, then what was read.
        var bytes: [UInt8]
        /// The offset of the first of ``bytes``.
        var start: Int64 = 0
        var position: Int64 = 0
        var keptBytes = WebLimits().keptBytes
    }

    private let path: String?
    private let name: String
    private let state: Mutex<State>
    private let isCancelled = Atomic<Bool>(false)

    /// - Parameters:
    ///   - path: A named pipe or another file that is read once; `nil` for standard input.
    ///   - name: The name in messages.
    ///   - prefix: Bytes before those of the pipe, such as a header.
    package init(path: String?, name: String, prefix: [UInt8] = []) {
        (self.path, self.name) = (path, name)
        state = Mutex(State(bytes: prefix))
    }

    deinit {
        let file = state.withLock { $0.file }
        if file >= 0 { close(file) }
    }

    package func open() throws(WebError) -> WebResource {
        let wasOpened = state.withLock { state in
            defer { state.wasOpened = true }
            return state.wasOpened
        }
        guard !wasOpened else { throw failure("it can be read only once, from its beginning to its end") }
        // Without waiting for a writer: the first read does.
        let file =
            path.map { Glibc.open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) } ?? fcntl(0, F_DUPFD_CLOEXEC, 3)
        guard file >= 0 else { throw failure(String(cString: strerror(errno))) }
        state.withLock { $0.file = file }
        return resource
    }

    private func failure(_ reason: String) -> WebError {
        .program(reason: reason, domain: "TuttiPipe", code: Int(errno))
    }

    package func read(into target: UnsafeMutableRawBufferPointer) throws(WebError) -> Int {
        guard target.count > 0 else { return 0 }
        while true {
            if isCancelled.load(ordering: .relaxed) { throw .cancelled }
            let (copied, file) = state.withLock { ($0.copy(into: target), $0.file) }
            guard let copied else { throw .noRanges }
            if copied > 0 { return copied }
            guard let bytes = try more(of: file) else { continue }
            if bytes.isEmpty { return 0 }
            state.withLock { state in
                state.bytes += bytes
                state.trim()
            }
        }
    }

    /// Waits for bytes for a moment.
    ///
    /// - Returns: `nil` if there are none yet; none at the end.
    private func more(of file: Int32) throws(WebError) -> [UInt8]? {
        guard file >= 0 else { throw .cancelled }
        var wait = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        // Regular files are always ready.
        guard poll(&wait, 1, Self.pollMilliseconds) > 0 else { return nil }
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.readCount) { buffer, used in
            count = Glibc.read(file, buffer.baseAddress, Self.readCount)
            used = max(0, count)
        }
        if count >= 0 { return bytes }
        switch errno {
        case EAGAIN, EINTR: return nil
        default: throw failure("it cannot be read: \(String(cString: strerror(errno)))")
        }
    }

    package func seek(to offset: Int64) { state.withLock { $0.position = max(0, offset) } }

    package func keep(_ byteCount: Int) { state.withLock { $0.keptBytes = max(0, byteCount) } }

    package func cancel() { isCancelled.store(true, ordering: .relaxed) }

    package var waitsForWriter: Bool { true }

    package var resource: WebResource {
        WebResource(address: "pipe://\(name)", length: nil, givesRanges: false, contentType: nil)
    }

    package var position: Int64 { state.withLock { $0.position } }

    package var ranges: [Range<Int64>] {
        state.withLock { $0.bytes.isEmpty ? [] : [$0.start..<$0.start + Int64($0.bytes.count)] }
    }

    package func takeTitles() -> [StreamTitle] { [] }
    package func takeWarnings() -> [WebWarning] { [] }
}

extension PipeSource.State {
    /// Copies bytes at the reader's position, and moves it.
    ///
    /// - Returns: 0 if they have not come yet; `nil` if they are gone.
    fileprivate mutating func copy(into target: UnsafeMutableRawBufferPointer) -> Int? {
        guard position >= start else { return nil }
        let offset = position - start
        guard offset < Int64(bytes.count) else { return 0 }
        let count = min(target.count, bytes.count - Int(offset))
        target.copyBytes(from: bytes[Int(offset)..<Int(offset) + count])
        position += Int64(count)
        return count
    }

    /// Drops what is farther behind the reader than is kept.
    fileprivate mutating func trim() {
        let behind = Int(min(position - start, Int64(bytes.count))) - keptBytes
        // Seldom, because what follows is moved.
        guard behind > 256 << 10 else { return }
        bytes.removeFirst(behind)
        start += Int64(behind)
    }
}
