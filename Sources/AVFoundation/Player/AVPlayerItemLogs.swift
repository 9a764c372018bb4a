import Foundation
import MediaTime
import Playback
import SystemIO
import Web

/// How an item came over the network.
open class AVPlayerItemAccessLog: NSObject, @unchecked Sendable {
    // Safe to share: immutable.

    /// One for each stretch from one server, the latest last.
    open private(set) var events: [AVPlayerItemAccessLogEvent]

    init(events: [AVPlayerItemAccessLogEvent]) { self.events = events }
}

/// What came from one server.
open class AVPlayerItemAccessLogEvent: NSObject, @unchecked Sendable {
    // Safe to share: immutable.

    /// The address, after redirects.
    open private(set) var uri: String?
    /// Number and port of the server.
    open private(set) var serverAddress: String?
    /// Bytes that came.
    open private(set) var numberOfBytesTransferred: Int64
    /// Seconds in which bytes were on their way.
    open private(set) var transferDuration: TimeInterval
    /// How often the sound ran out.
    open private(set) var numberOfStalls: Int
    /// Seconds from the item's opening until it could be played; negative while that is not known.
    open private(set) var startupTime: TimeInterval
    /// Seconds of the item that were heard; of several events the last has them.
    open private(set) var durationWatched: TimeInterval
    /// Bits per second while bytes were on their way; negative before any.
    open private(set) var observedBitrate: Double
    /// Bits per second that the sound needs; negative where nobody says it.
    open private(set) var indicatedBitrate: Double
    /// `LIVE`, or `FILE`.
    open private(set) var playbackType: String?
    /// When the first byte was asked for.
    open private(set) var playbackStartDate: Date?
    /// How often a server was asked.
    open private(set) var numberOfMediaRequests: Int

    init(_ records: [TransferRecord], _ state: PlayerItem.State, isLast: Bool) {
        (uri, serverAddress) = (records.last?.address, records.last?.serverAddress)
        numberOfBytesTransferred = records.reduce(0) { $0 + $1.byteCount }
        transferDuration = records.reduce(0) { $0 + $1.duration.inSeconds }
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

/// What went wrong on the network.
open class AVPlayerItemErrorLog: NSObject, @unchecked Sendable {
    // Safe to share: immutable.

    /// The latest last.
    open private(set) var events: [AVPlayerItemErrorLogEvent]

    init(events: [AVPlayerItemErrorLogEvent]) { self.events = events }
}

/// A request that failed.
open class AVPlayerItemErrorLogEvent: NSObject, @unchecked Sendable {
    // Safe to share: immutable.

    /// When it was asked.
    open private(set) var date: Date?
    /// The address.
    open private(set) var uri: String?
    /// Number and port of the server.
    open private(set) var serverAddress: String?
    /// HTTP's number, or 0 where there was no answer.
    open private(set) var errorStatusCode: Int
    /// Of the number.
    open private(set) var errorDomain: String
    /// The cause in words.
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
    /// How the item came over the network so far; `nil` for files, and before anything came.
    nonisolated public func accessLog() -> AVPlayerItemAccessLog? {
        let state = core.state
        guard let records = state.transfer?.log.records, !records.isEmpty else { return nil }
        var runs: [[TransferRecord]] = []
        for record in records {
            if let last = runs.last?.last, last.serverAddress == record.serverAddress {
                runs[runs.count - 1].append(record)
            } else {
                runs.append([record])
            }
        }
        return AVPlayerItemAccessLog(
            events: runs.enumerated().map { index, run in
                AVPlayerItemAccessLogEvent(run, state, isLast: index == runs.count - 1)
            })
    }

    /// Which requests failed so far; `nil` for files, and while none has.
    nonisolated public func errorLog() -> AVPlayerItemErrorLog? {
        let failed = core.state.transfer?.log.records.filter { $0.failure != nil } ?? []
        return failed.isEmpty
            ? nil : AVPlayerItemErrorLog(events: failed.map { AVPlayerItemErrorLogEvent($0) })
    }
}
