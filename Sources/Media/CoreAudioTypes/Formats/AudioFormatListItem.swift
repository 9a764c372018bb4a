/// A format in which audio data can be read.
public struct AudioFormatListItem: Hashable, Sendable, BitwiseCopyable {
    /// The format.
    public var mASBD: AudioStreamBasicDescription
    /// The channel layout of the format.
    public var mChannelLayoutTag: AudioChannelLayoutTag
    /// Padding to the size of the C form.
    private var padding: UInt32 = 0

    /// Creates a value with every field zero.
    public init() { self.init(mASBD: AudioStreamBasicDescription(), mChannelLayoutTag: 0) }

    /// Creates a value from its fields.
    public init(mASBD: AudioStreamBasicDescription, mChannelLayoutTag: AudioChannelLayoutTag) {
        self.mASBD = mASBD
        self.mChannelLayoutTag = mChannelLayoutTag
    }
}
