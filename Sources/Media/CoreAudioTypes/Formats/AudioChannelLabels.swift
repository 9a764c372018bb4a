/// An unknown place.
public let kAudioChannelLabel_Unknown: AudioChannelLabel = 0xFFFF_FFFF
/// A channel that is present but unused.
public let kAudioChannelLabel_Unused: AudioChannelLabel = 0
/// A place given by coordinates.
public let kAudioChannelLabel_UseCoordinates: AudioChannelLabel = 100
/// Left.
public let kAudioChannelLabel_Left: AudioChannelLabel = 1
/// Right.
public let kAudioChannelLabel_Right: AudioChannelLabel = 2
/// Centre.
public let kAudioChannelLabel_Center: AudioChannelLabel = 3
/// Low-frequency effects.
public let kAudioChannelLabel_LFEScreen: AudioChannelLabel = 4
/// Left surround.
public let kAudioChannelLabel_LeftSurround: AudioChannelLabel = 5
/// Right surround.
public let kAudioChannelLabel_RightSurround: AudioChannelLabel = 6
/// Between left and centre.
public let kAudioChannelLabel_LeftCenter: AudioChannelLabel = 7
/// Between right and centre.
public let kAudioChannelLabel_RightCenter: AudioChannelLabel = 8
/// Centre surround, behind the listener.
public let kAudioChannelLabel_CenterSurround: AudioChannelLabel = 9
/// Left, at the side.
public let kAudioChannelLabel_LeftSurroundDirect: AudioChannelLabel = 10
/// Right, at the side.
public let kAudioChannelLabel_RightSurroundDirect: AudioChannelLabel = 11
/// Left, behind.
public let kAudioChannelLabel_RearSurroundLeft: AudioChannelLabel = 33
/// Right, behind.
public let kAudioChannelLabel_RearSurroundRight: AudioChannelLabel = 34
/// The only channel.
public let kAudioChannelLabel_Mono: AudioChannelLabel = 42
