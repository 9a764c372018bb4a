import CoreMedia
import Testing

@Suite("Rare places and arrangements of channels")
struct RareChannelsTests {
    static let tags: [(AudioChannelLayoutTag, UInt32)] = [
        (kAudioChannelLayoutTag_MatrixStereo, 2), (kAudioChannelLayoutTag_Octagonal, 8),
        (kAudioChannelLayoutTag_ITU_2_1, 3), (kAudioChannelLayoutTag_DVD_18, 5),
        (kAudioChannelLayoutTag_AudioUnit_7_1, 8), (kAudioChannelLayoutTag_AAC_6_1, 7),
        (kAudioChannelLayoutTag_Atmos_7_1_4, 12), (kAudioChannelLayoutTag_WAVE_4_0_A, 4),
        (kAudioChannelLayoutTag_HOA_ACN_SN3D | 9, 9),
    ]

    @Test("a tag states its number of channels", arguments: tags)
    func counts(tag: AudioChannelLayoutTag, count: UInt32) {
        #expect(AudioChannelLayoutTag_GetNumberOfChannels(tag) == count)
    }

    @Test("other names of a place are the same place")
    func names() {
        #expect(kAudioChannelLabel_LeftTopFront == kAudioChannelLabel_VerticalHeightLeft)
        #expect(kAudioChannelLabel_CenterTopMiddle == kAudioChannelLabel_TopCenterSurround)
    }
}
