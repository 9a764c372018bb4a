import CTuttiFFmpeg
import TuttiMediaTime

/// A converter from a stream's times to frames, which also determines the audible frames.
struct StreamClock {
    /// The tolerated shortfall in frames: a source shorter than promised by less is complete.
    static let lengthTolerance: Int64 = 8192

    let timeline: PacketTimeline
    let frameCount: Int64?
    let encoderDelay: Int?
    let encoderPadding: Int?
    /// ``frameCount`` if the container declares it; `nil` if it is an estimate.
    let promisedFrameCount: Int64?
    /// Whether ``frameCount`` is exact.
    let isFrameCountExact: Bool

    private var parameters: UnsafeMutablePointer<AVCodecParameters>
    private let unit: AVRational
    private let frameUnit: AVRational
    /// The container's time of the first audible frame, in frames.
    let origin: Int64
    /// The end of the container, in frames of its time: an edit list may leave out the last pictures.
    private let containerEnd: Int64
    /// The start of the padding, if the container declares it outside its packets.
    private let endFrame: Int64?
    /// The duration of every AAC packet in MP4. Packets there are whole access units, even if one declares a
    /// shorter duration, as the last often does, or a longer one, up to the next packet.
    private let paddedDuration: Int64?
    /// Whether the container is Ogg, where the last packet's duration omits the inaudible frames.
    private let isOgg: Bool

    /// The longest accepted gap between two packets, in seconds; a longer gap is skipped.
    private static let holeSeconds: Int64 = 120
    /// The largest plausible time or length in a file: 2⁵⁰ frames are centuries.
    private static let frameLimit: Int64 = 1 << 50
    /// The containers with an exact frame count.
    private static let countingContainers: Set<String> = [
        "wav", "w64", "aiff", "caf", "au", "flac", "mov", "ogg", "mp3",
    ]

    init(
        stream: UnsafeMutablePointer<AVStream>, rate: SampleRate, firstPacket: UnsafeMutablePointer<AVPacket>,
        reading: MediaInfoReading
    ) {
        let codec = AudioCodec(stream.pointee.codecpar.pointee.codec_id)
        let isMovie = reading.container == "mov"
        parameters = stream.pointee.codecpar
        unit = stream.pointee.time_base
        frameUnit = AVRational(num: 1, den: Int32(rate.hertz))
        let firstTime = Self.frames(firstPacket.pointee.pts, unit, frameUnit) ?? 0
        let firstDuration = Self.duration(firstPacket, unit, frameUnit, parameters)
        let delay = Self.delay(
            codec, firstPacket, firstDuration: firstDuration,
            started: Self.frames(stream.pointee.start_time, unit, frameUnit).map { $0 - firstTime },
            parameters)
        origin = firstTime + delay
        containerEnd = Self.end(of: reading.source.context, frameUnit)
        paddedDuration = isMovie && codec == .aac ? firstDuration : nil
        isOgg = reading.container == "ogg"

        let isEstimate =
            reading.source.context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
        let length = Length(
            stream: stream, codec: codec, delay: delay, packetDuration: firstDuration, reading: reading,
            rate: rate,
            // Ogg's length is its last page's time or unknown; an estimate must not cut the sound.
            whole: isOgg && isEstimate ? nil : Self.declaredFrames(stream, of: reading, frameUnit))
        frameCount = length.frameCount
        endFrame = length.endFrame
        encoderPadding = length.padding
        encoderDelay =
            codec == .vorbis ? 0 : (delay > 0 || isMovie || length.padding != nil ? Int(delay) : nil)
        promisedFrameCount = isEstimate ? nil : length.frameCount
        timeline = Self.timeline(
            codec, delay: delay, packetDuration: firstDuration, unit: unit, second: Int64(rate.hertz),
            promised: promisedFrameCount)
        isFrameCountExact =
            !isEstimate && length.frameCount != nil
            && Self.countsFrames(stream, in: reading.container)
    }

