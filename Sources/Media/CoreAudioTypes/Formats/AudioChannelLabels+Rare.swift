// Places of channels that are rarer than those of surround sound.

/// Above the listener.
public let kAudioChannelLabel_TopCenterSurround: AudioChannelLabel = 12
/// Left, above, in front.
public let kAudioChannelLabel_VerticalHeightLeft: AudioChannelLabel = 13
/// Centre, above, in front.
public let kAudioChannelLabel_VerticalHeightCenter: AudioChannelLabel = 14
/// Right, above, in front.
public let kAudioChannelLabel_VerticalHeightRight: AudioChannelLabel = 15
/// Left, above, behind.
public let kAudioChannelLabel_TopBackLeft: AudioChannelLabel = 16
/// Centre, above, behind.
public let kAudioChannelLabel_TopBackCenter: AudioChannelLabel = 17
/// Right, above, behind.
public let kAudioChannelLabel_TopBackRight: AudioChannelLabel = 18
/// Left, between the front and the side.
public let kAudioChannelLabel_LeftWide: AudioChannelLabel = 35
/// Right, between the front and the side.
public let kAudioChannelLabel_RightWide: AudioChannelLabel = 36
/// A second channel of low-frequency effects.
public let kAudioChannelLabel_LFE2: AudioChannelLabel = 37
/// Left of two channels that have surround matrixed into them.
public let kAudioChannelLabel_LeftTotal: AudioChannelLabel = 38
/// Right of two channels that have surround matrixed into them.
public let kAudioChannelLabel_RightTotal: AudioChannelLabel = 39
/// Sound for listeners with impaired hearing.
public let kAudioChannelLabel_HearingImpaired: AudioChannelLabel = 40
/// A narration.
public let kAudioChannelLabel_Narration: AudioChannelLabel = 41
/// A mix around the dialogue.
public let kAudioChannelLabel_DialogCentricMix: AudioChannelLabel = 43
/// Centre, behind, without diffusion.
public let kAudioChannelLabel_CenterSurroundDirect: AudioChannelLabel = 44
/// Signals for touch.
public let kAudioChannelLabel_Haptic: AudioChannelLabel = 45
/// Left, above.
public let kAudioChannelLabel_LeftTopMiddle: AudioChannelLabel = 49
/// Right, above.
public let kAudioChannelLabel_RightTopMiddle: AudioChannelLabel = 51
/// Left, above, at the rear.
public let kAudioChannelLabel_LeftTopRear: AudioChannelLabel = 52
/// Centre, above, at the rear.
public let kAudioChannelLabel_CenterTopRear: AudioChannelLabel = 53
/// Right, above, at the rear.
public let kAudioChannelLabel_RightTopRear: AudioChannelLabel = 54
/// The first channel of ambisonic sound, which has all directions.
public let kAudioChannelLabel_Ambisonic_W: AudioChannelLabel = 200
/// The channel of ambisonic sound from front to back.
public let kAudioChannelLabel_Ambisonic_X: AudioChannelLabel = 201
/// The channel of ambisonic sound from left to right.
public let kAudioChannelLabel_Ambisonic_Y: AudioChannelLabel = 202
/// The channel of ambisonic sound from above to below.
public let kAudioChannelLabel_Ambisonic_Z: AudioChannelLabel = 203
/// The middle of a recording by middle and side.
public let kAudioChannelLabel_MS_Mid: AudioChannelLabel = 204
/// The side of a recording by middle and side.
public let kAudioChannelLabel_MS_Side: AudioChannelLabel = 205
/// The first microphone of a coincident pair.
public let kAudioChannelLabel_XY_X: AudioChannelLabel = 206
/// The second microphone of a coincident pair.
public let kAudioChannelLabel_XY_Y: AudioChannelLabel = 207
/// Left of a binaural recording.
public let kAudioChannelLabel_BinauralLeft: AudioChannelLabel = 208
/// Right of a binaural recording.
public let kAudioChannelLabel_BinauralRight: AudioChannelLabel = 209
/// Left, for headphones.
public let kAudioChannelLabel_HeadphonesLeft: AudioChannelLabel = 301
/// Right, for headphones.
public let kAudioChannelLabel_HeadphonesRight: AudioChannelLabel = 302
/// A click track.
public let kAudioChannelLabel_ClickTrack: AudioChannelLabel = 304
/// Speech in a foreign language.
public let kAudioChannelLabel_ForeignLanguage: AudioChannelLabel = 305
/// A channel without a place.
public let kAudioChannelLabel_Discrete: AudioChannelLabel = 400
/// Left, above, in front.
public let kAudioChannelLabel_LeftTopFront = kAudioChannelLabel_VerticalHeightLeft
/// Centre, above, in front.
public let kAudioChannelLabel_CenterTopFront = kAudioChannelLabel_VerticalHeightCenter
/// Right, above, in front.
public let kAudioChannelLabel_RightTopFront = kAudioChannelLabel_VerticalHeightRight
/// Above the listener.
public let kAudioChannelLabel_CenterTopMiddle = kAudioChannelLabel_TopCenterSurround
