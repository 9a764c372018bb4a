import Codecs
import PCM

/// The sound of a file, decoded as it is asked for: frame after frame, or from any frame on.
///
/// Frames are counted from the first that is heard; what encoders put before and behind does not count. Holds
/// a packet's frames at a time. For one thread at a time.
final class FileSound {
    let info: MediaInfo
    /// The frame that is given next.
    private(set) var position: Int64 = 0

    private let path: String
    private let reader: MediaReader
    private var decoder: AudioDecoder
    /// Decoded, and not all of it given.
    private var ready: DecodedAudio?
    /// The last decoded frame since a seek is the one before; `nil` when there is none.
    private var decodedEnd: Int64?
    private var isDrained = false
    private var needsSeek = false
    private var knownLength: Int64?
    /// The container's own count, behind which nothing is given, whatever the decoder makes of the rest.
    private let lastFrame: Int64

    /// - Parameter sampleFormat: what the decoder is to give.
    init(path: String, sampleFormat: (MediaInfo) -> SampleFormat) throws {
        self.path = path
        do {
            reader = try MediaReader(path, readsArtwork: false)
            info = reader.info
            decoder = try AudioDecoder(info.stream, sampleFormat: sampleFormat(info))
        } catch {
            throw AudioFileError.make(error)
        }
        if info.isFrameCountExact { knownLength = info.frameCount }
        lastFrame = knownLength ?? .max
    }

    /// What the decoder gives, always interleaved.
    var sampleFormat: SampleFormat { decoder.outputFormat.sampleFormat }

    /// How many frames there are. The first time it may have to read the file to its end, without decoding.
    var length: Int64 {
        if let knownLength { return knownLength }
        // What cannot be counted is as long as it seems.
        let length = (try? MediaReader(path, readsArtwork: false).lastFrame()) ?? info.frameCount ?? 0
        knownLength = length
        return length
    }

    /// Goes to a frame; the next reading begins with it.
    func move(to frame: Int64) {
        guard frame != position else { return }
        position = frame
        if let ready, !needsSeek, ready.frames.contains(frame) { return }
        ready = nil
        needsSeek = true
    }

    /// Gives up to `count` frames from ``position`` on, piece by piece, and moves on behind them.
    ///
    /// - Parameter take: Called with interleaved frames, `nil` for silence, how many there are, and how many
    ///   were given before.
    /// - Returns: How many were given; fewer than asked for only at the end of the sound.
    func read(_ count: Int, _ take: (UnsafeRawBufferPointer?, Int, Int) -> Void) throws -> Int {
        let wanted = Int(min(Int64(count), max(0, lastFrame - position)))
        var given = 0
        while given < wanted {
            do {
                guard try prepare() else {
                    noteEnd()
                    break
                }
            } catch {
                // What was read counts; the error comes again with the next reading.
                if given > 0 { break }
                throw AudioFileError.make(error)
            }
            let step = give(atMost: wanted - given, before: given, take)
            given += step
            position += Int64(step)
        }
        return given
    }

    /// Hands over frames that are ready, or the silence before them.
    private func give(
        atMost limit: Int, before given: Int, _ take: (UnsafeRawBufferPointer?, Int, Int) -> Void
    ) -> Int {
        guard let ready else { return 0 }
        if ready.timestamp > position {
            let hole = Int(min(Int64(limit), ready.timestamp - position))
            take(nil, hole, given)
            return hole
        }
        let offset = Int(position - ready.timestamp)
        let count = min(limit, ready.buffer.frameCount - offset)
        let width = ready.buffer.format.bytesPerFrame
        ready.buffer.withUnsafeBytes { bytes in
            take(
                UnsafeRawBufferPointer(rebasing: bytes[offset * width..<(offset + count) * width]), count,
                given)
        }
        return count
    }

    /// Decodes until frames at or behind ``position`` are ready.
    ///
    /// - Returns: Whether there are any; not at the end.
    private func prepare() throws -> Bool {
        if needsSeek { try seek() }
        while true {
            if let ready, ready.frames.upperBound > position { return true }
            ready = nil
            if isDrained { return false }
            try decodeMore()
        }
    }

    private func seek() throws {
        try reader.seek(toFrame: position)
        // A fresh one: the library's keeps the state of its noise over a reset, and the same place would give
        // other samples.
        decoder = try AudioDecoder(info.stream, sampleFormat: sampleFormat)
        (needsSeek, isDrained, decodedEnd) = (false, false, nil)
    }

    private func decodeMore() throws(MediaError) {
        if let packet = try reader.nextPacket() {
            ready = decoder.decode(packet)
        } else {
            ready = decoder.drain()
            isDrained = true
        }
        if let ready { decodedEnd = ready.frames.upperBound }
    }

    /// Where the sound ends says more than what the file promised, or what was counted.
    private func noteEnd() {
        if decodedEnd == position { knownLength = position }
    }
}

extension DecodedAudio {
    fileprivate var frames: Range<Int64> { timestamp..<timestamp + Int64(buffer.frameCount) }
}
