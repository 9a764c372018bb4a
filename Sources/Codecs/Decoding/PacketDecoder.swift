internal import CFFmpeg
import MediaTime
import PCM

/// Decodes packets one by one, with nothing trimmed, concealed or put in place.
///
/// The rate and the channels are those of the decoded frames, which a stream may change on its way and which for
/// HE-AAC may differ from the parameters. For one thread at a time.
package final class PacketDecoder {
    private let context: DecoderContext
    private let sampleFormat: SampleFormat

    package init(_ parameters: AudioStreamParameters) throws(CodecError) {
        context = try DecoderContext(parameters)
        sampleFormat = parameters.naturalFormat.sampleFormat
    }

    /// The frames that a packet makes ready; none while the decoder fills.
    ///
    /// - Throws: if the packet is damaged; the next one may be decoded all the same.
    package func decode(_ payload: UnsafeRawBufferPointer) throws(CodecError) -> [PCMBuffer] {
        try CodecError.check(context.send(payload, timestamp: 0, duration: 0), "avcodec_send_packet")
        return try receiveAll()
    }

    /// The frames that the decoder still holds at the end of the stream; then it is as after ``reset()``.
    package func drain() -> [PCMBuffer] {
        context.sendEnd()
        let rest = try? receiveAll()
        context.flush()
        return rest ?? []
    }

    /// Forgets the packets so far.
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
    /// The frame's rate and channels with a sample format of ours; `nil` beyond our limits.
    fileprivate func format(_ sampleFormat: SampleFormat) -> PCMFormat? {
        SampleRate(hertz: Int(frame.pointee.sample_rate)).flatMap {
            PCMFormat(
                checking: $0, channelCount: Int(frame.pointee.ch_layout.nb_channels),
                sampleFormat: sampleFormat)
        }
    }
}
