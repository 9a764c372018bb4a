internal import CFFmpeg
import MediaTime

/// Reads what ``MediaInfo`` says from an opened container.
struct MediaInfoReading {
    let source: FormatSource
    let stream: UnsafeMutablePointer<AVStream>

    /// Tags of the container, then of the stream, as Ogg has them.
    func tag(_ key: String) -> String? {
        for dictionary in [source.context.pointee.metadata, stream.pointee.metadata] {
            if let entry = av_dict_get(dictionary, key, nil, 0), let value = entry.pointee.value {
                return String(cString: value)
            }
        }
        return nil
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

    var isSeekable: Bool {
        guard let input = source.context.pointee.pb else { return false }
        return input.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0
    }
}
