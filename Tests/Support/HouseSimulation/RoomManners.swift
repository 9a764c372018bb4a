import AirPlaySender
import TuttiDeviceManners
import TuttiSeeds

/// The device for which a room's speaker stands in: a family with its manners, or single manners of an unknown device.
package struct RoomManners: Codable, Hashable, Sendable, CustomStringConvertible {
    /// The name of a family, and names of manners, as `StandIn` takes them.
    package var words: [String]
    /// The model by which the device describes itself in place of the family's own.
    package var model: String?

    package init(_ words: String..., model: String? = nil) { (self.words, self.model) = (words, model) }

    /// Takes words with spaces between them.
    package init(words: String) { self.words = words.split(separator: " ").map(String.init) }

    package var description: String {
        words.joined(separator: " ") + (model.map { " as \($0)" } ?? "")
    }

    /// The device.
    func family() throws(UnknownWord) -> Family {
        var family = try Family(words: words)
        if let model { family.rename(model: model) }
        return family
    }

    /// The family's name, or that of the unknown one.
    private var familyName: String { words.first { Family.named($0) != nil } ?? Family.unknown.name }

    /// The kinds of room that the device can be. The sender chooses the first by itself, and its user the others.
    package var kinds: [RoomKind] {
        switch familyName {
        case "sonos": [.buffered, .shallow, .realtime]
        // On a realtime stream the device stays silent if the packets of a start are late, until the next start.
        case "edifier": [.buffered, .shallow]
        case "shairport-sync-4", "homepod", "homepod-alone": [.realtime]
        case "sony": [.realtimeNTP]
        case "denon": [.airPlay1]
        // The sender finds out, if the device plays alone.
        case Family.unknown.name where has(.neverProbes) && !has(.refusesNTP): [.realtimeNTP]
        case Family.unknown.name where has(.keepsItsClock): [.realtime]
        default: [.buffered, .shallow, .realtime]
        }
    }

    /// The choice of a sender's user.
    func override(_ kind: RoomKind) -> SessionChoice.Override {
        let own = kinds[0]
        return kind == own || (own == .buffered && kind == .shallow)
            ? SessionChoice.Override() : kind.override
    }

    // MARK: What houses expect

    private func has(_ manner: Manner) -> Bool { (try? family())?.manners.has(manner) == true }

    /// Nanoseconds for which the speaker plays on without a network: one that reads in bursts fills slowly, and one that
    /// wants feedback drops its session.
    var reserve: Int64 { has(.readsInBursts) || has(.dropsWithoutFeedback) ? 8_000_000_000 : .max }

    /// Frames before the place of a pause at which a buffered room may begin again: the device does not say where it has
    /// stopped, and plays on while the message is on its way, to the end of a period of its output. One that must not be
    /// flushed also plays what it has.
    var repeatedFrames: Double { has(.mustNotBeFlushed) ? 31_000 : 1_500 }

    /// Nanoseconds of sound that are played after a command, because the device must not be flushed.
    var queue: Int64 { has(.mustNotBeFlushed) ? 700_000_000 : 0 }

    /// Microseconds that a settled room may be off its line beside those of its kind: the line of a speaker that keeps its
    /// clock moves with that clock, and the speaker takes moves of a millisecond and more.
    var tolerance: Double { has(.keepsItsClock) ? 1_000 : 0 }

    /// Whether the volume must be set at the right moment: the speaker begins with another one, at which nothing that it
    /// plays counts as heard.
    var beginsQuietly: Bool { has(.forgetsEarlyVolume) || has(.refusesEarlyVolume) }

    /// The manners that a sender never meets, whatever the network does.
    static let neverMet: [Manner] = [
        .mustNotBeFlushed, .wantsUserAgent, .wantsRecordFirst, .silentAt48000x24, .silentAtBufferedALAC,
        .neverStartsBuffered, .refusesNTP,
    ]

    // MARK: Chance

    /// The devices that are drawn: those that need no PIN, and can be played to in any group.
    private static let drawable = [
        RoomManners("sonos"), RoomManners("wiim"), RoomManners("jbl"), RoomManners("edifier"),
        RoomManners("samsung"), RoomManners("sony"), RoomManners("homepod"), RoomManners("homepod-alone"),
        RoomManners("shairport-sync-4"), RoomManners("denon"), RoomManners("bose"),
        RoomManners("negative-ports", "wrong-cseq"), RoomManners("drops-without-feedback"),
        RoomManners("withholds-record", "forgets-early-volume"),
    ]

    /// Draws devices for some rooms, for one seed of three, and the kinds of these rooms.
    ///
    /// - Returns: The devices by room; `nil` if no room has one.
    static func drawn(from seed: UInt64, _ kinds: inout [RoomKind]) -> [RoomManners?]? {
        var random = SeededGenerator(seed: seed &* 0x1656_67B1 &+ 41)
        guard Int.random(in: 0..<3, using: &random) == 0 else { return nil }
        var drawn = [RoomManners?](repeating: nil, count: kinds.count)
        for index in kinds.indices {
            let manners = drawable.randomElement(using: &random)
            let kind = manners?.kinds.randomElement(using: &random)
            guard Bool.random(using: &random), let manners, let kind else { continue }
            (drawn[index], kinds[index]) = (manners, kind)
        }
        return drawn.contains { $0 != nil } ? drawn : nil
    }
}
