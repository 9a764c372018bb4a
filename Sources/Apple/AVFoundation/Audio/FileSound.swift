import TuttiCodecs
import TuttiPCM

/// The sound of a file, decoded on demand from any frame on.
///
/// Frame 0 is the first audible frame; encoder delay and padding do not count. Holds the frames of one packet
/// at a time. For one thread at a time.
final class FileSound {
    let info: MediaInfo
    /// The next frame to read.
    private(set) var position: Int64 = 0

    private let path: String
    private let reader: MediaReader
    private var decoder: AudioDecoder
    /// Decoded frames that are not all read yet.
    private var ready: DecodedAudio?
    /// The frame after the last frame decoded since a seek; `nil` if there is none.
    private var decodedEnd: Int64?
    private var isDrained = false
    private var needsSeek = false
    private var knownLength: Int64?
    /// The container's exact frame count, or `.max`; reading stops there, even if the decoder delivers more.
    private let lastFrame: Int64

    /// - Parameter sampleFormat: Returns the sample format for the decoder to deliver.
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

    /// The sample format of the decoder's output, which is always interleaved.
    var sampleFormat: SampleFormat { decoder.outputFormat.sampleFormat }

    /// The length in frames. The first call may read the file to its end, without decoding.
    var length: Int64 {
        if let knownLength { return knownLength }
        // Falls back to the estimate if counting fails.
        let length = (try? MediaReader(path, readsArtwork: false).lastFrame()) ?? info.frameCount ?? 0
        knownLength = length
        return length
    }

    /// Moves to a frame, at which the next read begins; seeks only then.
    func move(to frame: Int64) {
        guard frame != position else { return }
        position = frame
        if let ready, !needsSeek, ready.frames.contains(frame) { return }
        ready = nil
        needsSeek = true
    }

    /// Delivers up to `count` frames from ``position`` on, piece by piece, and advances ``position``.
    ///
    /// - Parameter take: Called with interleaved frames (`nil` for silence), their number, and the number of
    ///   frames delivered before.
    /// - Returns: The number of frames delivered; fewer than `count` at the end of the sound or at an error.
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
                // Returns the frames before the error; the next read throws the error again.
                if given > 0 { break }
                throw AudioFileError.make(error)
            }
            let step = give(atMost: wanted - given, before: given, take)
            given += step
            position += Int64(step)
        }
        return given
    }

    /// Delivers decoded frames, or the silence before them.
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

    /// Decodes until frames at or after ``position`` are ready.
    ///
    /// - Returns: Whether frames are ready; false at the end of the sound.
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
        // A new decoder: FFmpeg's decoder keeps its noise state over a reset, so that the same frames would
        // decode to other samples.
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

    /// Corrects the length to the actual end of the sound, which outranks the stated or counted length.
    private func noteEnd() {
        if decodedEnd == position { knownLength = position }
    }
}

extension DecodedAudio {
    fileprivate var frames: Range<Int64> { timestamp..<timestamp + Int64(buffer.frameCount) }
}
