import Foundation
import Testing
import TuttiTestMedia

@testable import AVFoundation

extension FilmFile {
    /// Writes the film and returns its encoded frames in the order of decoding.
    func storedFrames(at path: String) async throws -> [CMSampleBuffer] {
        try write(to: path)
        let asset = AVURLAsset(url: URL(fileURLWithPath: path))
        let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        reader.add(output)
        #expect(reader.startReading())
        var frames: [CMSampleBuffer] = []
        while let frame = output.copyNextSampleBuffer() { frames.append(frame) }
        return frames
    }
}
