internal import CFFmpeg
import MediaTime

/// A reader for the properties of ``MediaInfo`` in an opened container.
struct MediaInfoReading {
    let source: FormatSource
    let stream: UnsafeMutablePointer<AVStream>

    /// Returns a tag of the container, or else of the stream, as in Ogg.
    func tag(_ key: String) -> String? {
        for dictionary in [source.context.pointee.metadata, stream.pointee.metadata] {
            if let entry = av_dict_get(dictionary, key, nil, 0), let value = entry.pointee.value {
                return String(cString: value)
            }
        }
        return nil
    }

    /// The common tags; a radio station's name stands in for the title.
    var tags: MediaTags {
        var tags = MediaTags(value: tag)
        let station = source.web?.main?.source.resource.station ?? []
        tags.title = tags.title ?? station.first { $0.name == "icy-name" }?.value
        tags.genre = tags.genre ?? station.first { $0.name == "icy-genre" }?.value
        return tags
    }

    /// All text metadata of the container, then stream entries with other keys.
    var metadata: [MediaTag] {
        var tags: [MediaTag] = []
        var known: Set<String> = []
        var room = MediaTag.totalByteLimit
        for dictionary in [source.context.pointee.metadata, stream.pointee.metadata] {
            var entry = av_dict_get(dictionary, "", nil, AV_DICT_IGNORE_SUFFIX)
            while let found = entry, tags.count < MediaTag.countLimit {
                entry = av_dict_get(dictionary, "", found, AV_DICT_IGNORE_SUFFIX)
                guard let name = found.pointee.key, let value = found.pointee.value else { continue }
                let tag = MediaTag(key: String(cString: name), value: String(cString: value))
                let size = tag.key.utf8.count + tag.value.utf8.count
                guard size <= min(MediaTag.byteLimit, room), known.insert(tag.key.lowercased()).inserted
                else { continue }
                room -= size
                tags.append(tag)
            }
        }
        for entry in source.web?.main?.source.resource.station ?? [] where tags.count < MediaTag.countLimit {
            tags.append(MediaTag(key: entry.name, value: entry.value))
        }
        return tags
    }

    /// All streams except attached pictures.
    var streams: [MediaStream] {
        source.streams.filter { $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0 }
            .map { MediaStream($0, hasTrackIDs: container == "mov") }
    }

    /// The valid chapters, ordered by start.
    var chapters: [MediaChapter] {
        let count = Int(min(source.context.pointee.nb_chapters, UInt32(MediaChapter.countLimit)))
        let chapters = (0..<count).compactMap { index in
            source.context.pointee.chapters[index].flatMap { MediaChapter($0.pointee) }
        }
        return chapters.sorted { $0.start < $1.start }
    }

    /// The index of this stream among the file's audio streams, from 0.
    var soundIndex: Int {
        source.streams.filter { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
            .firstIndex(of: stream) ?? 0
    }

    var bitRate: Int64 {
        let own = stream.pointee.codecpar.pointee.bit_rate
        return max(0, own > 0 ? own : source.context.pointee.bit_rate)
    }

    var container: String {
        guard let format = source.context.pointee.iformat, let name = format.pointee.name else { return "" }
        return String(cString: name).split(separator: ",").first.map(String.init) ?? ""
    }

    var artwork: Artwork? {
        for picture in source.streams where picture.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 {
            let packet = picture.pointee.attached_pic
            let type: String? =
                switch picture.pointee.codecpar.pointee.codec_id {
                case AV_CODEC_ID_MJPEG: "image/jpeg"
                case AV_CODEC_ID_PNG: "image/png"
                default: nil
                }
            guard let type, packet.data != nil, (1...Artwork.byteLimit).contains(Int(packet.size)) else {
                continue
            }
            let bytes = Array(UnsafeBufferPointer(start: packet.data, count: Int(packet.size)))
            return Artwork(bytes: bytes, mimeType: type)
        }
        return nil
    }
}

extension MediaStream {
    /// - Parameter hasTrackIDs: Whether FFmpeg's stream ids are track numbers of the file.
    init(_ stream: UnsafeMutablePointer<AVStream>, hasTrackIDs: Bool) {
        let parameters = stream.pointee.codecpar.pointee
        index = Int(stream.pointee.index)
        trackID = hasTrackIDs && stream.pointee.id > 0 ? stream.pointee.id : stream.pointee.index + 1
        kind =
            switch parameters.codec_type {
            case AVMEDIA_TYPE_AUDIO: .audio
            case AVMEDIA_TYPE_VIDEO: .video
            case AVMEDIA_TYPE_SUBTITLE: .subtitle
            default: .other
            }
        codecName = String(cString: avcodec_get_name(parameters.codec_id))
        codecTag = parameters.codec_tag
        audio = kind == .audio ? AudioStreamParameters(parameters) : nil
        length = Self.length(of: stream)
        language = Self.text("language", of: stream)
        // Muxers write a default ending in "Handler" for an unnamed track.
        let handler = Self.text("handler_name", of: stream).flatMap { $0.hasSuffix("Handler") ? nil : $0 }
        title = Self.text("title", of: stream) ?? handler
        let disposition = stream.pointee.disposition
        isDefault = disposition & AV_DISPOSITION_DEFAULT != 0
        isCommentary = disposition & AV_DISPOSITION_COMMENT != 0
        describesPictures = disposition & (AV_DISPOSITION_VISUAL_IMPAIRED | AV_DISPOSITION_DESCRIPTIONS) != 0
        bitRate = max(0, parameters.bit_rate)
        (width, height) = (Int(max(0, parameters.width)), Int(max(0, parameters.height)))
        let rate = stream.pointee.avg_frame_rate
        pictureRate = kind == .video && rate.den > 0 ? max(0, Double(rate.num) / Double(rate.den)) : 0
    }

    private static func text(_ key: String, of stream: UnsafeMutablePointer<AVStream>) -> String? {
        guard let value = av_dict_get(stream.pointee.metadata, key, nil, 0)?.pointee.value else { return nil }
        let text = String(String(cString: value).prefix(textLimit))
        return text.isEmpty ? nil : text
    }

    private static func length(of stream: UnsafeMutablePointer<AVStream>) -> Length? {
        let (duration, unit) = (stream.pointee.duration, stream.pointee.time_base)
        guard duration > 0, duration < 1 << 56, unit.num > 0, unit.den > 0 else { return nil }
        let (value, overflow) = duration.multipliedReportingOverflow(by: Int64(unit.num))
        return overflow ? nil : Length(value: value, timescale: unit.den)
    }
}
