import CoreMedia
import TuttiCodecs
import TuttiMediaTime

/// The sound of an item as sample buffers in item time: its file, and a crossfade at its end if one is selected.
///
/// Where a film's pictures are longer than its sound, silence follows the sound.
///
/// The crossfade's part of the file is not delivered as packets. If the next file cannot be opened, is too short or
/// has no known length, the item ends as its file does. Reading may block for a disk or a network. Use from one
/// thread at a time.
final class ItemSource {
    /// The reader of the item's file.
    let reader: MediaReader
    /// The crossfade, once it was read to its end.
    private(set) var crossfaded: Crossfade?

    private var packets: PacketSource
    private let seconds: Double
    private let selection: FeedSelection
    private let openNext: (String) throws(MediaError) -> MediaReader
    /// The range of the crossfade in frames of the item; `nil` without one.
    private var overlap: Range<Int64>?
    private var mixing: CrossfadeSource?
    private let start: Int64
    private var silence: SilentTail?

    /// - Parameters:
    ///   - frame: The first frame.
    ///   - isAnew: Whether the reader has been read from before, so that it must seek.
    ///   - seconds: Approximate sound in a buffer.
    ///   - openNext: Opens the file that a crossfade goes to.
    init(
        _ reader: MediaReader, from frame: Int64, isAnew: Bool, seconds: Double, _ selection: FeedSelection,
        openNext: @escaping (String) throws(MediaError) -> MediaReader
    ) throws(MediaError) {
        (self.reader, self.seconds, self.selection, start) = (reader, seconds, selection, frame)
        self.openNext = openNext
        overlap = selection.crossfade.flatMap { Self.overlap($0, in: reader.info) }
        if let end = overlap?.upperBound, frame >= end { overlap = nil }
        let end = overlap.map { max(frame, $0.lowerBound) } ?? .max
        packets = try PacketSource(
            reader, start: .zero, frames: frame..<max(frame, end), isAnew: isAnew, seconds: seconds)
    }

    /// Returns the frames in which both items sound; `nil` if the item's length is not known.
    private static func overlap(_ crossfade: Crossfade, in info: MediaInfo) -> Range<Int64>? {
        guard let count = info.frameCount, !info.isFrameCountGuessed, !info.isLive, info.isSeekable else {
            return nil
        }
        let scale = CMTimeScale(info.sampleRate.hertz)
        var end = count
        if crossfade.end.isNumeric {
            end = min(end, crossfade.end.convertScale(scale, method: .roundHalfAwayFromZero).value)
        }
        let length = crossfade.duration.convertScale(scale, method: .roundHalfAwayFromZero).value
        return length > 0 && 2 * length <= end ? end - length..<end : nil
    }

    /// The properties of the item's file.
    var info: MediaInfo { reader.info }

    /// Irregularities found so far.
    var warnings: [MediaWarning] { packets.warnings }

    /// Item time after the last audible frame that was read.
    var end: CMTime { mixing?.end ?? silence?.end ?? packets.end }

    /// Returns the next buffer; `nil` at the end.
    func nextBuffer() throws(MediaError) -> CMSampleBuffer? {
        if mixing == nil {
            if let buffer = try nextSound() { return buffer }
            guard let overlap, let crossfade = selection.crossfade else { return nil }
            self.overlap = nil
            guard try begin(crossfade, overlap) else { return try nextSound() }
        }
        if let buffer = try mixing?.nextBuffer() { return buffer }
        if mixing != nil { crossfaded = selection.crossfade }
        return nil
    }

    private func nextSound() throws(MediaError) -> CMSampleBuffer? {
        if silence == nil {
            if let buffer = try packets.nextBuffer() { return buffer }
            guard overlap == nil, reader.isComplete, let last = reader.info.pictureEnd,
                last == reader.info.wholeFrameCount
            else { return nil }
            silence = SilentTail(from: packets.end, to: last, sampleRate: info.sampleRate)
        }
        return silence?.nextBuffer()
    }

    /// Begins the overlap, at the file's end if that comes earlier than the file has said.
    ///
    /// - Returns: `false` if the next file cannot be mixed; the item's own sound continues then.
    private func begin(_ crossfade: Crossfade, _ planned: Range<Int64>) throws(MediaError) -> Bool {
        let read = packets.end.convertScale(
            CMTimeScale(info.sampleRate.hertz), method: .roundHalfAwayFromZero)
        let isShort = start < planned.lowerBound && read.value < planned.lowerBound
        let first = isShort ? read.value : planned.lowerBound
        let overlap = first..<first + Int64(planned.count)
        do throws(MediaError) {
            mixing = try CrossfadeSource(
                from: reader, into: openNext(crossfade.path), crossfade, own: selection.mix.curve(of: info),
                overlap: overlap, at: max(start, first))
            return true
        } catch {
            if case .cancelled = error { throw error }
            packets = try PacketSource(
                reader, start: .zero, frames: max(start, first)..<Int64.max, isAnew: true, seconds: seconds)
            return false
        }
    }
}
