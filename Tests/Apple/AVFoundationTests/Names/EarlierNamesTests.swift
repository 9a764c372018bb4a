import AVFoundation
import Testing

@Suite("Deprecated names")
struct EarlierNamesTests {
    @available(*, deprecated, message: "uses deprecated names")
    static var notifications: [(NSNotification.Name, NSNotification.Name)] {
        [
            (
                .AVSampleBufferRenderSynchronizerRateDidChange,
                AVSampleBufferRenderSynchronizer.rateDidChangeNotification
            ),
            (
                .AVAudioSessionSilenceSecondaryAudioHint,
                AVAudioSession.silenceSecondaryAudioHintNotification
            ),
        ]
    }

    @available(*, deprecated, message: "uses deprecated names")
    @Test("deprecated notification names post under today's names")
    func notifications() {
        for (old, new) in Self.notifications { #expect(old == new) }
    }

    @available(*, deprecated, message: "uses deprecated names")
    @Test("deprecated file type names have today's values")
    func fileTypes() {
        let pairs: [(AVFileType, AVFileType)] = [
            (AVFileTypeQuickTimeMovie, .mov), (AVFileTypeMPEG4, .mp4), (AVFileTypeAppleM4V, .m4v),
            (AVFileTypeAppleM4A, .m4a), (AVFileType3GPP, .mobile3GPP), (AVFileType3GPP2, .mobile3GPP2),
            (AVFileTypeCoreAudioFormat, .caf), (AVFileTypeWAVE, .wav), (AVFileTypeAIFF, .aiff),
            (AVFileTypeAIFC, .aifc), (AVFileTypeAMR, .amr), (AVFileTypeMPEGLayer3, .mp3),
            (AVFileTypeSunAU, .au), (AVFileTypeAC3, .ac3), (AVFileTypeEnhancedAC3, .eac3),
        ]
        for (old, new) in pairs { #expect(old == new) }
    }
}
