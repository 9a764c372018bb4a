import AVFAudio
import AVFAudio.AVAudioFormat
import AVFoundation.AVAsset
import AVFoundation.AVAudioSession
import AVFoundation.AVFAudio
import AVFoundation.AVPlayerItem
import CoreMedia.CMTime
import Testing

@Suite("Imports by Apple's header names")
struct SubmoduleImportTests {
    @Test("a header import brings its module")
    func names() {
        #expect(AVPlayerItem.Status.unknown.rawValue == 0)
        #expect(CMTime(value: 1, timescale: 2).seconds == 0.5)
        #expect(AVAudioSession.Category.playback.rawValue == "AVAudioSessionCategoryPlayback")
    }

    @Test("AVFAudio brings audio formats and settings")
    func sound() {
        #expect(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2)?.channelCount == 2)
        #expect(AVFormatIDKey == "AVFormatIDKey" && AVAudioFrameCount.max == UInt32.max)
    }
}
