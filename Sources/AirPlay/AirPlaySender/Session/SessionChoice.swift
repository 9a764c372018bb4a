import AirPlayMessages

/// The kind of a session and its clock, chosen for one speaker, and the reason in words.
public struct SessionChoice: Hashable, Sendable {
    /// The way of the sound.
    public enum Stream: String, Hashable, Sendable, CaseIterable {
        /// AirPlay 2, type 103: minutes ahead.
        case buffered
        /// AirPlay 2, type 96: two seconds ahead.
        case realtime
        /// AirPlay 1 (RAOP): two seconds ahead.
        case airPlay1 = "airplay1"
        /// A device of this machine, without a network.
        case local
    }

    /// The clock by which the speaker finds the time of a frame.
    public enum Clock: String, Hashable, Sendable, CaseIterable {
        /// IEEE 1588, as AirPlay 2 uses it: the speaker follows this machine's clock.
        case ptp
        /// The timing exchange of AirPlay 1.
        case ntp
        /// IEEE 1588 the other way round: this machine follows the speaker's own clock. Realtime streams only.
        case theirs
        /// This machine's own.
        case host

        /// Whether the session names PTP to the speaker.
        var isPTP: Bool { self == .ptp || self == .theirs }
    }

    /// The format of a realtime stream. AirPlay 1 has only the ones of 16 bit.
    ///
    /// Every receiver plays the first. What else a device plays, its announcements do not tell: Apple TVs play 24 bit
    /// that they do not list, and a Sonos accepts 48 kHz and is silent (*reported*). So the user chooses.
    public enum RealtimeFormat: String, Hashable, Sendable, CaseIterable {
        /// ALAC, 44.1 kHz, 16 bit.
        case alac44100x16 = "44.1/16"
        /// ALAC, 44.1 kHz, 24 bit.
        case alac44100x24 = "44.1/24"
        /// ALAC, 48 kHz, 24 bit.
        case alac48000x24 = "48/24"
        /// Uncompressed, 44.1 kHz, 16 bit.
        case pcm = "pcm"

        /// The format of the packets.
        package var wireFormat: AudioWireFormat {
            switch self {
            case .alac44100x16: .alac44100x16
            case .alac44100x24: .alac44100x24
            case .alac48000x24: .alac48000x24
            case .pcm: .pcm44100x16
            }
        }
    }

    /// The parts that the user has fixed; `nil` leaves it to the speaker's announcements.
    public struct Override: Hashable, Sendable {
        /// The way of the sound.
        public var stream: Stream?
        /// The clock.
        public var clock: Clock?
        /// The time before it is heard at which sound is sent in a realtime stream, within ``depths``.
        public var depth: Duration?
        /// The format of a realtime stream; `nil` for ``RealtimeFormat/alac44100x16``, or what an AirPlay 1 speaker
        /// announces.
        public var format: RealtimeFormat?
        /// Whether a buffer of minutes matters more than lossless sound, where a speaker cannot have both.
        public var prefersDepth = false

        /// The possible depths of a realtime stream, seconds: receivers drop what comes much earlier.
        public static let depths = 0.3...3.0

        /// Creates an override; `nil` leaves a choice open.
        public init(
            stream: Stream? = nil, clock: Clock? = nil, depth: Duration? = nil, prefersDepth: Bool = false
        ) {
            (self.stream, self.clock, self.depth) = (stream, clock, depth)
            self.prefersDepth = prefersDepth
        }
    }

    /// A clock in place of the one that the speaker's announcements call for, where the user has fixed none.
    package struct Alternative: Hashable, Sendable {
        /// NTP or the speaker's own.
        package var clock: Clock
        /// The reason, as the end of a sentence.
        package var reason: String
    }

    /// The way of the sound.
    public let stream: Stream
    /// The clock.
    public let clock: Clock
    /// The reason, in words for the user.
    public let reason: String
    /// Whether the speaker could do more, but for what ``reason`` tells of this machine or the network, such as a
    /// clock port that another program has.
    public let isFallback: Bool

    /// Creates a choice from its parts.
    package init(_ stream: Stream, _ clock: Clock, _ reason: String, isFallback: Bool = false) {
        (self.stream, self.clock, self.reason, self.isFallback) = (stream, clock, reason, isFallback)
    }

    /// Chooses for a speaker that has described itself. `/info` is fresher than its mDNS records.
    ///
    /// - Parameter instead: A clock in place of PTP; without effect where the user has fixed another, or the speaker takes no NTP.
    package init(_ receiver: ReceiverDescription, override: Override, instead: Alternative? = nil) {
        let quirks = receiver.quirks
        let family = receiver.model ?? "this speaker"
        let isFree = override.clock == nil && override.stream != .buffered
        let wanted = isFree ? instead?.clock : nil
        let insists =
            override.clock.map { $0 == .theirs } ?? (receiver.insistsOnItsClock || wanted == .theirs)
        let wantsNTP = override.clock == .ntp || wanted == .ntp && quirks.takesNTP
        let chosen: (stream: Stream, reason: String) =
            if let fixed = override.stream {
                (fixed, "set for this speaker")
            } else if !receiver.supportsAirPlay2 {
                (.airPlay1, "it announces no AirPlay 2")
            } else if receiver.supportsBufferedAudio, quirks.playsBufferedAudio, !wantsNTP, !insists {
                Self.buffered(quirks, override)
            } else if !receiver.supportsBufferedAudio {
                (.realtime, "it announces no buffered sound")
            } else if quirks.playsBufferedAudio {
                (.realtime, insists ? "buffered sound needs our clock" : "buffered sound needs PTP")
            } else {
                (.realtime, "\(family) is not known to play buffered sound")
            }
        let clock: Clock =
            switch chosen.stream {
            case .local: .host
            case .airPlay1: .ntp
            case .buffered: .ptp
            case .realtime where insists: .theirs
            case .realtime where wantsNTP: .ntp
            case .realtime: override.clock ?? (receiver.supportsPTP && !quirks.needsNTP ? .ptp : .ntp)
            }
        if isFree, chosen.stream == .realtime, let instead, instead.clock == clock {
            self.init(chosen.stream, clock, "\(chosen.reason); \(instead.reason)", isFallback: true)
        } else {
            self.init(chosen.stream, clock, chosen.reason + Self.addition(clock, insists, override))
        }
    }

    /// Returns the stream of a speaker that plays a buffered one.
    private static func buffered(_ quirks: DeviceQuirks, _ override: Override) -> (Stream, String) {
        if quirks.playsBufferedALAC { return (.buffered, "it announces buffered sound and PTP") }
        return override.prefersDepth
            ? (.buffered, "AAC with a deep buffer is preferred to lossless sound")
            : (.realtime, "its buffered stream plays AAC only")
    }

    /// Returns the words about a speaker's own clock that a reason ends with.
    private static func addition(_ clock: Clock, _ insists: Bool, _ override: Override) -> String {
        guard insists else { return "" }
        if clock != .theirs {
            return "; the speaker's own clock is not used, because it needs a realtime stream"
        }
        return override.clock == nil
            ? "; when it plays alone, it follows only its own clock"
            : "; its own clock is set for this speaker"
    }
}

extension SessionChoice: CustomStringConvertible {
    /// The choice in words, such as `realtime, PTP: it announces no buffered sound`.
    public var description: String {
        let name =
            switch stream {
            case .buffered: "buffered"
            case .realtime: "realtime"
            case .airPlay1: "AirPlay 1"
            case .local: "this machine"
            }
        let clockName = clock == .theirs ? "the speaker's clock" : clock.rawValue.uppercased()
        return "\(name), \(clockName): \(reason)"
    }
}
