import AirPlayMessages
import AirPlayReceiver

extension MetadataItem {
    /// Returns an event's items; empty if the metadata stream cannot express the event.
    static func items(_ event: SpeakerEvent) -> [MetadataItem] {
        switch event {
        case .sessionStarted(let sender):
            let name = sender.name.map { [MetadataItem("ssnc", "snam", $0)] } ?? []
            return name + [
                MetadataItem("ssnc", "clip", "\(sender.address)"), MetadataItem("ssnc", "abeg"),
            ]
        case .sessionEnded: return [MetadataItem("ssnc", "pend"), MetadataItem("ssnc", "aend")]
        case .playing(let isPlaying):
            return isPlaying
                ? [MetadataItem("ssnc", "pbeg"), MetadataItem("ssnc", "prsm")]
                : [MetadataItem("ssnc", "paus")]
        case .volume(let volume):
            // AirPlay's volume, the output's volume, and the output's range.
            let decibels = volume.decibels
            return [MetadataItem("ssnc", "pvol", "\(fixed(decibels)),\(fixed(decibels)),-30.00,0.00")]
        case .metadata(let metadata, let time):
            return core(metadata, at: time.map { "\($0.rawValue)" } ?? "")
        case .artwork(_, let bytes, let time):
            let mark = time.map { "\($0.rawValue)" } ?? ""
            return [
                MetadataItem("ssnc", "pcst", mark), MetadataItem("ssnc", "PICT", bytes),
                MetadataItem("ssnc", "pcen", mark),
            ]
        case .progress(let progress):
            let times = [progress.start, progress.current, progress.end].map { "\($0.rawValue)" }
            return [MetadataItem("ssnc", "prgr", times.joined(separator: "/"))]
        case .senderLost, .senderReturned, .source, .pin, .warning: return []
        }
    }

    private static func core(_ metadata: DMAPMetadata, at mark: String) -> [MetadataItem] {
        let texts = [
            ("minm", metadata.title), ("asar", metadata.artist), ("asal", metadata.album),
            ("asaa", metadata.albumArtist), ("asgn", metadata.genre), ("ascp", metadata.composer),
        ]
        var items = texts.compactMap { code, text in text.map { MetadataItem("core", code, $0) } }
        func number(_ code: String, _ value: (some FixedWidthInteger)?) {
            guard let value else { return }
            items.append(MetadataItem("core", code, withUnsafeBytes(of: value.bigEndian) { Array($0) }))
        }
        number("astm", metadata.durationMilliseconds)
        number("astn", metadata.trackNumber)
        number("astc", metadata.trackCount)
        number("asdn", metadata.discNumber)
        number("asyr", metadata.year)
        number("mper", metadata.persistentID)
        number("caps", metadata.playState?.rawValue)
        return [MetadataItem("ssnc", "mdst", mark)] + items + [MetadataItem("ssnc", "mden", mark)]
    }

    private static func fixed(_ number: Double) -> String {
        let cents = Int((number * 100).rounded())
        let digits = "\(abs(cents) % 100)"
        return "\(cents < 0 ? "-" : "")\(abs(cents) / 100).\(digits.count == 1 ? "0" : "")\(digits)"
    }
}
