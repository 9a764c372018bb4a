/// A speaker's request to a sender by DACP: `GET /ctrl-int/1/COMMAND`, with the sender's token in the header
/// `Active-Remote`.
///
/// Older Apple devices and shairport-sync use DACP; iOS from 17.4 on does not (*reported*).
package enum DACPCommand: Hashable, Sendable {
    /// Starts playback.
    case play
    /// Pauses. iTunes treated the command as a toggle.
    case pause
    /// `discrete-pause`, from Sonos.
    case discretePause
    /// Toggles between play and pause.
    case playPause
    /// Ends fast-forward or rewind, else plays.
    case playResume
    /// Stops playback.
    case stop
    /// Skips to the next item.
    case nextItem
    /// Skips to the previous item.
    case previousItem
    /// Starts to fast-forward.
    case beginFastForward
    /// Starts to rewind.
    case beginRewind
    /// Raises the volume by one step.
    case volumeUp
    /// Lowers the volume by one step.
    case volumeDown
    /// Mutes or unmutes.
    case toggleMute
    /// Turns shuffling on or off.
    case toggleShuffle
    /// `dmcp.device-volume` in decibels, or `dmcp.volume` in percent.
    case volume(Volume)
    /// `dacp.shufflestate`
    case shuffle(Bool)
    /// `dacp.repeatstate`: 0 off, 1 one item, 2 all.
    case repeatMode(Int)
    /// `dacp.playingtime`: milliseconds from the start of the item.
    case playingTime(UInt32)
    /// `dmcp.device-prevent-playback`: another sender has taken the speaker, or the speaker is free again.
    case preventPlayback(Bool)
    /// `dmcp.device-busy`
    case busy(Bool)
    /// An unknown command, without the path before it.
    case other(String)

    /// The name of the header with the sender's token.
    package static let tokenHeader = "Active-Remote"

    private static let root = "/ctrl-int/1/"

    /// - Parameter target: The target of the request line.
    /// - Returns: `nil` unless the path begins with `/ctrl-int/1/`. An unreadable command becomes
    ///   ``other(_:)``.
    package init?(target: String) {
        guard target.hasPrefix(Self.root) else { return nil }
        let rest = target.dropFirst(Self.root.count)
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let word = parts.first.map(String.init) ?? ""
        if word == "setproperty", parts.count == 2 {
            let known = parts[1].split(separator: "&").lazy.compactMap(Self.property).first
            self = known ?? .other(String(rest))
        } else {
            self = Self.words.first { $0.word == word }?.command ?? .other(String(rest))
        }
    }

    /// The target of the request line.
    package var target: String { Self.root + text }

    private var text: String {
        if let word = Self.words.first(where: { $0.command == self })?.word { return word }
        return switch self {
        // A number closer to 0 would have an exponent, which peers do not read.
        case .volume(let volume):
            "setproperty?dmcp.device-volume=\(volume.decibels > -0.000_1 ? 0.0 : volume.decibels)"
        case .shuffle(let isOn): "setproperty?dacp.shufflestate=\(isOn ? 1 : 0)"
        case .repeatMode(let mode): "setproperty?dacp.repeatstate=\(mode)"
        case .playingTime(let milliseconds): "setproperty?dacp.playingtime=\(milliseconds)"
        case .preventPlayback(let prevents): "setproperty?dmcp.device-prevent-playback=\(prevents ? 1 : 0)"
        case .busy(let isBusy): "setproperty?dmcp.device-busy=\(isBusy ? 1 : 0)"
        case .other(let text): text
        default: ""
        }
    }

    private static func property(_ text: Substring) -> DACPCommand? {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Double(decimal: String(parts[1])) else { return nil }
        switch parts[0] {
        case "dmcp.device-volume": return .volume(Volume(decibels: number))
        case "dmcp.volume": return .volume(Volume(percent: number))
        case "dacp.shufflestate": return .shuffle(number != 0)
        case "dacp.repeatstate":
            return Int(exactly: number).flatMap { (0...2).contains($0) ? .repeatMode($0) : nil }
        case "dacp.playingtime": return UInt32(exactly: number.rounded()).map { .playingTime($0) }
        case "dmcp.device-prevent-playback": return .preventPlayback(number != 0)
        case "dmcp.device-busy": return .busy(number != 0)
        default: return nil
        }
    }

    private static let words: [(word: String, command: DACPCommand)] = [
        ("play", .play), ("pause", .pause), ("discrete-pause", .discretePause), ("playpause", .playPause),
        ("playresume", .playResume), ("stop", .stop), ("nextitem", .nextItem), ("previtem", .previousItem),
        ("beginff", .beginFastForward), ("beginrew", .beginRewind), ("volumeup", .volumeUp),
        ("volumedown", .volumeDown), ("mutetoggle", .toggleMute), ("shuffle_songs", .toggleShuffle),
    ]
}
