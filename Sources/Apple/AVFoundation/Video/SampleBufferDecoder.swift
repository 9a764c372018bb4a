import CoreMedia
import Dispatch
import Foundation
import Playback
import Synchronization
import TuttiCodecs

/// The decoder of a display layer's encoded frames, on its own queue.
///
/// Frames come in the order of decoding and leave in that of their times, with the times and attachments of their buffers.
/// Any thread.
final class SampleBufferDecoder: @unchecked Sendable {
    // Safe to share: only `queue` touches `decoding`; all others are immutable or locked.

    /// Callbacks, called on the decoder's queue without a lock held.
    struct Events: Sendable {
        /// Takes a decoded frame and the ``SampleBufferDecoder/generation`` that it was enqueued in.
        var decoded: @Sendable (CMSampleBuffer, _ generation: Int) -> Void
        /// Takes an error that ends decoding until a flush, with the generation of its frame.
        var failed: @Sendable (AVError, _ generation: Int) -> Void
        /// Whether a further decoded frame is wanted now.
        var hasRoom: @Sendable () -> Bool
        /// Tells that frames were taken from those that wait.
        var progressed: @Sendable () -> Void
        /// Tells that the decoder holds frames back and no other waits.
        var ranOut: @Sendable () -> Void
    }

    private struct State {
        var waiting: ArraySlice<CMSampleBuffer> = []
        var byteCount = 0
        var seconds = 0.0
        /// The end was told, and the frames inside the decoder have not been let out since.
        var isComplete = false
        var isScheduled = false
        /// Counts flushes; frames of an earlier one are stale.
        var generation = 0
        /// The earliest time of the frames that the decoder held back after the last run.
        var nextInside: CMTime?
    }

    /// The state of decoding, on the queue.
    private struct Decoding {
        var generation = 0
        var format: CMFormatDescription?
        var decoder: VideoDecoder?
        var orientation = PictureOrientation.upright
        /// The buffers inside the decoder, by the token that their pictures carry.
        var inside: [Int64: CMSampleBuffer] = [:]
        var lastToken: Int64 = 0
        /// Buffers since the last one at which decoding can begin, to begin there again after a drain.
        var sinceKey = Group()
        /// The same before that one: pictures between the two groups may refer to both.
        var beforeKey = Group()
        /// Whether the decoder was emptied, and lacks what the next frame refers to.
        var isEmptied = false
        let maker = PixelBufferMaker.forScreen()
    }

    /// Buffers of one group of pictures, as far as the limits allow.
    private struct Group {
        private(set) var buffers: [CMSampleBuffer] = []
        private var byteCount = 0

        mutating func append(_ buffer: CMSampleBuffer) {
            guard buffers.count < groupLimit, byteCount < groupByteLimit else { return }
            buffers.append(buffer)
            byteCount += buffer.totalSampleSize
        }
    }

    private let events: Events
    private let queue: DispatchQueue
    private let state = Mutex(State())
    private var decoding = Decoding()

    /// The most frames and bytes kept to begin again at a key frame; a longer group waits for the next one.
    private static let groupLimit = 600
    private static let groupByteLimit = 32 << 20

    /// - Parameter queue: A serial queue to decode on; `nil` for one of the decoder's own.
    init(_ events: Events, on queue: DispatchQueue? = nil) {
        self.events = events
        self.queue = queue ?? DispatchQueue(label: "tutti.pictures.decode", qos: .userInteractive)
    }

    /// Whether Tutti decodes frames of a buffer's format; others are handed on as they are.
    static func takes(_ buffer: CMSampleBuffer) -> Bool {
        guard buffer.imageBuffer == nil, let format = buffer.formatDescription, format.mediaType == .video
        else {
            return false
        }
        // These codecs cannot be decoded in a sample buffer without their parameter sets.
        let needsConfiguration = [.h264, .hevc].contains(format.mediaSubType)
        if needsConfiguration, format.decoderConfiguration == nil { return false }
        return VideoDescription.parameters(of: format) != nil
    }