    /// Creates the clock of silence instead of sound.
    init(_ silence: SilentStream, rate: SampleRate) {
        (frameCount, promisedFrameCount, isFrameCountExact) = (silence.frameCount, silence.frameCount, true)
        (encoderDelay, encoderPadding, endFrame, paddedDuration) = (nil, nil, nil, nil)
        (parameters, unit) = (silence.stream.pointee.codecpar, silence.stream.pointee.time_base)
        frameUnit = AVRational(num: 1, den: Int32(rate.hertz))
        (origin, containerEnd, isOgg) = (silence.zeroTime, .max, false)
        timeline = PacketTimeline(
            firstTimestamp: 0, fixedDuration: nil, tolerance: 1,
            limits: PacketTimeline.Limits(hole: .max, back: .max, end: .max))
    }

    /// Returns the places of the packets: one after the other, up to the end that the container promises.
    private static func timeline(
        _ codec: AudioCodec, delay: Int64, packetDuration: Int64, unit: AVRational, second: Int64,
        promised: Int64?
    ) -> PacketTimeline {
        PacketTimeline(
            firstTimestamp: -delay, fixedDuration: codec.hasFixedPacketDuration ? packetDuration : nil,
            tolerance: max(
                1, (Int64(unit.num) * second + Int64(unit.den) - 1) / Int64(max(1, unit.den))),
            limits: PacketTimeline.Limits(
                hole: holeSeconds * second, back: second,
                end: promised.map { $0 + lengthTolerance } ?? .max))
    }

    /// Returns whether a container declares the exact length of a stream.
    private static func countsFrames(
        _ stream: UnsafeMutablePointer<AVStream>, in container: String
    ) -> Bool {
        // A fragmented MP4 file has no packet table, and its length is rounded.
        let isFragmented = container == "mov" && stream.pointee.nb_frames == 0
        return !isFragmented && stream.pointee.duration != shim_AV_NOPTS_VALUE
            && countingContainers.contains(container)
    }

    /// Switches to the same stream in a reopened source.
    mutating func follow(_ stream: UnsafeMutablePointer<AVStream>) { parameters = stream.pointee.codecpar }

    /// The last frame to which the container seeks exactly.
    ///
    /// Ogg counts the times inside a page back from its end, and the last page is cut short. A page holds at
    /// most 255 packets: 6 seconds.
    var lastSeekableFrame: Int64 {
        guard isOgg, let frameCount else { return .max }
        return frameCount - 8 * Int64(frameUnit.den)
    }

    /// Returns the stream's own time of a frame, rounded down.
    func streamTime(of frame: Int64) -> Int64 {
        av_rescale_q_rnd(min(frame, Self.frameLimit) &+ origin, frameUnit, unit, AV_ROUND_DOWN)
    }

    /// Returns the container's time of a packet, in frames from the first audible frame.
    func hint(of packet: UnsafeMutablePointer<AVPacket>) -> Int64? {
        Self.frames(packet.pointee.pts, unit, frameUnit).map { $0 - origin }
    }

    func duration(of packet: UnsafeMutablePointer<AVPacket>) -> Int64 {
        let duration = Self.duration(packet, unit, frameUnit, parameters)
        if isOgg { return duration + min(Self.skipSideData(packet).end, 8192) }
        return paddedDuration ?? duration
    }

    /// Returns whether a packet lies so far behind the last audible frame that no decoder needs it.
    func isFarBehindEnd(_ timestamp: Int64) -> Bool {
        guard let endFrame else { return false }
        return timestamp > endFrame + Int64(frameUnit.den)
    }

    /// Returns the inaudible frames of a packet.
    func skip(
        of packet: UnsafeMutablePointer<AVPacket>, timestamp: Int64, duration: Int64
    ) -> (start: Int64, end: Int64) {
        let side = Self.skipSideData(packet)
        let isDiscarded = packet.pointee.flags & AV_PKT_FLAG_DISCARD != 0
        let start = isDiscarded ? duration : max(side.start, -timestamp, 0)
        var end = side.end
        if paddedDuration != nil { end += duration - Self.duration(packet, unit, frameUnit, parameters) }
        if let endFrame {
            end = isOgg ? timestamp + duration - endFrame : max(end, timestamp + duration - endFrame)
        }
        return (min(start, duration), min(max(0, end), duration))
    }

