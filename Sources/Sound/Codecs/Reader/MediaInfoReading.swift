import CTuttiFFmpeg
import TuttiMediaTime

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

    /// The loudness by tags, or else by an MP3's first frame. FFmpeg's decoders apply the gain of an Opus header, and
    /// R128 tags are relative to that sound.
    var loudness: LoudnessTags {
        var tags = LoudnessTags(value: tag)
        var stored = AVReplayGain()
        if shim_stored_gain(stream, &stored) != 0 {
            var other = LoudnessTags()
            let track = LoudnessTags.stored(gain: stored.track_gain, peak: stored.track_peak)
            let album = LoudnessTags.stored(gain: stored.album_gain, peak: stored.album_peak)
            (other.trackGain, other.trackPeak) = (track.gain, track.peak)
            (other.albumGain, other.albumPeak) = (album.gain, album.peak)
            tags.complete(from: other)
        }
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

    /// The film's pictures, if their stream declares its length; one from the times of a few packets may be far from it.
    var film: MediaStream? {
        guard source.context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM else {
            return nil
        }
        return streams.first { $0.video != nil }.flatMap { $0.length == nil ? nil : $0 }
    }

    /// Returns the end of an MP4 or QuickTime file, in frames of the container's time: its edit lists may leave out samples
    /// after it. `nil` for other containers, and for fragmented files, whose length grows while they are read.
    func movieEnd(_ frameUnit: AVRational) -> Int64? {
        guard container == "mov", stream.pointee.nb_frames > 0 else { return nil }
        let end = StreamClock.end(of: source.context, frameUnit)
        return end < .max ? end : nil
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
        video = kind == .video ? VideoStreamParameters(stream) : nil
        let properties = avcodec_descriptor_get(parameters.codec_id)?.pointee.props ?? 0
        isText = kind == .subtitle && properties & AV_CODEC_PROP_TEXT_SUB != 0
        let unit = stream.pointee.time_base
        length =
            stream.pointee.duration > 0
            ? Length(stream.pointee.duration, unit: unit) : Self.taggedLength(of: stream)
        start = Length(stream.pointee.start_time, unit: unit)
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

    /// The length of a stream in Matroska, which has no field for it: muxers write a tag in the form
    /// `01:23:45.678000000`. That of mkvmerge, which adds statistics, counts from the stream's start; FFmpeg's from the
    /// container's.
    static func taggedLength(of stream: UnsafeMutablePointer<AVStream>) -> Length? {
        guard let text = text("DURATION", of: stream) else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]),
            let seconds = Double(parts[2]), (0..<10_000).contains(hours), (0..<60).contains(minutes),
            (0..<60).contains(seconds)
        else { return nil }
        let unit = stream.pointee.time_base
        guard let start = Length(stream.pointee.start_time, unit: unit) else { return nil }
        let end = Double(hours * 3600 + minutes * 60) + seconds
        let isOwn = self.text("_STATISTICS_WRITING_APP", of: stream) != nil
        let length = isOwn ? end : end - max(0, Double(start.value) / Double(start.timescale))
        return length > 0
            ? Length(Int64((length * 1000).rounded()), unit: AVRational(num: 1, den: 1000)) : nil
    }

    private static func text(_ key: String, of stream: UnsafeMutablePointer<AVStream>) -> String? {
        guard let value = av_dict_get(stream.pointee.metadata, key, nil, 0)?.pointee.value else { return nil }
        let text = String(String(cString: value).prefix(textLimit))
        return text.isEmpty ? nil : text
    }
}
