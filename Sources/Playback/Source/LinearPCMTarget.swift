import CoreMedia
import MediaTime
import PCM

/// The shape of linear PCM that a reader of a file wants.
package struct LinearPCMTarget: Sendable {
    package let sampleRate: SampleRate
    package let channelCount: Int
    package let description: AudioStreamBasicDescription
    /// `nil` leaves open what the channels are for.
    package let layout: ManagedAudioChannelLayout?
    let writer: LinearPCMWriter

    /// - Parameters:
    ///   - bits: of a sample.
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

    /// Whether sound of so many channels can be brought to this target's: untouched, or mixed to two or one.
    package func takes(channelCount: Int) -> Bool {
        self.channelCount <= 2 || self.channelCount == channelCount
    }
}