    /// Seconds, number and bytes of frames that wait to be decoded.
    var backlog: (seconds: Double, count: Int, byteCount: Int) {
        state.withLock { ($0.seconds, $0.waiting.count, $0.byteCount) }
    }

    /// The number of flushes so far.
    var generation: Int { state.withLock { $0.generation } }

    /// The earliest time of the frames that the decoder holds back, as others may precede them.
    var nextInside: CMTime? { state.withLock { $0.nextInside } }

    func enqueue(_ buffer: CMSampleBuffer) {
        state.withLock { state in
            state.waiting.append(buffer)
            state.byteCount += buffer.totalSampleSize
            state.seconds += Self.seconds(of: buffer)
            state.isComplete = false
        }
        resume()
    }

    /// Marks the end of the frames, so that those inside the decoder come out.
    func complete() {
        state.withLock { $0.isComplete = true }
        resume()
    }

    /// Drops all frames; the next must be one at which decoding can begin.
    func flush() {
        state.withLock { state in
            (state.waiting, state.nextInside) = ([], nil)
            (state.byteCount, state.seconds, state.isComplete) = (0, 0, false)
            state.generation += 1
        }
    }

    /// Goes on after there is room again.
    func resume() {
        let isDue = state.withLock { state in
            guard !state.isScheduled, !state.waiting.isEmpty || state.isComplete else { return false }
            state.isScheduled = true
            return true
        }
        if isDue { queue.async { [self] in run() } }
    }

    /// Lets out the frames inside the decoder if one of them is due and no other follows.
    func empty(at now: CMTime) {
        queue.async { [self] in
            guard state.withLock({ $0.waiting.isEmpty }),
                decoding.inside.values.contains(where: { $0.outputPresentationTimeStamp <= now })
            else { return }
            drain()
        }
    }

    private static func seconds(of buffer: CMSampleBuffer) -> Double {
        let seconds = buffer.duration.seconds
        return seconds.isFinite && seconds > 0 ? min(seconds, 10) : 0
    }

    // MARK: Decoding, on the queue

    private func run() {
        while events.hasRoom() {
            let (next, generation, isEnd) = state.withLock { state -> (CMSampleBuffer?, Int, Bool) in
                guard let buffer = state.waiting.popFirst() else {
                    defer { state.isComplete = false }
                    return (nil, state.generation, state.isComplete)
                }
                state.byteCount -= buffer.totalSampleSize
                state.seconds = max(0, state.seconds - Self.seconds(of: buffer))
                return (buffer, state.generation, false)
            }
            begin(generation)
            guard let next else {
                if isEnd { drain() }
                break
            }
            decode(next)
            events.progressed()
        }
        let times = decoding.inside.values.map(\.outputPresentationTimeStamp)
        let next = times.filter(\.isNumeric).min()
        let (goesOn, holdsBack) = state.withLock { state in
            state.isScheduled = false
            if state.generation == decoding.generation { state.nextInside = next }
            return (!state.waiting.isEmpty || state.isComplete, state.nextInside != nil)
        }
        // A frame, the end or room may have come between the last look and the end of this run.
        if !goesOn {
            if holdsBack { events.ranOut() }
        } else if events.hasRoom() {
            resume()
        }
    }

    /// Forgets the frames of an earlier generation.
    private func begin(_ generation: Int) {
        guard decoding.generation != generation else { return }
        decoding.decoder?.reset()
        (decoding.generation, decoding.inside, decoding.isEmptied) = (generation, [:], false)
        (decoding.beforeKey, decoding.sinceKey) = (Group(), Group())
    }

    private func decode(_ buffer: CMSampleBuffer) {
        do throws(AVError) {
            try prepare(for: buffer)
        } catch {
            return events.failed(error, decoding.generation)
        }
        if decoding.isEmptied {
            decoding.isEmptied = false
            for earlier in decoding.beforeKey.buffers + decoding.sinceKey.buffers {
                send(earlier, token: nil)
            }
        }
        if Self.isKey(buffer) { (decoding.beforeKey, decoding.sinceKey) = (decoding.sinceKey, Group()) }
        decoding.sinceKey.append(buffer)
        decoding.lastToken += 1
        decoding.inside[decoding.lastToken] = buffer
        send(buffer, token: decoding.lastToken)
    }