    /// Returns the length that the stream declares, or else its tag or the container.
    private static func declaredFrames(
        _ stream: UnsafeMutablePointer<AVStream>, of reading: MediaInfoReading, _ frameUnit: AVRational
    ) -> Int64? {
        frames(stream.pointee.duration, stream.pointee.time_base, frameUnit)
            ?? taggedFrames(stream, of: reading, frameUnit)
            ?? frames(
                reading.source.context.pointee.duration, AVRational(num: 1, den: AV_TIME_BASE), frameUnit)
    }

    /// Returns the length of a film's sound by its tag, because its pictures may be longer.
    private static func taggedFrames(
        _ stream: UnsafeMutablePointer<AVStream>, of reading: MediaInfoReading, _ frameUnit: AVRational
    ) -> Int64? {
        guard reading.film != nil else { return nil }
        return MediaStream.taggedLength(of: stream).flatMap { frames($0, frameUnit) }
    }

    /// Returns the frame at which a film's pictures end; `nil` for a live stream, if the length is unknown, or if the end
    /// is more than a day after the sound's, as only damage puts it.
    func pictureEnd(of film: MediaStream) -> Int64? {
        guard let frameCount, let length = film.length.flatMap({ Self.frames($0, frameUnit) }) else {
            return nil
        }
        let start = film.start.flatMap { Self.frames($0, frameUnit) } ?? 0
        let end = min(start + length, containerEnd) - origin
        return end <= frameCount + 86_400 * Int64(frameUnit.den) ? end : nil
    }

    /// Returns the end of a container, in frames of its time; `.max` if it is unknown.
    static func end(
        of context: UnsafeMutablePointer<AVFormatContext>, _ frameUnit: AVRational
    ) -> Int64 {
        let unit = AVRational(num: 1, den: AV_TIME_BASE)
        guard context.pointee.duration > 0, let length = frames(context.pointee.duration, unit, frameUnit)
        else {
            return .max
        }
        // FFmpeg takes Matroska's length as it stands, and that counts from time 0 even if the sound's inaudible start lies
        // before it.
        return max(0, frames(context.pointee.start_time, unit, frameUnit) ?? 0) + length
    }

    static func frames(_ time: MediaStream.Length, _ frameUnit: AVRational) -> Int64? {
        frames(time.value, AVRational(num: 1, den: time.timescale), frameUnit)
    }

    /// Returns the inaudible frames at the start of the stream.
    private static func delay(
        _ codec: AudioCodec, _ packet: UnsafeMutablePointer<AVPacket>, firstDuration: Int64, started: Int64?,
        _ parameters: UnsafeMutablePointer<AVCodecParameters>
    ) -> Int64 {
        // A Vorbis decoder returns nothing for the first packet, whatever its time.
        if codec == .vorbis { return firstDuration }
        let time = packet.pointee.pts
        let negative = time == shim_AV_NOPTS_VALUE || time >= 0 ? 0 : max(0, started ?? 0)
        let padding = codec == .opus ? Int64(parameters.pointee.initial_padding) : 0
        return min(max(skipSideData(packet).start, negative, padding, 0), 1 << 20)
    }

    private static func frames(_ time: Int64, _ unit: AVRational, _ frameUnit: AVRational) -> Int64? {
        guard time != shim_AV_NOPTS_VALUE, unit.num > 0, unit.den > 0 else { return nil }
        let frames = av_rescale_q(time, unit, frameUnit)
        return (-frameLimit...frameLimit).contains(frames) ? frames : nil
    }

    private static func duration(
        _ packet: UnsafeMutablePointer<AVPacket>, _ unit: AVRational, _ frameUnit: AVRational,
        _ parameters: UnsafeMutablePointer<AVCodecParameters>
    ) -> Int64 {
        let known = Int64(av_get_audio_frame_duration2(parameters, packet.pointee.size))
        let isCoarse = Int64(unit.num) * Int64(frameUnit.den) > Int64(unit.den)
        if isCoarse, known > 0 { return known }
        if let frames = frames(packet.pointee.duration, unit, frameUnit), frames > 0 {
            return min(frames, longestPacket(parameters))
        }
        if known <= 0, parameters.pointee.codec_id == AV_CODEC_ID_FLAC {
            return FLACFrameHeader.frameCount(packet.payload)
        }
        if known <= 0, parameters.pointee.codec_id == AV_CODEC_ID_ALAC {
            return alacPacketLength(parameters)
        }
        return max(0, known)
    }

