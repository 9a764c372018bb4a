import CTuttiFFmpeg
import Synchronization
import TuttiWeb

/// All web inputs of one reader: its address and, for a playlist, the segments, keys and reloaded playlists.
/// FFmpeg opens and closes its inputs here, and can open nothing else.
final class WebInputs {
    let transfer: MediaTransfer
    private let options: WebOptions
    private var limits: WebLimits
    private let interrupt: MediaInterrupt
    private var timeLimit: Duration
    private let engine: WebEngine
    private let makeSource: ByteSourceMaking?
    /// The position, in seconds, at which HLS playlists begin.
    private let start: Double
    /// The total duration, in seconds, of the segments dropped for that position.
    private var skipped = 0.0
    private var inputs: [UnsafeMutablePointer<AVIOContext>: WebInput] = [:]
    /// The input of the address itself.
    private(set) var main: WebInput?
    /// The cause of the last failed open, until an open succeeds.
    private var failure: WebError?
    /// The number of master playlists opened.
    private var variantListCount = 0

    /// The most master playlists behind one address that name each other. By the standard there is one master
    /// playlist, and it names media playlists.
    static let nestingLimit = 3

    /// - Parameter transfer: Receives the sources; `nil` for a new transfer.
    init(
        request: WebRequest, interrupt: MediaInterrupt, timeLimit: Duration, readAhead: Int,
        engine: WebEngine, makeSource: ByteSourceMaking? = nil,
        start: Double = 0, transfer: MediaTransfer? = nil
    ) {
        (self.start, self.transfer) = (start, transfer ?? MediaTransfer())
        options = WebOptions(userAgent: request.userAgent, cookies: request.cookies)
        limits = WebLimits()
        limits.windowBytes = max(readAhead, 256 << 10)
        limits.timeLimit = timeLimit
        limits.answerLimit = min(limits.answerLimit, timeLimit * 2 / 3)
        limits.stallLimit = min(limits.stallLimit, timeLimit / 3)
        (self.interrupt, self.timeLimit) = (interrupt, timeLimit)
        (self.engine, self.makeSource) = (engine, makeSource)
    }

    /// Sets the longest wait without data, for open and future inputs.
    func setTimeLimit(_ limit: Duration) {
        (timeLimit, limits.timeLimit) = (limit, limit)
        for input in [main].compactMap(\.self) + inputs.values {
            input.timeLimit = limit
            input.source.setTimeLimit(limit)
        }
    }

    deinit { forget() }

    /// Opens the address itself; blocks until the server answers.
    func openMain(_ address: String) throws(WebError) -> any ByteSource {
        if let makeSource, !SourceName.isOfTheWeb(address) {
            guard let source = makeSource(address) else { throw .invalidAddress }
            return try open(source)
        }
        var options = options
        options.wantsTitles = true
        return try open(address, first: 0, last: nil, options)
    }

    private func open(
        _ address: String, first: Int64, last: Int64?, _ options: WebOptions
    ) throws(WebError) -> any ByteSource {
        try open(
            WebSource(
                address, first: first, last: last, options: options, limits: limits, log: transfer.log,
                engine: engine))
    }

    private func open(_ source: any ByteSource) throws(WebError) -> any ByteSource {
        let key = interrupt.onCancel { source.cancel() }
        transfer.follow(source) { [interrupt] in interrupt.forget(key) }
        do throws(WebError) {
            _ = try source.open()
        } catch {
            transfer.leave(source)
            throw error
        }
        interrupt.restart(limit: timeLimit)
        return source
    }

    /// Makes the address itself an FFmpeg input.
    func use(_ source: any ByteSource, seeking: WebInput.Seeking) -> WebInput {
        let input = WebInput(
            source, location: source.resource.address, seeking: seeking, decipher: nil,
            list: seeking == .never ? makeList() : nil, interrupt: interrupt, timeLimit: timeLimit)
        main = input
        return input
    }

    private func makeList() -> ListInput {
        ListInput(from: start) { [unowned self] in
            variantListCount += 1
            return variantListCount <= Self.nestingLimit
        }
    }

    // MARK: Probing beside FFmpeg

