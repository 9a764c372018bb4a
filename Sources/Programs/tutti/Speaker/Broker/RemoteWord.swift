import AirPlayMessages

/// A command on the topic `remote`, as shairport-sync spells it.
enum RemoteWord: String, CaseIterable, Sendable {
    case play, pause, playpause, playresume, stop, nextitem, previtem
    case volumeup, volumedown, mutetoggle
    case beginff, beginrew
    case shuffle = "shuffle_songs"

    /// Reads a payload; `nil` for anything else.
    init?(_ payload: [UInt8]) {
        guard payload.count <= 32 else { return nil }
        let word = String(decoding: payload.filter { $0 > 0x20 }, as: UTF8.self)
        self.init(rawValue: word)
    }

    /// The button of the speaker that every sender understands; `nil` for commands of the older remote
    /// control alone.
    func button(isPlaying: Bool) -> MediaRemoteCommand? {
        switch self {
        case .play, .playresume: .play
        case .pause, .stop: .pause
        case .playpause: isPlaying ? .pause : .play
        case .nextitem: .nextItem
        case .previtem: .previousItem
        case .volumeup, .volumedown, .mutetoggle, .beginff, .beginrew, .shuffle: nil
        }
    }

    /// The volume after the command; `nil` for commands that do not change it.
    ///
    /// - Parameter before: The volume before the speaker was muted.
    func volume(after volume: Volume, before: Volume) -> Volume? {
        switch self {
        case .volumeup: volume.isMuted ? before : Volume(percent: volume.percent + Self.step)
        case .volumedown: Volume(percent: volume.percent - Self.step)
        case .mutetoggle: volume.isMuted ? before : .mute
        default: nil
        }
    }

    /// Percent of one step: a phone has sixteen of them.
    private static let step = 100.0 / 16

    /// The command of the older remote control (DACP); `nil` for those that have a button.
    var remoteCommand: DACPCommand? {
        switch self {
        case .beginff: .beginFastForward
        case .beginrew: .beginRewind
        case .shuffle: .toggleShuffle
        default: nil
        }
    }
}