    /// Returns the most frames of a packet; a consumer would wait in vain for a larger declared number.
    private static func longestPacket(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> Int64 {
        switch AudioCodec(parameters.pointee.codec_id) {
        // HE-AAC doubles the rate, and so the frames.
        case .aac: max(2048, 2 * Int64(parameters.pointee.frame_size))
        case .mp3: 1152
        case .flac: 65_536
        case .vorbis: 8192
        // 120 ms.
        case .opus: 5760
        case .alac: max(4096, alacPacketLength(parameters))
        case .pcm, .other: 1 << 24
        }
    }

    /// Returns the duration of every ALAC packet but the last: the cookie's first number, after the atom's
    /// header.
    private static func alacPacketLength(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> Int64 {
        guard parameters.pointee.extradata_size >= 16, let cookie = parameters.pointee.extradata else {
            return 0
        }
        return min((12..<16).reduce(0) { $0 << 8 | Int64(cookie[$1]) }, 1 << 24)
    }

    /// Returns the container's skip counts for a packet: 32-bit little-endian frames at the start, then at
    /// the end.
    private static func skipSideData(_ packet: UnsafeMutablePointer<AVPacket>) -> (start: Int64, end: Int64) {
        var size = 0
        guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size), size >= 8 else {
            return (0, 0)
        }
        func word(_ offset: Int) -> Int64 { (0..<4).reduce(0) { $0 | Int64(data[offset + $1]) << ($1 * 8) } }
        return (word(0), word(4))
    }
}

/// The audible length of a stream, from the container's various declarations.
private struct Length {
    var frameCount: Int64?
    var endFrame: Int64?
    var padding: Int?

    init(
        stream: UnsafeMutablePointer<AVStream>, codec: AudioCodec, delay: Int64, packetDuration: Int64,
        reading: MediaInfoReading, rate: SampleRate, whole: Int64?
    ) {
        frameCount = whole
        switch (reading.container, codec) {
        case ("mov", _):
            measureMovie(
                stream, codec, delay: delay, packetDuration: packetDuration, reading, rate: rate, whole: whole
            )
        case ("ogg", .vorbis):
            endFrame = whole
        case ("mp3", .mp3):
            let source = reading.source
            let tag = LAMETag(frames: source.bytes(4096, at: LAMETag.endOfID3(source.bytes(10))))
            padding = tag.map { max(0, $0.padding - LAMETag.decoderDelay) }
            frameCount = whole.map { max(0, $0 - delay - Int64(padding ?? 0)) }
        case ("ogg", .opus):
            frameCount = whole.map { max(0, $0 - delay) }
        default:
            break
        }
    }

    private mutating func measureMovie(
        _ stream: UnsafeMutablePointer<AVStream>, _ codec: AudioCodec, delay: Int64, packetDuration: Int64,
        _ reading: MediaInfoReading, rate: SampleRate, whole: Int64?
    ) {
        // FFmpeg's length counts from the start of the priming.
        let heard = whole.map { max(0, $0 - delay) }
        frameCount = heard
        // The length of a fragmented file grows while it is read.
        if stream.pointee.nb_frames > 0, stream.pointee.duration != shim_AV_NOPTS_VALUE {
            endFrame = heard
        }
        // The `iTunSMPB` comment describes the file's first sound track.
        let sound = reading.soundIndex
        if sound == 0, let tag = reading.tag("iTunSMPB").flatMap(ITunesGaplessTag.init) {
            (frameCount, endFrame, padding) = (tag.frameCount, tag.frameCount, tag.padding)
        } else if let list = MP4EditList(of: reading.source, sound: sound) {
            let listed = list.frames(rate: Int64(rate.hertz))
            // A rounded length that agrees with the packets is no more precise than they are.
            if let heard, listed.count < heard - listed.uncertainty {
                (frameCount, endFrame) = (listed.count, listed.count)
            }
        }
        if codec == .aac, padding == nil, let frameCount, packetDuration > 0 {
            let rest = (delay + frameCount) % packetDuration
            padding = Int(rest == 0 ? 0 : packetDuration - rest)
        }
    }
}
