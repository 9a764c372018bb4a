import CoreMedia
import TuttiCodecs

/// A reader of one track's samples, range after range. One thread at a time.
protocol TrackReading: AnyObject {
    /// Starts reading a range, in asset time.
    func begin(_ range: CMTimeRange) throws(AVError)

    /// Returns the next buffer; `nil` at the end of the range.
    func next() throws(AVError) -> CMSampleBuffer?
}

extension AVError {
    /// Creates the error for a failure while a track was read.
    init(reading error: any Error, of track: AVAssetTrack) {
        switch error {
        case let error as AVError: self = error
        case let error as MediaError: self.init(error, url: track.source.url)
        default: self.init(.decodeFailed, reason: "\(error)", url: track.source.url)
        }
    }
}
