import CoreMedia
import Foundation
import Playback
import TuttiCodecs

/// A reader of a track's stored pictures, in the order of decoding.
final class StoredPictureReading: TrackReading {
    private let track: AVAssetTrack
    private let description: CMFormatDescription
    private let packets: StoredPackets
    private let reader: VideoReader
    private let times: PictureTimes
    private var start = CMTime.zero
    private var end = CMTime.zero
    private var isAtEnd = true
    /// The packet at which the range begins, which is read already.
    private var first: VideoPacket?
    private var isFresh = true

    /// Opens the track's source for this reader alone.
    init(
        _ track: AVAssetTrack, _ video: VideoStreamParameters, _ description: CMFormatDescription,
        interrupt: MediaInterrupt
    ) throws(AVError) {
        (self.track, self.description, packets) = (track, description, StoredPackets(video))
        let source = try track.pictureSource()
        do {
            reader = try VideoReader(
                source.path, stream: source.stream, request: source.request, interrupt: interrupt,
                engine: source.engine, makeSource: source.makeSource)
        } catch {
            throw AVError(error, url: track.source.url)
        }
        times = PictureTimes(reader, zero: source.zero)
    }

    func begin(_ range: CMTimeRange) throws(AVError) {
        (start, end) = (range.start, min(range.end, track.presentedEnd ?? .positiveInfinity))
        isAtEnd = !(start < end)
        if isAtEnd { return }
        do {
            try findKey(at: max(.zero, start))
        } catch {
            throw AVError(error, url: track.source.url)
        }
    }

    /// Reads to the last packet from which all pictures from a time on can be decoded.
    private func findKey(at time: CMTime) throws(MediaError) {
        for seconds in PictureReader.retrySeconds {
            let back = CMTime(seconds: seconds, preferredTimescale: 1000)
            let place = seconds.isFinite ? times.streamTime(of: time + times.tolerance - back) : .min
            let isStart = place <= reader.startTime
            if !isStart || !isFresh { try reader.seek(to: max(place, reader.startTime)) }
            isFresh = false
            first = try reader.nextPacket()
            if isStart { return }
            while let packet = first, !packet.isKey { first = try reader.nextPacket() }
            // Pictures shown before a key picture may refer to those before it in the file.
            if let first, let shown = first.presentationTime ?? first.decodingTime,
                times.itemTime(of: shown) - times.tolerance <= time
            {
                return
            }
        }
    }

    func next() throws(AVError) -> CMSampleBuffer? {
        do {
            guard !isAtEnd, let packet = try first ?? reader.nextPacket() else {
                isAtEnd = true
                return nil
            }
            first = nil
            let decoded = packet.decodingTime.map(times.itemTime) ?? .invalid
            let shown = packet.presentationTime.map(times.itemTime) ?? decoded
            // Later packets are decoded later, and shown still later.
            isAtEnd = (decoded.isNumeric ? decoded : shown) + times.tolerance >= end
            return isAtEnd ? nil : try buffer(packet, shown: shown, decoded: decoded)
        } catch {
            throw AVError(reading: error, of: track)
        }
    }

    private func buffer(_ packet: VideoPacket, shown: CMTime, decoded: CMTime) throws -> CMSampleBuffer {
        let (duration, data) = (times.duration(of: packet.duration), try packets.block(of: packet))
        let buffer = try CMSampleBuffer(
            dataBuffer: data, formatDescription: description, numSamples: 1,
            sampleTimings: [
                CMSampleTimingInfo(
                    duration: duration, presentationTimeStamp: shown, decodeTimeStamp: decoded)
            ], sampleSizes: [data.dataLength])
        let isOutside = shown + duration - times.tolerance <= start || shown + times.tolerance >= end
        mark(buffer, isKey: packet.isKey, isOutside: isOutside)
        return buffer
    }

    private func mark(_ buffer: CMSampleBuffer, isKey: Bool, isOutside: Bool) {
        guard
            let sample = CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: true)?.firstObject
                as? NSMutableDictionary
        else { return }
        sample.setObject(NSNumber(value: !isKey), forKey: kCMSampleAttachmentKey_DependsOnOthers)
        if !isKey { sample.setObject(NSNumber(value: true), forKey: kCMSampleAttachmentKey_NotSync) }
        if isOutside { sample.setObject(NSNumber(value: true), forKey: kCMSampleAttachmentKey_DoNotDisplay) }
    }
}
