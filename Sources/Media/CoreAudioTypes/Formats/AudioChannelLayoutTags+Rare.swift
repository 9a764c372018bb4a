// Arrangements of channels that are rarer than those of surround sound.

/// Two channels with surround matrixed into them.
public let kAudioChannelLayoutTag_MatrixStereo: AudioChannelLayoutTag = 103 << 16 | 2
/// Middle, side.
public let kAudioChannelLayoutTag_MidSide: AudioChannelLayoutTag = 104 << 16 | 2
/// A coincident pair of microphones.
public let kAudioChannelLayoutTag_XY: AudioChannelLayoutTag = 105 << 16 | 2
/// Left and right of a binaural recording.
public let kAudioChannelLayoutTag_Binaural: AudioChannelLayoutTag = 106 << 16 | 2
/// Ambisonic channels W, X, Y, Z.
public let kAudioChannelLayoutTag_Ambisonic_B_Format: AudioChannelLayoutTag = 107 << 16 | 4
/// Left, right, rear left, rear right, centre.
public let kAudioChannelLayoutTag_Pentagonal: AudioChannelLayoutTag = 109 << 16 | 5
/// Left, right, rear left, rear right, centre, rear.
public let kAudioChannelLayoutTag_Hexagonal: AudioChannelLayoutTag = 110 << 16 | 6
/// Front left, front right, rear left, rear right, front centre, rear centre, side left, side right.
public let kAudioChannelLayoutTag_Octagonal: AudioChannelLayoutTag = 111 << 16 | 8
/// Left, right, rear left, rear right, and the same above.
public let kAudioChannelLayoutTag_Cube: AudioChannelLayoutTag = 112 << 16 | 8
/// Left, right, left surround, right surround, centre, low frequency, left of centre, right of centre.
public let kAudioChannelLayoutTag_Emagic_Default_7_1: AudioChannelLayoutTag = 129 << 16 | 8
/// Left, right, centre, low frequency, left surround, right surround, left total, right total.
public let kAudioChannelLayoutTag_SMPTE_DTV: AudioChannelLayoutTag = 130 << 16 | 8
/// Left, right, centre surround.
public let kAudioChannelLayoutTag_ITU_2_1: AudioChannelLayoutTag = 131 << 16 | 3
/// Left, right, left surround, right surround.
public let kAudioChannelLayoutTag_ITU_2_2: AudioChannelLayoutTag = 132 << 16 | 4
/// Left, right, low frequency.
public let kAudioChannelLayoutTag_DVD_4: AudioChannelLayoutTag = 133 << 16 | 3
/// Left, right, low frequency, centre surround.
public let kAudioChannelLayoutTag_DVD_5: AudioChannelLayoutTag = 134 << 16 | 4
/// Left, right, low frequency, left surround, right surround.
public let kAudioChannelLayoutTag_DVD_6: AudioChannelLayoutTag = 135 << 16 | 5
/// Left, right, centre, low frequency.
public let kAudioChannelLayoutTag_DVD_10: AudioChannelLayoutTag = 136 << 16 | 4
/// Left, right, centre, low frequency, centre surround.
public let kAudioChannelLayoutTag_DVD_11: AudioChannelLayoutTag = 137 << 16 | 5
/// Left, right, left surround, right surround, low frequency.
public let kAudioChannelLayoutTag_DVD_18: AudioChannelLayoutTag = 138 << 16 | 5
/// Left, right, left surround, right surround, centre, centre surround.
public let kAudioChannelLayoutTag_AudioUnit_6_0: AudioChannelLayoutTag = 139 << 16 | 6
/// Left, right, left surround, right surround, centre, rear left, rear right.
public let kAudioChannelLayoutTag_AudioUnit_7_0: AudioChannelLayoutTag = 140 << 16 | 7
/// Left, right, left surround, right surround, centre, left of centre, right of centre.
public let kAudioChannelLayoutTag_AudioUnit_7_0_Front: AudioChannelLayoutTag = 148 << 16 | 7
/// Centre, left, right, left surround, right surround, centre surround.
public let kAudioChannelLayoutTag_AAC_6_0: AudioChannelLayoutTag = 141 << 16 | 6
/// The channels of six in AAC's order, low frequency.
public let kAudioChannelLayoutTag_AAC_6_1: AudioChannelLayoutTag = 142 << 16 | 7
/// Centre, left, right, left surround, right surround, rear left, rear right.
public let kAudioChannelLayoutTag_AAC_7_0: AudioChannelLayoutTag = 143 << 16 | 7
/// The channels of seven in AAC's order, centre surround.
public let kAudioChannelLayoutTag_AAC_Octagonal: AudioChannelLayoutTag = 144 << 16 | 8
/// The six channels of 5.1 and two above.
public let kAudioChannelLayoutTag_Atmos_5_1_2: AudioChannelLayoutTag = 194 << 16 | 8
/// The eight channels of 7.1 and four above.
public let kAudioChannelLayoutTag_Atmos_7_1_4: AudioChannelLayoutTag = 192 << 16 | 12
/// Ten channels around and six above.
public let kAudioChannelLayoutTag_Atmos_9_1_6: AudioChannelLayoutTag = 193 << 16 | 16
/// One channel.
public let kAudioChannelLayoutTag_MPEG_1_0 = kAudioChannelLayoutTag_Mono
/// Left, right.
public let kAudioChannelLayoutTag_MPEG_2_0 = kAudioChannelLayoutTag_Stereo
/// One channel.
public let kAudioChannelLayoutTag_ITU_1_0 = kAudioChannelLayoutTag_Mono
/// Left, right.
public let kAudioChannelLayoutTag_ITU_2_0 = kAudioChannelLayoutTag_Stereo
/// Left, right, centre.
public let kAudioChannelLayoutTag_ITU_3_0 = kAudioChannelLayoutTag_MPEG_3_0_A
/// Left, right, centre, centre surround.
public let kAudioChannelLayoutTag_ITU_3_1 = kAudioChannelLayoutTag_MPEG_4_0_A
/// Left, right, centre, left surround, right surround.
public let kAudioChannelLayoutTag_ITU_3_2 = kAudioChannelLayoutTag_MPEG_5_0_A
/// The channels of 5.1.
public let kAudioChannelLayoutTag_ITU_3_2_1 = kAudioChannelLayoutTag_MPEG_5_1_A
/// The channels of 7.1.
public let kAudioChannelLayoutTag_ITU_3_4_1 = kAudioChannelLayoutTag_MPEG_7_1_C
/// One channel.
public let kAudioChannelLayoutTag_DVD_0 = kAudioChannelLayoutTag_Mono
/// Left, right.
public let kAudioChannelLayoutTag_DVD_1 = kAudioChannelLayoutTag_Stereo
/// Left, right, centre surround.
public let kAudioChannelLayoutTag_DVD_2 = kAudioChannelLayoutTag_ITU_2_1
/// Left, right, left surround, right surround.
public let kAudioChannelLayoutTag_DVD_3 = kAudioChannelLayoutTag_ITU_2_2
/// The channels of 5.1.
public let kAudioChannelLayoutTag_DVD_12 = kAudioChannelLayoutTag_MPEG_5_1_A
/// Four channels around.
public let kAudioChannelLayoutTag_AudioUnit_4 = kAudioChannelLayoutTag_Quadraphonic
/// Five channels around.
public let kAudioChannelLayoutTag_AudioUnit_5 = kAudioChannelLayoutTag_Pentagonal
/// Six channels around.
public let kAudioChannelLayoutTag_AudioUnit_6 = kAudioChannelLayoutTag_Hexagonal
/// Eight channels around.
public let kAudioChannelLayoutTag_AudioUnit_8 = kAudioChannelLayoutTag_Octagonal
/// The five channels of an audio unit.
public let kAudioChannelLayoutTag_AudioUnit_5_0 = kAudioChannelLayoutTag_MPEG_5_0_B
/// The channels of 5.1.
public let kAudioChannelLayoutTag_AudioUnit_5_1 = kAudioChannelLayoutTag_MPEG_5_1_A
/// The channels of 6.1.
public let kAudioChannelLayoutTag_AudioUnit_6_1 = kAudioChannelLayoutTag_MPEG_6_1_A
/// The channels of 7.1.
public let kAudioChannelLayoutTag_AudioUnit_7_1 = kAudioChannelLayoutTag_MPEG_7_1_C
/// The channels of 7.1 with two beside the centre.
public let kAudioChannelLayoutTag_AudioUnit_7_1_Front = kAudioChannelLayoutTag_MPEG_7_1_A
/// Four channels around.
public let kAudioChannelLayoutTag_AAC_Quadraphonic = kAudioChannelLayoutTag_Quadraphonic
/// Left, right, low frequency.
public let kAudioChannelLayoutTag_WAVE_2_1 = kAudioChannelLayoutTag_DVD_4
/// Left, right, centre.
public let kAudioChannelLayoutTag_WAVE_3_0 = kAudioChannelLayoutTag_MPEG_3_0_A
/// Left, right, left surround, right surround.
public let kAudioChannelLayoutTag_WAVE_4_0_A = kAudioChannelLayoutTag_ITU_2_2
/// Five channels in the order of wave files.
public let kAudioChannelLayoutTag_WAVE_5_0_A = kAudioChannelLayoutTag_MPEG_5_0_A
/// The channels of 5.1.
public let kAudioChannelLayoutTag_WAVE_5_1_A = kAudioChannelLayoutTag_MPEG_5_1_A
/// Ambisonic channels in ACN's order with SN3D's scale; combine with the number of channels in the low 16 bits.
public let kAudioChannelLayoutTag_HOA_ACN_SN3D: AudioChannelLayoutTag = 190 << 16 | 0
/// Ambisonic channels in ACN's order with N3D's scale; combine with the number of channels in the low 16 bits.
public let kAudioChannelLayoutTag_HOA_ACN_N3D: AudioChannelLayoutTag = 191 << 16 | 0
