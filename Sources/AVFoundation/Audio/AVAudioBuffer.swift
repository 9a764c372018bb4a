/// Audio in memory with its format: either ``AVAudioPCMBuffer`` or ``AVAudioCompressedBuffer``.
///
/// The bytes are the program's to read and write; two threads that use one buffer at the same time must agree
/// among themselves.
open class AVAudioBuffer: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // Safe to share: the format and the places of the bytes never change, and who writes the bytes is up to
    // the program, as with any pointer.

    /// The format of the audio.
    public let format: AVAudioFormat

    let storage: AudioBufferStorage

    init(format: AVAudioFormat, storage: AudioBufferStorage) {
        self.format = format
        self.storage = storage
        super.init()
    }

    /// The buffers in their C form. Sizes are those of the part in use: to read, not to change.
    ///
    /// Lives as long as this object.
    open var audioBufferList: UnsafePointer<AudioBufferList> { storage.used.unsafePointer }

    /// The buffers in their C form, for functions that fill them. Sizes are those of the whole buffer.
    ///
    /// A function that changes the sizes does not change how much is in use: set `frameLength` after it,
    /// which also sets the sizes back. Lives as long as this object.
    open var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> {
        storage.whole.unsafeMutablePointer
    }

    /// A buffer of the same size with a copy of the part in use.
    open func copy(with zone: NSZone? = nil) -> Any {
        preconditionFailure("an audio buffer is PCM or compressed")
    }

    /// A buffer of the same size with a copy of the part in use.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { copy(with: zone) }
}
