import Glibc
import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO

/// Writes rendered sound to a wave file, and its play times to a second file.
struct WaveSink: VirtualSink {
    private let path: String
    private let format: PCMFormat
    private var sound: GrowingFile?
    private var times: GrowingFile?
    private var log: PlayTimeLog
    private var header: WaveHeader
    /// Frame number of the next update of the header's sizes.
    private var nextPatch: Int64
    private var samples: [Int16] = []

    /// - Parameter format: The file's format, `int16` or `float32`.
    init(path: String, format: PCMFormat, ppm: Double) {
        self.path = path
        self.format = format
        log = PlayTimeLog(sampleRate: format.sampleRate, ppm: ppm)
        header = WaveHeader(format: format)
        nextPatch = Int64(format.sampleRate.hertz)
    }

    mutating func open() throws(OutputError) {
        sound = try Self.create(path)
        times = try Self.create(path + ".times")
    }

    private static func create(_ path: String) throws(OutputError) -> GrowingFile {
        do {
            return try GrowingFile(path: path)
        } catch {
            let reason = error.code == ENOTSUP ? "it is not a regular file" : error.text
            throw OutputError(
                operation: error.operation, code: error.code, description: "cannot write \(path): \(reason)")
        }
    }

    mutating func take(_ frames: UnsafeBufferPointer<Float>, at time: DeviceTime) throws(OutputError) {
        // Queues bytes in both files before writing, so that a failure loses nothing.
        if header.dataByteCount == 0 {
            sound?.append(header.bytes)
            times?.append(log.header.utf8)
        }
        if let line = log.line(for: time) { times?.append(line.utf8) }
        append(frames)
        try retry()
        patchHeader(after: time.frame + Int64(frames.count / format.channelCount))
    }

    mutating func retry() throws(OutputError) {
        do throws(SystemError) {
            try times?.flush()
            try sound?.flush()
        } catch {
            throw complaint(error)
        }
    }

    mutating func close() {
        // Bytes that cannot be written now are lost; the header counts those that were.
        try? retry()
        patchHeader()
        sound = nil
        times = nil
    }

    private mutating func append(_ frames: UnsafeBufferPointer<Float>) {
        header.dataByteCount += Int64(frames.count * format.sampleFormat.bytesPerSample)
        guard format.sampleFormat == .int16 else {
            sound?.append(UnsafeRawBufferPointer(frames))
            return
        }
        samples.removeAll(keepingCapacity: true)
        for sample in frames {
            samples.append(SampleMath.int16(scaled: Double(sample) * 0x1p15).littleEndian)
        }
        samples.withUnsafeBytes { sound?.append($0) }
    }

    private mutating func patchHeader(after frame: Int64) {
        guard frame >= nextPatch else { return }
        nextPatch = frame + Int64(format.sampleRate.hertz)
        patchHeader()
    }

    /// Updates the header's sizes to the written bytes.
    private func patchHeader() {
        guard let sound, header.dataByteCount > 0 else { return }
        var written = header
        written.dataByteCount = max(0, header.dataByteCount - Int64(sound.pendingByteCount))
        written.dataByteCount -= written.dataByteCount % Int64(format.bytesPerFrame)
        sound.replaceBeginning(with: written.bytes)
    }

    private func complaint(_ error: SystemError) -> OutputError {
        let hint =
            switch error.code {
            case ENOSPC, EDQUOT: "; free some space there"
            case EFBIG: "; the file has reached the maximum size"
            default: ""
            }
        return OutputError(
            operation: error.operation, code: error.code,
            description: "cannot write \(path): \(error.text)\(hint)")
    }
}
