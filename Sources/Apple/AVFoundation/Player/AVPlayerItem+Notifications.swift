import Foundation
import Playback
import TuttiCodecs
import TuttiKeyValueObserving

/// Key of the user info of ``AVPlayerItem/failedToPlayToEndTimeNotification``: an `NSError`.
public let AVPlayerItemFailedToPlayToEndTimeErrorKey = "AVPlayerItemFailedToPlayToEndTimeErrorKey"

extension AVPlayerItem {
    /// Posted when the last sample was played. The object is the item; all notifications here are posted on
    /// any thread.
    nonisolated public class var didPlayToEndTimeNotification: NSNotification.Name {
        .AVPlayerItemDidPlayToEndTime
    }
    /// Posted when an item that has started cannot continue.
    nonisolated public class var failedToPlayToEndTimeNotification: NSNotification.Name {
        .AVPlayerItemFailedToPlayToEndTime
    }
    /// Posted when the buffer underruns before the item's end.
    nonisolated public class var playbackStalledNotification: NSNotification.Name {
        .AVPlayerItemPlaybackStalled
    }
    /// Posted when a seek is done.
    nonisolated public class var timeJumpedNotification: NSNotification.Name { .AVPlayerItemTimeJumped }
    /// Posted after the first network request of an item.
    nonisolated public class var newAccessLogEntryNotification: NSNotification.Name {
        .AVPlayerItemNewAccessLogEntry
    }
    /// Posted when a network request failed.
    nonisolated public class var newErrorLogEntryNotification: NSNotification.Name {
        .AVPlayerItemNewErrorLogEntry
    }
    /// Posted when another media option was selected.
    nonisolated public class var mediaSelectionDidChangeNotification: NSNotification.Name {
        NSNotification.Name("AVPlayerItemMediaSelectionDidChangeNotification")
    }
}

extension PlayerItem.Notice {
    /// Posts the notification of this event.
    func post(of item: AVPlayerItem) {
        switch self {
        case .playedToEnd: AVPlayer.poster.post(.AVPlayerItemDidPlayToEndTime, of: item)
        case .stalled: AVPlayer.poster.post(.AVPlayerItemPlaybackStalled, of: item)
        case .timeJumped: AVPlayer.poster.post(.AVPlayerItemTimeJumped, of: item)
        case .transferBegan: AVPlayer.poster.post(.AVPlayerItemNewAccessLogEntry, of: item)
        case .transferFailed: AVPlayer.poster.post(.AVPlayerItemNewErrorLogEntry, of: item)
        case .failedToPlayToEnd(let error):
            let error = (error as? MediaError).map { AVError($0) as NSError } ?? error as NSError
            AVPlayer.poster.post(.AVPlayerItemFailedToPlayToEndTime, of: item) {
                [AVPlayerItemFailedToPlayToEndTimeErrorKey: error]
            }
        }
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
