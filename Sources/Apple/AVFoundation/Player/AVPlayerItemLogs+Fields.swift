import Foundation

// The fields of logs that sources without segments and variants do not fill, and those that follow from others. Any thread.
extension AVPlayerItemAccessLogEvent {
    /// The largest rate of one request in bits per second; negative before the first.
    public var observedMaxBitrate: Double { bitrates.max() ?? -1 }

    /// The smallest rate of one request in bits per second; negative before the first.
    public var observedMinBitrate: Double { bitrates.min() ?? -1 }

    /// The standard deviation of the requests' rates in bits per second; negative before the first.
    public var observedBitrateStandardDeviation: Double {
        guard !bitrates.isEmpty else { return -1 }
        let mean = bitrates.reduce(0, +) / Double(bitrates.count)
        let squares = bitrates.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(bitrates.count)).squareRoot()
    }

    /// The same as ``indicatedBitrate``.
    public var indicatedAverageBitrate: Double { indicatedBitrate }

    /// The same as ``indicatedBitrate``.
    public var averageAudioBitrate: Double { indicatedBitrate }

    /// Always negative: unknown.
    public var averageVideoBitrate: Double { -1 }

    /// Always negative: the rate of a stream does not change.
    public var switchBitrate: Double { -1 }

    /// Always 0: each server has its own event.
    public var numberOfServerAddressChanges: Int { 0 }

    /// Always 0: Tutti does not know what a network costs.
    public var mediaRequestsWWAN: Int { 0 }

    /// Always 0: nothing is downloaded by segments.
    public var segmentsDownloadedDuration: TimeInterval { 0 }

    /// Always 0: nothing is downloaded by segments.
    public var downloadOverdue: Int { 0 }

    /// Always negative: unknown; a layer counts its own, see ``AVPlayerLayer/tuttiPictureCounts``.
    public var numberOfDroppedVideoFrames: Int { -1 }

    /// Always negative: unknown.
    public var playbackStartOffset: TimeInterval { -1 }

    /// Always `nil`: servers are told of no session.
    public var playbackSessionID: String? { nil }
}

extension AVPlayerItemErrorLogEvent {
    /// Always `nil`: servers are told of no session.
    public var playbackSessionID: String? { nil }
}
