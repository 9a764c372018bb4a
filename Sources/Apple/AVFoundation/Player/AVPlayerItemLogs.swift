import Foundation
import Playback
import TuttiMediaTime
import TuttiSystemIO
import TuttiWeb

/// An item's successful and failed network transfers, grouped by server.
open class AVPlayerItemAccessLog: NSObject, @unchecked Sendable {
    // Safe to share: immutable.

    /// One event per run of consecutive requests to one server, the latest last.
    open private(set) var events: [AVPlayerItemAccessLogEvent]

    /// Returns `nil` before the first transfer.
    init?(_ state: PlayerItem.State) {
        guard let records = state.transfer?.log.records, !records.isEmpty else { return nil }
        var runs: [[TransferRecord]] = []
        for record in records {
            if let last = runs.last?.last, last.serverAddress == record.serverAddress {
                runs[runs.count - 1].append(record)
            } else {
                runs.append([record])
            }
        }
        events = runs.enumerated().map { index, run in
            AVPlayerItemAccessLogEvent(run, state, isLast: index == runs.count - 1)
        }
    }
}

/// The transfers of one run of consecutive requests to one server.
open class AVPlayerItemAccessLogEvent: NSObject, @unchecked Sendable {
    // Safe to share: immutable.

    /// The URL after redirects.
    open private(set) var uri: String?
    /// IP address and port of the server.
    open private(set) var serverAddress: String?
    /// Bytes received.
    open private(set) var numberOfBytesTransferred: Int64
    /// Seconds of transfer time, summed over the requests.
    open private(set) var transferDuration: TimeInterval
    /// Number of stalls of the whole item so far.
    open private(set) var numberOfStalls: Int
    /// Seconds from opening the item until it was ready to play; negative while unknown.
    open private(set) var startupTime: TimeInterval
    /// Seconds of the item that were played; only the last event counts them.
    open private(set) var durationWatched: TimeInterval
    /// Received bits per second of transfer time; negative before the first.
    open private(set) var observedBitrate: Double
    /// Bits per second of the encoded sound; negative if unknown.
    open private(set) var indicatedBitrate: Double
    /// `LIVE`, or `FILE`.
    open private(set) var playbackType: String?
    /// Wall-clock time of the first request.
    open private(set) var playbackStartDate: Date?
    /// Number of requests.
    open private(set) var numberOfMediaRequests: Int
    /// Bits per second of each request that has received something.
    let bitrates: [Double]

    init(_ records: [TransferRecord], _ state: PlayerItem.State, isLast: Bool) {
        (uri, serverAddress) = (records.last?.address, records.last?.serverAddress)
        numberOfBytesTransferred = records.reduce(0) { $0 + $1.byteCount }
        transferDuration = records.reduce(0) { $0 + $1.duration.inSeconds }
        bitrates = records.compactMap { record in
            let seconds = record.duration.inSeconds
            return record.byteCount > 0 && seconds > 0 ? Double(record.byteCount) * 8 / seconds : nil
        }
        numberOfStalls = state.stallCount
        numberOfMediaRequests = records.count
        durationWatched = isLast ? state.secondsPlayed : 0
        observedBitrate = transferDuration > 0 ? Double(numberOfBytesTransferred) * 8 / transferDuration : -1
        let rate = state.facts?.info?.bitRate ?? 0
        indicatedBitrate = rate > 0 ? Double(rate) : -1
        playbackType = state.facts?.isLive == true ? "LIVE" : "FILE"
        if let opened = state.openedAt, let ready = state.readyAt {
            startupTime = ready.since(opened).inSeconds
        } else {
            startupTime = -1
        }
        playbackStartDate = records.first.map {
            Date(timeIntervalSinceNow: -SystemClock.now.since($0.began).inSeconds)
        }
    }
}

/// An item's failed network requests.
open class AVPlayerItemErrorLog: NSObject, @unchecked Sendable {
    // Safe to share: immutable.

    /// One event per failed request, the latest last.
    open private(set) var events: [AVPlayerItemErrorLogEvent]

    /// Returns `nil` while no request has failed.
    init?(_ state: PlayerItem.State) {
        let failed = state.transfer?.log.records.filter { $0.failure != nil } ?? []
        if failed.isEmpty { return nil }
        events = failed.map { AVPlayerItemErrorLogEvent($0) }
    }
}

/// A request that failed.
open class AVPlayerItemErrorLogEvent: NSObject, @unchecked Sendable {
    // Safe to share: immutable.

    /// Wall-clock time of the request.
    open private(set) var date: Date?
    /// The URL after redirects.
    open private(set) var uri: String?
    /// IP address and port of the server.
    open private(set) var serverAddress: String?
    /// The HTTP status code; 0 without a response.
    open private(set) var errorStatusCode: Int
    /// `HTTP` with a response, else `NSURLErrorDomain`.
    open private(set) var errorDomain: String
    /// The cause as text.
    open private(set) var errorComment: String?

    init(_ record: TransferRecord) {
        date = Date(timeIntervalSinceNow: -SystemClock.now.since(record.began).inSeconds)
        (uri, serverAddress) = (record.address, record.serverAddress)
        errorStatusCode = record.status.map { Int($0) } ?? 0
        errorDomain = record.status == nil ? NSURLErrorDomain : "HTTP"
        errorComment = record.failure.map { "\($0)" }
    }
}

extension AVPlayerItem {
    /// Returns a snapshot of the network transfers so far; `nil` for files and before the first request.
    nonisolated public func accessLog() -> AVPlayerItemAccessLog? {
        AVPlayerItemAccessLog(core.state)
    }

    /// Returns a snapshot of the failed requests so far; `nil` for files and while no request has failed.
    nonisolated public func errorLog() -> AVPlayerItemErrorLog? {
        AVPlayerItemErrorLog(core.state)
    }
}
