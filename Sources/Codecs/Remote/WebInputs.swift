internal import CFFmpeg
import Synchronization
internal import Web

/// All inputs of one reader that come from the web: its address, and for a playlist its segments, keys and
/// renewed playlists. The library opens and closes them here, and can open nothing else.
final class WebInputs {
    let transfer: MediaTransfer
    private let options: WebOptions
    private var limits: WebLimits
    private let interrupt: MediaInterrupt
    private var timeLimit: Duration
    private let engine: WebEngine
    private let makeSource: ByteSourceMaking?
    /// Seconds at which playlists of pieces begin.
    private let start: Double
    /// Seconds that were left out of them for that.
    private var skipped = 0.0
    private var inputs: [UnsafeMutablePointer<AVIOContext>: WebInput] = [:]
    /// The address itself.
    private(set) var main: WebInput?
    /// Why an input could not be opened or read, until the next one is.
    private var failure: WebError?
    /// Lists of variants that were met.
    private var variantListCount = 0

    /// Most lists of variants behind one address, as they name one another. By the standard there is one, and what it
    /// names are lists of pieces.
    static let nestingLimit = 3

    /// - Parameter transfer: where it is told of; a new one if none is given.
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

    /// From now on so long may pass without a byte.
    func setTimeLimit(_ limit: Duration) {
        (timeLimit, limits.timeLimit) = (limit, limit)
        for input in [main].compactMap(\.self) + inputs.values {
            input.timeLimit = limit
            input.source.setTimeLimit(limit)
        }
    }

    deinit { forget() }

    /// Waits for the answer to the address itself.
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

    /// Makes the address itself an input.
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

    // MARK: Looking at bytes beside the library

    /// Some bytes of a source; the reader stays where it is.
    ///
    /// - Parameter atLeast: waits until so many are there, or the source ends.
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

    /// Bytes of the address itself where they can be had; none where they are too far.
    func bytes(_ count: Int, at offset: Int) -> [UInt8] {
        guard let source = main?.source else { return [] }
        let isAtHand = source.ranges.contains { $0.contains(Int64(offset)) }
        guard isAtHand || source.resource.givesRanges else { return [] }
        // What cannot be read now is taken as not being there.
        return (try? read(source, count, at: Int64(offset), atLeast: count)) ?? []
    }

    /// What went wrong last, if that was not the contents.
    var error: WebError? { main?.error ?? failure ?? inputs.values.lazy.compactMap(\.error).first }

    func clearFailures() {
        failure = nil
        main?.clearFailure()
        for input in inputs.values { input.clearFailure() }
    }

    /// Seconds at which the pieces that were read begin, as their list has it.
    var firstPiece: Double { max(skipped, main?.skipped ?? 0) }

    func forget() {
        for input in inputs.values { transfer.leave(input.source) }
        inputs = [:]
        if let main { transfer.leave(main.source) }
        main = nil
    }

    // MARK: What the library calls

    /// Gives itself to a context, which must not outlive this object.
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
        // The library goes on with what it has of a playlist that was ended.
        guard interrupt.noteRequest() else {
            // Pieces that do not exist have told their cause.
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
