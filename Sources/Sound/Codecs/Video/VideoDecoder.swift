import CTuttiFFmpeg
import Glibc

/// A decoder that turns the packets of one stream into pictures, in the order in which they are shown.
///
/// Several threads decode different pictures at once, so the first picture comes some packets after its own, and
/// ``drain()`` returns the last ones. Not thread-safe. Call ``reset()`` after a seek.
package final class VideoDecoder {
    /// The pictures that a decoder may leave out to catch up.
    package enum Skipping: Hashable, Sendable {
        /// Nothing is left out.
        case nothing
        /// Pictures that no other picture refers to are left out.
        case disposable
        /// All pictures between those where decoding can begin are left out.
        case allButKeys
    }

    /// Packets that could not be decoded so far.
    package private(set) var corruptPacketCount = 0
    /// Whether a graphics device decodes.
    package private(set) var usesHardware: Bool
    /// Whether the processor decodes because the machine's graphics device does not know the codec or has refused the
    /// stream.
    package private(set) var isRefusedByHardware: Bool
    /// The name of the decoder in FFmpeg.
    package var name: String { context.pointee.codec?.pointee.name.map { String(cString: $0) } ?? "" }

    private let parameters: VideoStreamParameters
    private let settings: Settings
    private var context: UnsafeMutablePointer<AVCodecContext>
    private let frame: UnsafeMutablePointer<AVFrame>
    /// Packets in a row that failed and completed no picture.
    private var failureStreak = 0
    /// The end of the last picture; `nil` if it is unknown.
    private var lastEnd: Int64?

    /// The most threads of one decoder. More only add memory and delay.
    static let threadLimit = 8
    /// Failures in a row after which a decoder is reopened at the next key picture.
    private static let failureLimit = 8

    /// The wishes of the initializer.
    private struct Settings {
        var threads: Int?
        var hardware: Bool
        var delaysPictures: Bool
        var acceptsIncomplete: Bool
    }

    /// Opens a decoder.
    ///
    /// - Parameters:
    ///   - threads: The number of threads; `nil` for one per processor, at most eight.
    ///   - hardware: Whether to use a graphics device if there is one for the codec.
    ///   - delaysPictures: Whether threads may decode several pictures at once, each of which adds one picture's delay.
    ///   - acceptsIncomplete: Whether pictures are returned that refer to others that were not decoded, as after ``drain()``.
    /// - Throws: ``CodecError`` if this build of FFmpeg has no decoder for the codec, or it refuses the parameters.
    package init(
        _ parameters: VideoStreamParameters, threads: Int? = nil, hardware: Bool = true,
        delaysPictures: Bool = true, acceptsIncomplete: Bool = false
    ) throws(CodecError) {
        FormatSource.silenced
        settings = Settings(
            threads: threads, hardware: hardware, delaysPictures: delaysPictures,
            acceptsIncomplete: acceptsIncomplete)
        self.parameters = parameters
        (context, usesHardware) = try Self.open(parameters, settings)
        isRefusedByHardware = hardware && !usesHardware && HardwareDecoding.shared != nil
        guard let frame = av_frame_alloc() else {
            var context: UnsafeMutablePointer<AVCodecContext>? = context
            avcodec_free_context(&context)
            throw CodecError(code: shim_averror(12), operation: "av_frame_alloc")
        }
        self.frame = frame
    }

    /// Opens FFmpeg's decoder; the caller frees it.
    private static func open(
        _ parameters: VideoStreamParameters, _ settings: Settings
    ) throws(CodecError) -> (UnsafeMutablePointer<AVCodecContext>, usesHardware: Bool) {
        guard let codec = avcodec_find_decoder(AVCodecID(rawValue: parameters.codecID)) else {
            throw CodecError(code: 0, operation: "avcodec_find_decoder")
        }
        var opened = avcodec_alloc_context3(codec)
        var library = avcodec_parameters_alloc()
        var isOpen = false
        defer {
            avcodec_parameters_free(&library)
            if !isOpen { avcodec_free_context(&opened) }
        }
        guard let context = opened, let library else {
            throw CodecError(code: shim_averror(12), operation: "avcodec_alloc_context3")
        }
        try parameters.fill(library)
        try CodecError.check(avcodec_parameters_to_context(context, library), "avcodec_parameters_to_context")
        context.pointee.max_pixels = Int64(VideoStreamParameters.pixelLimit)
        let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        context.pointee.thread_count = Int32(min(threadLimit, max(1, settings.threads ?? processors)))
        if settings.acceptsIncomplete { context.pointee.flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT }
        if !settings.delaysPictures { context.pointee.thread_type = FF_THREAD_SLICE }
        var usesHardware = false
        if settings.hardware, let device = HardwareDecoding.shared,
            let format = HardwareDecoding.format(of: codec)
        {
            shim_use_hardware(context, device.device, format)
            usesHardware = true
        }
        try CodecError.check(avcodec_open2(context, codec, nil), "avcodec_open2")
        isOpen = true
        return (context, usesHardware)
    }

    /// Opens FFmpeg's decoder again: after damage some decoders refuse all that follows, also after a flush (*observed*: VP9
    /// in FFmpeg 7.1).
    private func reopen() {
        // If that fails, the present one stays.
        guard let (fresh, usesHardware) = try? Self.open(parameters, settings) else { return }
        var old: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&old)
        (context, self.usesHardware) = (fresh, usesHardware)
        (failureStreak, lastEnd) = (0, nil)
        applySkipping()
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    /// The pictures left out from the next packet on.
    package var skipping: Skipping = .nothing {
        didSet { applySkipping() }
    }

    private func applySkipping() {
        context.pointee.skip_frame =
            switch skipping {
            case .nothing: AVDISCARD_DEFAULT
            case .disposable: AVDISCARD_NONREF
            case .allButKeys: AVDISCARD_NONKEY
            }
    }

    /// Decodes a packet and returns the pictures that it completes: none, one, or several.
    ///
    /// A packet that cannot be decoded counts in ``corruptPacketCount``.
    package func decode(_ packet: VideoPacket) -> [VideoFrame] {
        if failureStreak >= Self.failureLimit, packet.isKey { reopen() }
        let corruptBefore = corruptPacketCount
        var pictures: [VideoFrame] = []
        var code = avcodec_send_packet(context, packet.packet)
        if code == shim_averror(11) {
            // The decoder wants its pictures to be taken first.
            receive(into: &pictures)
            code = avcodec_send_packet(context, packet.packet)
        }
        if code < 0, code != shim_AVERROR_EOF { corruptPacketCount += 1 }
        receive(into: &pictures)
        if !pictures.isEmpty {
            failureStreak = 0
        } else if corruptPacketCount > corruptBefore {
            failureStreak += 1
        }
        return pictures
    }

    /// Returns the pictures still inside the decoder at the end of the stream, then resets the decoder.
    package func drain() -> [VideoFrame] {
        var pictures: [VideoFrame] = []
        avcodec_send_packet(context, nil)
        receive(into: &pictures)
        reset()
        return pictures
    }

    /// Discards all decoding state, for a seek.
    package func reset() {
        if failureStreak > 0 { return reopen() }
        avcodec_flush_buffers(context)
        lastEnd = nil
    }

    private func receive(into pictures: inout [VideoFrame]) {
        while true {
            let code = avcodec_receive_frame(context, frame)
            if code < 0 {
                if code != shim_averror(11), code != shim_AVERROR_EOF { corruptPacketCount += 1 }
                return
            }
            defer { av_frame_unref(frame) }
            guard let shown = inMemory(),
                let picture = VideoFrame(taking: shown, of: parameters, next: lastEnd)
            else {
                corruptPacketCount += 1
                continue
            }
            pictures.append(picture)
            lastEnd = picture.duration > 0 ? picture.time.map { $0 &+ picture.duration } : nil
        }
    }

    /// Fetches a picture of the graphics device into memory; returns a picture in memory as it is.
    private func inMemory() -> UnsafeMutablePointer<AVFrame>? {
        guard frame.pointee.hw_frames_ctx != nil else {
            // The device refused this stream, so FFmpeg decodes it.
            if usesHardware { (usesHardware, isRefusedByHardware) = (false, true) }
            return frame
        }
        var copy = av_frame_alloc()
        defer { av_frame_free(&copy) }
        guard let copy, av_hwframe_transfer_data(copy, frame, 0) >= 0, av_frame_copy_props(copy, frame) >= 0
        else { return nil }
        av_frame_unref(frame)
        av_frame_move_ref(frame, copy)
        return frame
    }
}
