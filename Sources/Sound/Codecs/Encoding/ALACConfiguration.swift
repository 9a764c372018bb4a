import TuttiMediaTime
import TuttiPCM

/// The ALAC format that AirPlay speakers accept: stereo, 352 frames per packet.
///
/// *Observed*: these cookie values are fixed in receivers; see the vectors.
package struct ALACConfiguration: Hashable, Sendable {
    /// Frames in one packet.
    package static let framesPerPacket = 352

    /// The sample rate of the sound.
    package let sampleRate: SampleRate
    /// Bits per sample: 16 or 24.
    package let bitDepth: Int
    /// Whether an encoder looks for a short form. Without it a packet has the length of its samples, and is made in a small part
    /// of the time; every decoder takes both.
    package let isCompressed: Bool

    /// 44.1 kHz with 16 bits.
    package static let cd = ALACConfiguration(sampleRate: .hz44100, bitDepth: 16)
    /// 48 kHz with 24 bits.
    package static let studio = ALACConfiguration(sampleRate: .hz48000, bitDepth: 24)

    /// Creates a configuration.
    ///
    /// - Precondition: `bitDepth` is 16 or 24.
    package init(sampleRate: SampleRate, bitDepth: Int, isCompressed: Bool = true) {
        precondition(bitDepth == 16 || bitDepth == 24, "ALAC is sent with 16 or 24 bit")
        self.sampleRate = sampleRate
        self.bitDepth = bitDepth
        self.isCompressed = isCompressed
    }

    /// The encoder's input format and the decoder's output format.
    package var pcmFormat: PCMFormat {
        PCMFormat(sampleRate: sampleRate, channelCount: 2, sampleFormat: bitDepth == 16 ? .int16 : .int24in32)
    }

    /// The 24 bytes of ALACSpecificConfig, big-endian.
    ///
    /// Layout: frames per packet (32), version 0, bit depth, pb 40, mb 10, kb 14, channels 2 (8 each),
    /// longest run 255 (16), largest packet 0, bit rate 0, sample rate (32 each).
    package var cookie: [UInt8] { cookie(framesPerPacket: Self.framesPerPacket) }

    /// Returns ``cookie`` for packets of another length.
    func cookie(framesPerPacket: Int) -> [UInt8] {
        let frames = UInt32(clamping: framesPerPacket)
        let frameBytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: frames >> $0) }
        let rate = UInt32(sampleRate.hertz)
        let rateBytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rate >> $0) }
        return frameBytes + [0, UInt8(bitDepth), 40, 10, 14, 2, 0, 255] + [UInt8](repeating: 0, count: 8)
            + rateBytes
    }
}
