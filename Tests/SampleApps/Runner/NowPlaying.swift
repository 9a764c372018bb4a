import AVFoundation
import MediaPlayer

/// Now playing and the speakers' buttons, as a program uses them through MediaPlayer.
enum NowPlaying {
    /// `TITLE|ARTIST|ELAPSED|DURATION[|PICTURE]`
    static func publish(_ text: String) throws {
        let words = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        guard words.count >= 4, let elapsed = Double(words[2]), let duration = Double(words[3]) else {
            throw UsageError("publish TITLE|ARTIST|ELAPSED|DURATION[|PICTURE]")
        }
        var info: [String: Any] = [
            MPMediaItemPropertyTitle: words[0], MPMediaItemPropertyArtist: words[1],
            MPNowPlayingInfoPropertyElapsedPlaybackTime: elapsed,
            MPMediaItemPropertyPlaybackDuration: duration, MPNowPlayingInfoPropertyPlaybackRate: 1.0,
        ]
        if words.count > 4, let image = UIImage(contentsOfFile: words[4]) {
            info[MPMediaItemPropertyArtwork] = MPMediaItemArtwork(boundsSize: image.size) { _ in image }
        }
        MPNowPlayingInfoCenter.default().nowPlayingInfo = info
    }

    static func clear() { MPNowPlayingInfoCenter.default().nowPlayingInfo = nil }

    /// Reports the commands of the speakers' buttons.
    static func listen() {
        let center = MPRemoteCommandCenter.shared()
        let commands = [
            ("play", center.playCommand), ("pause", center.pauseCommand), ("next", center.nextTrackCommand),
        ]
        for (name, command) in commands {
            command.addTarget { _ in
                report("command", ["name": name])
                return .success
            }
        }
    }
}
