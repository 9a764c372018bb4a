import CoreMedia
import TuttiMediaTime
import TuttiPCM

/// The linear PCM format that a reader of a file asks for.
package struct LinearPCMTarget: Sendable {
    /// The sample rate of the converted sound.
    package let sampleRate: SampleRate
    /// The number of channels, 1 ... ``PCMFormat/channelLimit``.
    package let channelCount: Int
    /// The CoreMedia description of the format.
    package let description: AudioStreamBasicDescription
    /// The channel layout; `nil` leaves the channels' roles open.
    package let layout: ManagedAudioChannelLayout?
    let writer: LinearPCMWriter

    /// - Parameter bits: Bits per sample.
    /// - Returns: `nil` for samples that ``LinearPCMWriter`` cannot write.
    package init?(
        sampleRate: SampleRate, channelCount: Int, bits: Int, isFloat: Bool, isBigEndian: Bool,
        isInterleaved: Bool, layout: ManagedAudioChannelLayout? = nil
    ) {
        guard (1...PCMFormat.channelLimit).contains(channelCount), (8...64).contains(bits) else { return nil }
        var flags = kAudioFormatFlagIsPacked
        flags |= isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
        if isBigEndian { flags |= kAudioFormatFlagIsBigEndian }
        if !isInterleaved { flags |= kAudioFormatFlagIsNonInterleaved }
        let bytes = UInt32(bits / 8 * (isInterleaved ? channelCount : 1))
        description = AudioStreamBasicDescription(
            mSampleRate: Double(sampleRate.hertz), mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
            mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes,
            mChannelsPerFrame: UInt32(channelCount), mBitsPerChannel: UInt32(bits), mReserved: 0)
        guard let writer = LinearPCMWriter(description) else { return nil }
        self.writer = writer
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.layout = layout
    }

    /// Returns whether sound of `channelCount` channels can be converted to this target: unchanged, or mixed
    /// to two channels or one.
    package func takes(channelCount: Int) -> Bool {
        self.channelCount <= 2 || self.channelCount == channelCount
    }
}
