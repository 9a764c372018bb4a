import AVFAudio
import AVFAudio.AVAudioFormat
import AVFoundation.AVAsset
import AVFoundation.AVAudioSession
import AVFoundation.AVFAudio
import AVFoundation.AVPlayerItem
import CoreMedia.CMTime
import Testing

@Suite("Imports by the names of Apple's headers")
struct SubmoduleImportTests {
    @Test("bring the module that the header belongs to")
    func names() {
        #expect(AVPlayerItem.Status.unknown.rawValue == 0)
        #expect(CMTime(value: 1, timescale: 2).seconds == 0.5)
        #expect(AVAudioSession.Category.playback.rawValue == "AVAudioSessionCategoryPlayback")
    }

    @Test("AVFAudio brings sound formats and settings")
    func sound() {
        #expect(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2)?.channelCount == 2)
        #expect(AVFormatIDKey == "AVFormatIDKey" && AVAudioFrameCount.max == UInt32.max)
    }
}
