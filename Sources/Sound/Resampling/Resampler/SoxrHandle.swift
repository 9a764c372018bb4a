import CTuttiSoxr
import TuttiMediaTime
import TuttiPCM

/// One stream of libsoxr, freed with this object.
final class SoxrHandle {
    /// Maximum output frames per call.
    private static let blockFrameCount = 8192

    private let stream: soxr_t

    init(from input: PCMFormat, to rate: SampleRate, quality: Resampler.Quality) throws(ResamplingError) {
        let type = input.sampleFormat == .float32 ? SOXR_FLOAT32_I : SOXR_INT32_I
        var inputOutput = soxr_io_spec(type, type)
        var qualitySpec = soxr_quality_spec(quality == .high ? shim_soxr_hq() : shim_soxr_vhq(), 0)
        var runtime = soxr_runtime_spec(1)
        var reason: soxr_error_t?
        let stream = soxr_create(
            Double(input.sampleRate.hertz), Double(rate.hertz), UInt32(input.channelCount), &reason,
            &inputOutput,
            &qualitySpec, &runtime)
        guard let stream else { throw Self.error("soxr_create", reason) }
        self.stream = stream
    }

    deinit { soxr_delete(stream) }

    func clear() throws(ResamplingError) {
        if let reason = soxr_clear(stream) { throw Self.error("soxr_clear", reason) }
    }

    func process(_ buffer: PCMBuffer, into format: PCMFormat) throws(ResamplingError) -> PCMBuffer {
        var output = PCMBuffer(format: format)
        if buffer.isEmpty { return output }
        var used = 0
        while used < buffer.frameCount {
            let step = try self.step(format: format) { (room, capacity, written) in
                var taken = 0
                let reason = buffer.withUnsafeBytes { bytes in
                    let start = bytes.baseAddress?.advanced(by: used * buffer.format.bytesPerFrame)
                    return soxr_process(
                        stream, start, buffer.frameCount - used, &taken, room, capacity, &written)
                }
                used += taken
                return (reason, taken)
            }
            output.append(step.output)
            if step.taken == 0, step.output.isEmpty { throw Self.error("soxr_process", nil) }
        }
        return output
    }

    /// Ends the stream and returns at most `frameCount` of the remaining frames.
    func drain(into format: PCMFormat, frameCount: Int) throws(ResamplingError) -> PCMBuffer {
        var output = PCMBuffer(format: format)
        while output.frameCount < frameCount {
            let step = try self.step(format: format) { (room, capacity, written) in
                (soxr_process(stream, nil, 0, nil, room, capacity, &written), 0)
            }
            if step.output.isEmpty { break }
            output.append(step.output)
        }
        output.removeLast(frameCount: output.frameCount - frameCount)
        return output
    }

    private func step(
        format: PCMFormat,
        _ body: (UnsafeMutableRawPointer?, Int, inout Int) -> (reason: soxr_error_t?, taken: Int)
    ) throws(ResamplingError) -> (output: PCMBuffer, taken: Int) {
        var result: (reason: soxr_error_t?, taken: Int) = (nil, 0)
        let output = PCMBuffer(format: format, capacity: Self.blockFrameCount) { room in
            var written = 0
            result = body(room.baseAddress, Self.blockFrameCount, &written)
            return written
        }
        if let reason = result.reason { throw Self.error("soxr_process", reason) }
        return (output, result.taken)
    }

    private static func error(_ operation: String, _ reason: soxr_error_t?) -> ResamplingError {
        ResamplingError(operation: operation, reason: reason.map { String(cString: $0) } ?? "no progress")
    }
}
