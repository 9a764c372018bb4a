/// Audio in memory with its format: either ``AVAudioPCMBuffer`` or ``AVAudioCompressedBuffer``.
///
/// The program owns the bytes and must synchronize threads that use one buffer at the same time.
open class AVAudioBuffer: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // Safe to share: the format and the addresses of the bytes never change, and the program synchronizes
    // access to the bytes, as with any pointer.

    /// The format of the audio.
    public let format: AVAudioFormat

    let storage: AudioBufferStorage

    init(format: AVAudioFormat, storage: AudioBufferStorage) {
        self.format = format
        self.storage = storage
        super.init()
    }

    /// The buffers in their C form, with the sizes of the part in use; read-only.
    ///
    /// The pointer is valid as long as this object lives.
    open var audioBufferList: UnsafePointer<AudioBufferList> { storage.used.unsafePointer }

    /// The buffers in their C form, with the sizes of the whole buffer, for functions that fill buffers.
    ///
    /// Changing the sizes does not change the part in use: set `frameLength` afterwards, which also restores
    /// the sizes. The pointer is valid as long as this object lives.
    open var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> {
        storage.bufferList.unsafeMutablePointer
    }

    /// Returns a buffer of the same size with a copy of the part in use.
    open func copy(with zone: NSZone? = nil) -> Any {
        preconditionFailure("an audio buffer must be PCM or compressed")
    }

    /// Returns a buffer of the same size with a copy of the part in use.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { copy(with: zone) }
}
