import CTuttiFFmpeg

/// A text that is shown with pictures for some time.
package struct SubtitleCue: Hashable, Sendable {
    /// The time at which the text appears, in milliseconds of the stream's time.
    package var start: Int64
    /// The time at which the text goes, in milliseconds.
    package var end: Int64
    /// The event in the form of Advanced SubStation Alpha: "order,layer,style,name,left,right,vertical,effect,text".
    package var event: String

    /// Creates a text.
    package init(start: Int64, end: Int64, event: String) {
        (self.start, self.end, self.event) = (start, end, event)
    }

    /// The most bytes of an event; longer texts are left out.
    static let byteLimit = 64 << 10

    /// The text without styles, with line feeds.
    package var text: String {
        var fields = event.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
        guard fields.count == 9 else { return "" }
        var (rest, plain) = (fields.removeLast()[...], "")
        while let next = rest.popFirst() {
            if next == "{", let end = rest.firstIndex(of: "}") {
                rest = rest[rest.index(after: end)...]
            } else if next == "\\", let letter = rest.first, "Nnh".contains(letter) {
                rest = rest.dropFirst()
                plain.append(letter == "h" ? "\u{A0}" : "\n")
            } else {
                plain.append(next)
            }
        }
        return plain
    }
}

/// A decoder for one stream of texts. Not thread-safe.
final class SubtitleDecoder {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let unit: AVRational

    /// The script's header: resolution and styles of the events.
    let header: String

    /// The most bytes of a header; a longer one is not a script.
    private static let headerLimit = 1 << 20

    /// - Parameter encoding: Iconv's name of the texts' encoding; `nil` for UTF-8.
    /// - Returns: `nil` if the stream has pictures instead of texts, or there is no decoder.
    init?(_ stream: UnsafeMutablePointer<AVStream>, encoding: String? = nil) {
        guard let parameters = stream.pointee.codecpar,
            let descriptor = avcodec_descriptor_get(parameters.pointee.codec_id),
            descriptor.pointee.props & AV_CODEC_PROP_TEXT_SUB != 0,
            let codec = avcodec_find_decoder(parameters.pointee.codec_id),
            let context = avcodec_alloc_context3(codec)
        else { return nil }
        (self.context, unit) = (context, stream.pointee.time_base)
        context.pointee.pkt_timebase = unit
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        if let encoding { av_dict_set(&options, "sub_charenc", encoding, 0) }
        guard unit.num > 0, unit.den > 0, avcodec_parameters_to_context(context, parameters) >= 0,
            avcodec_open2(context, codec, &options) >= 0
        else {
            // From here on `deinit` frees.
            header = ""
            return nil
        }
        let size = Int(max(0, context.pointee.subtitle_header_size))
        header =
            context.pointee.subtitle_header.map {
                String(
                    decoding: UnsafeBufferPointer(start: $0, count: min(size, Self.headerLimit)),
                    as: UTF8.self)
            } ?? ""
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    /// Decodes a packet of the stream; returns no texts for one that cannot be decoded.
    func decode(_ packet: UnsafeMutablePointer<AVPacket>) -> [SubtitleCue] {
        var subtitle = AVSubtitle()
        var isThere: Int32 = 0
        guard packet.pointee.pts != shim_AV_NOPTS_VALUE,
            avcodec_decode_subtitle2(context, &subtitle, &isThere, packet) >= 0, isThere != 0
        else { return [] }
        defer { avsubtitle_free(&subtitle) }
        let milliseconds = AVRational(num: 1, den: 1000)
        let start = av_rescale_q(packet.pointee.pts, unit, milliseconds)
        let told = Int64(subtitle.end_display_time)
        let lasts =
            told > 0 && told < Int64(UInt32.max)
            ? told : av_rescale_q(max(0, packet.pointee.duration), unit, milliseconds)
        let limit: Int64 = 1 << 50
        guard (-limit...limit).contains(start), (1...limit).contains(lasts) else { return [] }
        return (0..<Int(min(subtitle.num_rects, 64))).compactMap { index in
            guard let rect = subtitle.rects[index], rect.pointee.type == SUBTITLE_ASS,
                let text = rect.pointee.ass
            else { return nil }
            let event = String(cString: text)
            guard event.utf8.count <= SubtitleCue.byteLimit else { return nil }
            return SubtitleCue(
                start: start + Int64(subtitle.start_display_time), end: start + lasts, event: event)
        }
    }

    func reset() { avcodec_flush_buffers(context) }
}
