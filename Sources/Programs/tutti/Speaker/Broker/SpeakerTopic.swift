/// A topic of shairport-sync's MQTT interface, for compatibility with its users' automations.
///
/// Source: MQTT.md and the sample configuration of shairport-sync; *observed* in 4.3 and 5.0.
struct SpeakerTopic: Equatable {
    /// The name below the speaker's topic.
    let name: String
    let payload: [UInt8]
    /// Whether the topic has a value; otherwise it tells that something happens.
    let isState: Bool

    /// The payload of messages without one: many programs do not see an empty message.
    static let nothing = Array("--".utf8)

    static func state(_ name: String, _ payload: [UInt8]) -> SpeakerTopic {
        SpeakerTopic(name: name, payload: payload.isEmpty ? nothing : payload, isState: true)
    }

    static func state(_ name: String, _ text: String) -> SpeakerTopic { state(name, Array(text.utf8)) }

    static func event(_ name: String, _ payload: [UInt8] = []) -> SpeakerTopic {
        SpeakerTopic(name: name, payload: payload.isEmpty ? nothing : payload, isState: false)
    }
}

extension MetadataItem {
    /// Returns the item's topics: those with words for names, and on demand the one named by its codes.
    ///
    /// - Parameter isRaw: Whether to add the topic `TYPE/CODE` with the data as it is.
    func topics(isRaw: Bool) -> [SpeakerTopic] {
        let named = type == "core" ? libraryTopics : speakerTopics
        return (isRaw ? [.event("\(type)/\(code)", data)] : []) + named
    }

    private var libraryTopics: [SpeakerTopic] {
        switch code {
        case "asar": [.state("artist", data)]
        case "asal": [.state("album", data)]
        case "asgn": [.state("genre", data)]
        case "minm": [.state("title", data)]
        case "mper":
            [.state("track_id", "\(data.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) })")]
        default: []
        }
    }

    private var speakerTopics: [SpeakerTopic] {
        switch code {
        case "abeg": [.state("active", "1"), .event("active_start")]
        case "aend": [.state("active", "0"), .event("active_end")]
        case "pbeg": [.state("playing", "1"), .event("play_start")]
        case "prsm": [.state("playing", "1"), .event("play_resume")]
        case "pend": [.state("playing", "0"), .event("play_end")]
        // A pause of AirPlay 1 is a flush, and automations look for that.
        case "paus": [.state("playing", "0"), .event("play_flush")]
        case "pvol": [.state("volume", data)]
        case "clip": [.state("client_ip", data)]
        case "snam": [.state("client_name", data)]
        case "PICT": data.isEmpty ? [] : [.state("cover", data)]
        default: []
        }
    }
}
