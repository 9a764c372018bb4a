import CTuttiFFmpeg
import TuttiWeb

/// An FFmpeg input for one address.
final class WebInput {
    /// The permission to seek in the input.
    enum Seeking {
        case never
        /// Not during opening.
        case later
        case anywhere
    }

    let source: any ByteSource
    private(set) var context: UnsafeMutablePointer<AVIOContext>?
    private let interrupt: MediaInterrupt
    /// The longest wait without data.
    var timeLimit: Duration
    private var decipher: SegmentDecipher?
    private var list: ListInput?
    /// The cause of the last failed read.
    private(set) var error: WebError?

    /// The buffer size of one FFmpeg read.
    private static let bufferSize: Int32 = 32 << 10

    /// - Parameters:
    ///   - location: The base for relative names inside the input.
    ///   - decipher: Decrypts the bytes; `nil` for plain bytes.
    ///   - list: Filters the input if it may be a playlist.
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

    /// Clears a failure so that reading can continue after a time-out: FFmpeg treats every failure as the
    /// end.
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
            // The call may continue while bytes arrive.
            interrupt.restart(limit: timeLimit)
            guard interrupt.note(byteCount: count) else { return shim_AVERROR_EXIT }
            return count == 0 ? shim_AVERROR_EOF : Int32(count)
        } catch {
            self.error = error
            switch error {
            case .cancelled, .timedOut: return shim_AVERROR_EXIT
            // FFmpeg takes a truncated playlist for a complete one, and a truncated segment for its end.
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

    /// The offset of a playlist's first segment from its beginning, in seconds.
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
