import AudioToolbox
import AudioToolbox.AudioFile
import AudioToolbox.AudioFileStream
import AudioUnit
import AVFoundation
import CoreAudio
import CoreAudio.CoreAudioTypes
import CoreAudioTypes
import CoreMedia
import MediaToolbox
import Testing

@Suite("Modules imported together")
struct ImportTests {
    @Test("names are unambiguous when all modules are imported")
    func together() {
        let stream = AudioStreamBasicDescription()
        let tag: AudioChannelLayoutTag = kAudioChannelLayoutTag_Stereo
        let status: OSStatus = noErr
        #expect(stream.mFormatID == 0 && AudioChannelLayoutTag_GetNumberOfChannels(tag) == 2 && status == 0)
        #expect(AudioConvertHostTimeToNanos(AudioGetCurrentHostTime()) > 0)
        #expect(kAudioFileWAVEType == AudioFileTypeID(fourCharacters: "WAVE"))
    }
}
