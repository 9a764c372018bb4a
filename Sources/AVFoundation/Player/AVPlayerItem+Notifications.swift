import Codecs
import Foundation
import KeyValueObserving
import Playback

/// Key of the user info of ``AVPlayerItem/failedToPlayToEndTimeNotification``: an `NSError`.
public let AVPlayerItemFailedToPlayToEndTimeErrorKey = "AVPlayerItemFailedToPlayToEndTimeErrorKey"

extension AVPlayerItem {
    /// Posted when the last sample was heard; the object is the item. Any thread, as all of these.
    nonisolated public class var didPlayToEndTimeNotification: NSNotification.Name {
        .AVPlayerItemDidPlayToEndTime
    }
    /// Posted when an item that was played cannot be played on.
    nonisolated public class var failedToPlayToEndTimeNotification: NSNotification.Name {
        .AVPlayerItemFailedToPlayToEndTime
    }
    /// Posted when the sound at hand has run out in the middle.
    nonisolated public class var playbackStalledNotification: NSNotification.Name {
        .AVPlayerItemPlaybackStalled
    }
    /// Posted when a place that was sought is there.
    nonisolated public class var timeJumpedNotification: NSNotification.Name { .AVPlayerItemTimeJumped }
    /// Posted when the first byte of an item was asked for.
    nonisolated public class var newAccessLogEntryNotification: NSNotification.Name {
        .AVPlayerItemNewAccessLogEntry
    }
    /// Posted when a request failed.
    nonisolated public class var newErrorLogEntryNotification: NSNotification.Name {
        .AVPlayerItemNewErrorLogEntry
    }
    /// Posted when another option was selected.
    nonisolated public class var mediaSelectionDidChangeNotification: NSNotification.Name {
        NSNotification.Name("AVPlayerItemMediaSelectionDidChangeNotification")
    }

    nonisolated func post(_ notice: PlayerItem.Notice) {
        switch notice {
        case .playedToEnd: AVPlayer.poster.post(.AVPlayerItemDidPlayToEndTime, of: self)
        case .stalled: AVPlayer.poster.post(.AVPlayerItemPlaybackStalled, of: self)
        case .timeJumped: AVPlayer.poster.post(.AVPlayerItemTimeJumped, of: self)
        case .transferBegan: AVPlayer.poster.post(.AVPlayerItemNewAccessLogEntry, of: self)
        case .transferFailed: AVPlayer.poster.post(.AVPlayerItemNewErrorLogEntry, of: self)
        case .failedToPlayToEnd(let error):
            let error = Self.object(error)
            AVPlayer.poster.post(.AVPlayerItemFailedToPlayToEndTime, of: self) {
                [AVPlayerItemFailedToPlayToEndTimeErrorKey: error]
            }
        }
    }

    nonisolated private static func object(_ error: any Error) -> NSError {
        (error as? MediaError).map { AVError($0) as NSError } ?? error as NSError
    }
}

extension NSNotification.Name {
    /// See ``AVPlayerItem/didPlayToEndTimeNotification``.
    public static let AVPlayerItemDidPlayToEndTime = NSNotification.Name(
        "AVPlayerItemDidPlayToEndTimeNotification")
    /// See ``AVPlayerItem/failedToPlayToEndTimeNotification``.
    public static let AVPlayerItemFailedToPlayToEndTime = NSNotification.Name(
        "AVPlayerItemFailedToPlayToEndTimeNotification")
    /// See ``AVPlayerItem/playbackStalledNotification``.
    public static let AVPlayerItemPlaybackStalled = NSNotification.Name(
        "AVPlayerItemPlaybackStalledNotification")
    /// See ``AVPlayerItem/timeJumpedNotification``.
    public static let AVPlayerItemTimeJumped = NSNotification.Name("AVPlayerItemTimeJumpedNotification")
    /// See ``AVPlayerItem/newAccessLogEntryNotification``.
    public static let AVPlayerItemNewAccessLogEntry = NSNotification.Name(
        "AVPlayerItemNewAccessLogEntryNotification")
    /// See ``AVPlayerItem/newErrorLogEntryNotification``.
    public static let AVPlayerItemNewErrorLogEntry = NSNotification.Name(
        "AVPlayerItemNewErrorLogEntryNotification")
}
