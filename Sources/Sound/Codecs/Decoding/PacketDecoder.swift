import CTuttiFFmpeg
import TuttiMediaTime
import TuttiPCM

/// A decoder for single packets, without trimming, concealment or placement.
///
/// The decoded frames carry their own rate and channel count, which may change within a stream and may differ
/// from the parameters with HE-AAC. Not thread-safe.
package final class PacketDecoder {
    private let context: DecoderContext
    private let sampleFormat: SampleFormat

    /// Opens the decoder of a stream.
    ///
    /// - Throws: ``CodecError`` if the library has no decoder or refuses the parameters.
    package init(_ parameters: AudioStreamParameters) throws(CodecError) {
        context = try DecoderContext(parameters)
        sampleFormat = parameters.naturalFormat.sampleFormat
    }

    /// Decodes a packet and returns the frames it completes; empty while the decoder fills.
    ///
    /// - Throws: ``CodecError`` if the packet is damaged; the next packet may still decode.
    package func decode(_ payload: UnsafeRawBufferPointer) throws(CodecError) -> [PCMBuffer] {
        try CodecError.check(context.send(payload, timestamp: 0, duration: 0), "avcodec_send_packet")
        return try receiveAll()
    }

    /// Returns the frames still inside the decoder at the end of the stream, then resets the decoder.
    package func drain() -> [PCMBuffer] {
        context.sendEnd()
        // The frames of a decoder that fails at its end are lost.
        let rest = try? receiveAll()
        context.flush()
        return rest ?? []
    }

    /// Discards all decoding state.
    package func reset() { context.flush() }

    private func receiveAll() throws(CodecError) -> [PCMBuffer] {
        var output: [PCMBuffer] = []
        while true {
            let (frame, code) = context.receive()
            guard let frame else {
                if code == shim_averror(11) || code == shim_AVERROR_EOF { return output }
                throw CodecError(code: code, operation: "avcodec_receive_frame")
            }
            if frame.frameCount == 0 { continue }
            guard let format = frame.format(sampleFormat), let pcm = frame.pcm(as: format) else {
                throw CodecError(code: shim_AVERROR_INVALIDDATA, operation: "avcodec_receive_frame")
            }
            output.append(pcm)
        }
    }
}

extension DecodedFrame {
    /// The frame's rate and channel count with the given sample format; `nil` if they exceed the limits of
    /// ``PCMFormat``.
    fileprivate func format(_ sampleFormat: SampleFormat) -> PCMFormat? {
        SampleRate(hertz: Int(frame.pointee.sample_rate)).flatMap {
            PCMFormat(
                checking: $0, channelCount: Int(frame.pointee.ch_layout.nb_channels),
                sampleFormat: sampleFormat)
        }
    }
}
