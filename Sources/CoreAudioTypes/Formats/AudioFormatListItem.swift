/// One of the formats in which the same audio data can be read.
public struct AudioFormatListItem: Hashable, Sendable, BitwiseCopyable {
    /// The format.
    public var mASBD: AudioStreamBasicDescription
    /// The arrangement of its channels.
    public var mChannelLayoutTag: AudioChannelLayoutTag
    /// Makes the size that of the C form.
    private var padding: UInt32 = 0

    /// All zero.
    public init() { self.init(mASBD: AudioStreamBasicDescription(), mChannelLayoutTag: 0) }

    /// Takes the fields as they are.
    public init(mASBD: AudioStreamBasicDescription, mChannelLayoutTag: AudioChannelLayoutTag) {
        self.mASBD = mASBD
        self.mChannelLayoutTag = mChannelLayoutTag
    }
}
