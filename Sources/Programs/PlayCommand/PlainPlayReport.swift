import AVFoundation
import Playback
import TuttiCommandLineInterface

/// A report of plain lines for a pipe or a log: changes only, no periodic progress.
final class PlainPlayReport: PlayReport {
    private let isVerbose: Bool

    init(isVerbose: Bool) { self.isVerbose = isVerbose }

    func end() {}

    func show(_ event: PlayEvent) {
        switch event {
        case .error(_, _, let message): Console.error("tutti play", message)
        case .warning(_, _, let message): Console.warning("tutti play", message)
        default:
            if !Console.isQuiet, let line = Self.line(event, isVerbose: isVerbose) {
                StandardStream.output.line(Printable.text(line))
            }
        }
    }

    static func line(_ event: PlayEvent, isVerbose: Bool) -> String? {
        switch event {
        case .source(let index, let media): "\(index + 1). \(PlayTitle.of(media))"
        case .title(_, let title): title.text.isEmpty ? nil : "   \(title.text)"
        case .format(let choice): "   \(choice.format): \(choice.reason)"
        case .opened(let speaker, let address, let receiver, let bytes):
            isVerbose
                ? "   \(speaker) at \(address): \(receiver.model ?? "unknown model"), buffer of \(bytes / 1024) KiB"
                : "   to \(speaker)"
        case .clock(let speaker, let state, _): isVerbose ? "   clock of \(speaker): \(state)" : nil
        case .playing(_, let position, let start):
            isVerbose ? "   playing from \(PlayTitle.clock(position)), heard after \(Int(start)) ms" : nil
        case .paused(_, let position): "   paused at \(PlayTitle.clock(position))"
        case .member(let speaker, let change):
            switch change {
            case .joining: "   \(speaker) joins"
            case .playing: "   \(speaker) plays"
            case .left: "   \(speaker) has left"
            }
        case .speakerVolume(let speaker, let percent):
            isVerbose ? "   volume of \(speaker): \(Int(percent.rounded()))" : nil
        case .pictures(let pictures):
            isVerbose
                ? "   pictures: \(pictures.shown) shown, \(pictures.dropped) dropped, \(pictures.late) late"
                : nil
        case .progress, .volume, .warning, .error, .ended, .route: nil
        }
    }
}

/// Formatted titles and times.
enum PlayTitle {
    /// Returns a track's title, with the current title of a live stream.
    static func of(_ track: PlayTrack) -> String {
        let name: String
        if let title = track.title, track.media?.title == nil {
            name = title
        } else {
            name = track.media.map(of) ?? track.title ?? track.path
        }
        guard let heard = track.heardTitle, !heard.text.isEmpty else { return name }
        return "\(name): \(heard.text)"
    }

    static func of(_ media: TuttiMedia) -> String {
        let name = media.title ?? lastPart(of: media.location) ?? media.location
        return [media.artist, name].compactMap(\.self).joined(separator: " – ")
    }

    /// Returns the last part of a path or address; `nil` for an empty text.
    static func lastPart(of location: String) -> String? {
        location.split(separator: "/").last.map(String.init)
    }

    /// Formats a time: `3:07`, `1:02:09`.
    static func clock(_ seconds: Double) -> String {
        guard seconds.isFinite else { return "-:--" }
        let whole = Int(max(0, min(seconds, 1e9)))
        let tail = twoDigits(whole % 60)
        return whole < 3600
            ? "\(whole / 60):\(tail)" : "\(whole / 3600):\(twoDigits(whole / 60 % 60)):\(tail)"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
