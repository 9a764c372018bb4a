internal import CFFmpeg
internal import Web

/// One address as an input of the library.
final class WebInput {
    /// Whether the library may go to other places of it.
    enum Seeking {
        case never
        /// Not while it opens it.
        case later
        case anywhere
    }

    let source: any ByteSource
    private(set) var context: UnsafeMutablePointer<AVIOContext>?
    private let interrupt: MediaInterrupt
    /// How long it waits without anything coming.
    var timeLimit: Duration
    private var decipher: SegmentDecipher?
    private var list: ListInput?
    /// Why the last read failed.
    private(set) var error: WebError?

    /// The library reads so many bytes at a time.
    private static let bufferSize: Int32 = 32 << 10

    /// - Parameters:
    ///   - location: What relative names inside it are relative to.
    ///   - decipher: What turns its bytes into those that are meant.
    ///   - list: Looks at it if it may be a playlist.
    init(
        _ source: any ByteSource, location: String, seeking: Seeking, decipher: SegmentDecipher?,
        list: ListInput? = nil, interrupt: MediaInterrupt, timeLimit: Duration
    ) {
        (self.source, self.interrupt, self.timeLimit) = (source, interrupt, timeLimit)
        self.decipher = decipher
        self.list = list
        context = shim_input_open(
            Unmanaged.passUnretained(self).toOpaque(), location, Self.bufferSize,
            { input, bytes, count in
                guard let input = WebInput.of(input), let bytes, count > 0 else { return shim_averror(22) }
                return input.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)))
            },
            seeking == .never
                ? nil
                : { input, offset, whence in
                    WebInput.of(input)?.seek(offset, whence) ?? Int64(shim_averror(22))
                })
        setSeekable(seeking == .anywhere)
    }

    deinit {
        if let context { shim_input_close(context) }
    }

    func setSeekable(_ isSeekable: Bool) {
        context?.pointee.seekable = isSeekable ? AVIO_SEEKABLE_NORMAL : 0
    }

    /// Reading may go on after a time-out: the library takes every failure for the end.
    func clearFailure() {
        error = nil
        context?.pointee.eof_reached = 0
        context?.pointee.error = 0
    }

    private static func of(_ input: UnsafeMutableRawPointer?) -> WebInput? {
        guard let input, let owner = shim_input_owner(input) else { return nil }
        return Unmanaged<WebInput>.fromOpaque(owner).takeUnretainedValue()
    }

    private func read(into target: UnsafeMutableRawBufferPointer) -> Int32 {
        do throws(WebError) {
            let count = try readMeant(into: target)
            // As long as bytes come, the call may go on.
            interrupt.restart(limit: timeLimit)
            guard interrupt.note(byteCount: count) else { return shim_AVERROR_EXIT }
            return count == 0 ? shim_AVERROR_EOF : Int32(count)
        } catch {
            self.error = error
            switch error {
            case .cancelled, .timedOut: return shim_AVERROR_EXIT
            // The library takes a list that breaks off for a whole one, and a piece that does for its end.
            case .tooLong, .playlistsInPlaylists, .tooSlow:
                interrupt.stop(.input)
                return shim_AVERROR_EXIT
            default: return shim_averror(5)
            }
        }
    }

    private func readMeant(into target: UnsafeMutableRawBufferPointer) throws(WebError) -> Int {
        if decipher != nil { return try readDeciphered(into: target) }
        guard var list else { return try source.read(into: target) }
        defer { self.list = list }
        return try list.read(source, into: target)
    }

    /// Seconds that a playlist's first piece lies behind its beginning.
    var skipped: Double { list?.skipped ?? 0 }

    private func readDeciphered(into target: UnsafeMutableRawBufferPointer) throws(WebError) -> Int {
        while true {
            if let count = decipher?.take(into: target), count > 0 { return count }
            if decipher?.isAtEnd ?? true { return 0 }
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(Self.bufferSize), alignment: 16)
            defer { room.deallocate() }
            let count = try source.read(into: room)
            decipher?.append(UnsafeRawBufferPointer(rebasing: room[..<count]), isLast: count == 0)
        }
    }

    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        let length = source.resource.length
        switch whence & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return length ?? Int64(shim_averror(38))
        case SEEK_SET: return go(to: offset)
        case SEEK_CUR: return go(to: source.position.addingReportingOverflow(offset).partialValue)
        case SEEK_END:
            guard let length else { return Int64(shim_averror(38)) }
            return go(to: length.addingReportingOverflow(offset).partialValue)
        default: return Int64(shim_averror(22))
        }
    }

    private func go(to offset: Int64) -> Int64 {
        guard offset >= 0 else { return Int64(shim_averror(22)) }
        source.seek(to: offset)
        return offset
    }
}
