import CoreMedia
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM
import TuttiResampling
import TuttiSystemIO
import TuttiWeb

/// The decoded sound of an announcement. A value.
public struct AnnouncementSound: Sendable {
    /// The most seconds of an announcement; the rest is not heard.
    public static let longest = 120.0
    /// The most frames per second of a source.
    private static let fastest = 192_000
    /// The time that reading may take; a live stream would take as long as it is.
    private static let patience = Duration.seconds(20)

    /// Stereo, at the rate of the source.
    let frames: PCMBuffer

    /// The length in seconds.
    public var seconds: Double {
        Double(frames.frameCount) / Double(frames.format.sampleRate.hertz)
    }

    /// The size in memory.
    public var byteCount: Int { frames.bytes.count }

    init(_ frames: PCMBuffer) { self.frames = frames }

    /// Returns a sound of silence.
    package static func silence(seconds: Double) -> AnnouncementSound {
        let format = PCMFormat(sampleRate: .hz44100, channelCount: 2, sampleFormat: .float32)
        return AnnouncementSound(PCMBuffer(format: format, silentFrameCount: Int(seconds * 44_100)))
    }

    /// Reads and decodes a source, at most ``longest`` seconds of it.
    ///
    /// - Parameter location: A file's path or an http(s) address.
    /// - Throws: ``RouteError`` if it cannot be read, or has no sound.
    public static func decode(_ location: String) async throws(RouteError) -> AnnouncementSound {
        try await decode(location, engine: .shared, machine: SystemMachine())
    }

    /// Decodes as ``decode(_:)`` does, with an engine that transfers the bytes of an address.
    static func decode(
        _ location: String, engine: WebEngine, machine: any Machine
    ) async throws(RouteError) -> AnnouncementSound {
        let result: Result<AnnouncementSound, RouteError> = await withCheckedContinuation { continuation in
            // Reading may block on the disk or the network.
            machine.perform(qos: .userInitiated) {
                continuation.resume(returning: read(location, engine, machine))
            }
        }
        return try result.get()
    }

    private static func read(
        _ location: String, _ engine: WebEngine, _ clock: any HostClock
    ) -> Result<AnnouncementSound, RouteError> {
        do {
            let start = clock.now
            let reader = try MediaReader(location, readsArtwork: false, engine: engine)
            guard reader.info.sampleRate.hertz <= fastest else {
                throw RouteError(
                    "\(MediaError.name(of: location)) has \(reader.info.sampleRate), which is too high a sample rate"
                )
            }
            let limit = Int64(longest * Double(reader.info.sampleRate.hertz))
            let source = try DecodedSource(reader, frames: 0..<limit)
            let mapping = ChannelMapping(from: reader.info.stream.channelLayout)
            var frames = PCMBuffer(format: source.format.with(channelCount: 2))
            while let piece = try source.next(), frames.frameCount < Int(limit) {
                frames.append(mapping.stereo(piece.buffer))
                guard clock.now.since(start) < patience else {
                    throw RouteError(
                        "\(MediaError.name(of: location)) takes too long to read; announce a file instead")
                }
            }
            if frames.frameCount > Int(limit) {
                frames.removeLast(frameCount: frames.frameCount - Int(limit))
            }
            guard !frames.isEmpty else { throw RouteError("\(MediaError.name(of: location)) has no sound") }
            return .success(AnnouncementSound(frames))
        } catch {
            return .failure(error as? RouteError ?? RouteError("\(error)"))
        }
    }

    /// Returns the frames at another rate, as 32-bit floats.
    func converted(to rate: SampleRate) throws -> PCMBuffer {
        var widening = SampleConverter(to: .float32)
        let wide = widening.convert(frames)
        guard wide.format.sampleRate != rate else { return wide }
        let resampler = try Resampler(from: wide.format, to: rate)
        var converted = try resampler.process(wide)
        converted.append(try resampler.finish())
        return converted
    }
}