    /// Reads bytes of a source without moving the reader's position.
    ///
    /// - Parameter least: Blocks until this many bytes arrived, or the source ends.
    func read(
        _ source: any ByteSource, _ count: Int, at offset: Int64, atLeast least: Int
    ) throws(WebError) -> [UInt8] {
        let position = source.position
        source.seek(to: offset)
        defer { source.seek(to: position) }
        var bytes: [UInt8] = []
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
        defer { room.deallocate() }
        while bytes.count < min(least, count) {
            let wanted = min(room.count, count - bytes.count)
            let read = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: room[..<wanted]))
            if read == 0 { break }
            bytes += room[..<read]
        }
        return bytes
    }

    /// Reads bytes of the address itself if they are cached or the server supports ranges; returns none
    /// otherwise.
    func bytes(_ count: Int, at offset: Int) -> [UInt8] {
        guard let source = main?.source else { return [] }
        let isAtHand = source.ranges.contains { $0.contains(Int64(offset)) }
        guard isAtHand || source.resource.givesRanges else { return [] }
        // Bytes that cannot be read now count as missing.
        return (try? read(source, count, at: Int64(offset), atLeast: count)) ?? []
    }

    /// The cause of the last failure, unless the contents are at fault.
    var error: WebError? { main?.error ?? failure ?? inputs.values.lazy.compactMap(\.error).first }

    func clearFailures() {
        failure = nil
        main?.clearFailure()
        for input in inputs.values { input.clearFailure() }
    }

    /// The start of the first segment read, in seconds of the playlist.
    var firstPiece: Double { max(skipped, main?.skipped ?? 0) }

    func forget() {
        for input in inputs.values { transfer.leave(input.source) }
        inputs = [:]
        if let main { transfer.leave(main.source) }
        main = nil
    }

    // MARK: FFmpeg's callbacks

    /// Installs this object in a context, which must not outlive it.
    func attach(to context: UnsafeMutablePointer<AVFormatContext>) {
        context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
        context.pointee.io_open = { context, input, address, _, options in
            guard let inputs = WebInputs.of(context), let input, let address else { return shim_averror(22) }
            return inputs.openInput(String(cString: address), options: options?.pointee, into: input)
        }
        context.pointee.io_close2 = { context, input in
            guard let inputs = WebInputs.of(context), let input else { return 0 }
            return inputs.closeInput(input)
        }
    }

    private static func of(_ context: UnsafeMutablePointer<AVFormatContext>?) -> WebInputs? {
        context?.pointee.opaque.map { Unmanaged<WebInputs>.fromOpaque($0).takeUnretainedValue() }
    }

    private func openInput(
        _ address: String, options: OpaquePointer?,
        into result: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>
    ) -> Int32 {
        // FFmpeg continues with what it has of an interrupted playlist.
        guard interrupt.noteRequest() else {
            // Missing segments have already stored their cause.
            if interrupt.limit == .requests {
                failure = failure ?? .tooManyRequests(limit: MediaInterrupt.requestLimit)
            }
            return shim_AVERROR_EXIT
        }
        var (address, decipher): (String, SegmentDecipher?) = (address, nil)
        if address.hasPrefix("crypto+") {
            guard let key = Self.option("key", options), let vector = Self.option("iv", options),
                let made = SegmentDecipher(key: key, vector: vector)
            else { return shim_AVERROR_INVALIDDATA }
            (address, decipher) = (String(address.dropFirst(7)), made)
        }
        let first = Self.option("offset", options).flatMap { Int64($0) } ?? 0
        let end = Self.option("end_offset", options).flatMap { Int64($0) }
        do throws(WebError) {
            var own = self.options
            own.takesCompressed = WebContent.isPlaylist(address: address)
            let source = try open(
                address, first: max(0, first), last: end.map { max($0 - 1, first) }, own)
            let input = WebInput(
                source, location: source.resource.address, seeking: .never, decipher: decipher,
                list: decipher == nil ? makeList() : nil, interrupt: interrupt, timeLimit: timeLimit)
            guard let context = input.context else { return shim_averror(12) }
            failure = nil
            inputs[context] = input
            result.pointee = context
            return 0
        } catch {
            failure = error
            return error == .cancelled ? shim_AVERROR_EXIT : shim_averror(5)
        }
    }

    private func closeInput(_ context: UnsafeMutablePointer<AVIOContext>) -> Int32 {
        guard let input = inputs.removeValue(forKey: context) else { return 0 }
        skipped = max(skipped, input.skipped)
        if interrupt.limit == .input { failure = failure ?? input.error }
        transfer.leave(input.source)
        return 0
    }

    private static func option(_ name: String, _ options: OpaquePointer?) -> String? {
        av_dict_get(options, name, nil, 0)?.pointee.value.map { String(cString: $0) }
    }
}