    /// Opens a decoder for the buffer's format.
    private func prepare(for buffer: CMSampleBuffer) throws(AVError) {
        guard let format = buffer.formatDescription else { throw AVError(.decodeFailed) }
        if let known = decoding.format, known === format || known == format { return }
        if decoding.decoder != nil { drain() }
        guard let parameters = VideoDescription.parameters(of: format) else {
            throw AVError(.decoderNotFound)
        }
        do {
            decoding.decoder = try VideoDecoder(parameters, delaysPictures: false, acceptsIncomplete: true)
        } catch {
            throw AVError(.decoderNotFound, reason: "\(error)")
        }
        (decoding.format, decoding.orientation) = (format, parameters.orientation)
        (decoding.beforeKey, decoding.sinceKey) = (Group(), Group())
    }

    /// - Parameter token: The name of the picture; `nil` for one that was shown already.
    private func send(_ buffer: CMSampleBuffer, token: Int64?) {
        // A frame without bytes gives no picture, like a corrupt one.
        guard let decoder = decoding.decoder, let data = buffer.dataBuffer, let bytes = try? data.dataBytes(),
            let packet = bytes.withUnsafeBytes({ bytes in
                VideoPacket(bytes, presentationTime: token ?? -1, isKey: Self.isKey(buffer))
            })
        else { return }
        deliver(decoder.decode(packet))
    }

    private func drain() {
        guard let decoder = decoding.decoder else { return }
        deliver(decoder.drain())
        decoding.inside = [:]
        decoding.isEmptied = true
        state.withLock { $0.nextInside = nil }
    }

    private func deliver(_ frames: [VideoFrame]) {
        for frame in frames {
            guard let token = frame.packetTime, let buffer = decoding.inside.removeValue(forKey: token),
                decoding.generation == state.withLock({ $0.generation }),
                // A picture that cannot be converted is skipped.
                let picture = try? decoding.maker.make(frame, orientation: decoding.orientation),
                let decoded = try? CMSampleBuffer(picture: picture, of: buffer)
            else { continue }
            events.decoded(decoded, decoding.generation)
        }
        // Pictures that never come, of corrupt frames, must not gather.
        if decoding.inside.count > 256, let oldest = decoding.inside.keys.min() {
            decoding.inside[oldest] = nil
        }
    }

    /// Whether decoding can begin at a frame: it is not marked as one that depends on others.
    private static func isKey(_ buffer: CMSampleBuffer) -> Bool {
        let attachments = CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: false)
        guard let first = attachments?.firstObject as? NSDictionary else { return true }
        let value = first.object(forKey: kCMSampleAttachmentKey_NotSync)
        return !((value as? NSNumber)?.boolValue ?? false)
    }
}

extension CMSampleBuffer {
    /// Creates a buffer of a decoded picture with the times and attachments of its encoded frame.
    fileprivate convenience init(picture: CVPixelBuffer, of encoded: CMSampleBuffer) throws {
        try self.init(
            imageBuffer: picture, formatDescription: CMFormatDescription(imageBuffer: picture),
            sampleTiming: CMSampleTimingInfo(
                duration: encoded.duration, presentationTimeStamp: encoded.presentationTimeStamp,
                decodeTimeStamp: .invalid))
        CMPropagateAttachments(encoded, destination: self)
        let output = encoded.outputPresentationTimeStamp
        if output.isNumeric, output != encoded.presentationTimeStamp {
            CMSampleBufferSetOutputPresentationTimeStamp(self, newValue: output)
        }
        let source = CMSampleBufferGetSampleAttachmentsArray(encoded, createIfNecessary: false)
        let target = CMSampleBufferGetSampleAttachmentsArray(self, createIfNecessary: true)
        guard let from = source?.firstObject as? NSDictionary,
            let to = target?.firstObject as? NSMutableDictionary
        else { return }
        for key in [kCMSampleAttachmentKey_DisplayImmediately, kCMSampleAttachmentKey_DoNotDisplay] {
            if let value = from.object(forKey: key) { to.setObject(value, forKey: key) }
        }
    }
}
