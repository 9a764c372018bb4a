import Foundation

/// The output edits in the attachments: trims, speed and direction.
struct OutputEdits: Sendable {
    var trimStart = CMTime.zero
    var trimEnd = CMTime.zero
    var speed = 1.0
    var isReversed = false

    /// Returns the time at which sound that begins at `start` is due.
    ///
    /// In reverse, the end comes first: presentation time + duration − trim at the end.
    func outputTime(from start: CMTime, lasting duration: CMTime) -> CMTime {
        if isReversed { return start + duration - trimEnd }
        return trimStart == .zero ? start : start + trimStart
    }

    /// Returns the audible length of `duration`, at least zero.
    func outputDuration(of duration: CMTime) -> CMTime {
        guard duration.isNumeric else { return duration }
        let kept = max(.zero, duration - trimStart - trimEnd)
        return scaled(kept)
    }

    /// Returns an entry of a buffer that begins at `start`, moved to `output` and scaled by the speed.
    func moved(_ info: CMSampleTimingInfo, from start: CMTime, to output: CMTime) -> CMSampleTimingInfo {
        CMSampleTimingInfo(
            duration: scaled(info.duration),
            presentationTimeStamp: output + scaled(info.presentationTimeStamp - start),
            decodeTimeStamp: info.decodeTimeStamp.isNumeric
                ? output + scaled(info.decodeTimeStamp - start) : .invalid)
    }

    func scaled(_ time: CMTime) -> CMTime { speed == 1 ? time : time.multiplied(by: 1 / speed) }
}

extension OutputEdits {
    /// Reads the trims, the speed and the direction; ignores invalid values.
    init(_ attachments: CMAttachmentBearerAttachments) {
        trimStart = Self.trim(attachments[kCMSampleBufferAttachmentKey_TrimDurationAtStart])
        trimEnd = Self.trim(attachments[kCMSampleBufferAttachmentKey_TrimDurationAtEnd])
        let speed = Self.number(attachments[kCMSampleBufferAttachmentKey_SpeedMultiplier])?.doubleValue ?? 1
        self.speed = speed.isFinite && speed > 0 ? speed : 1
        isReversed = Self.number(attachments[kCMSampleBufferAttachmentKey_Reverse])?.boolValue ?? false
    }

    private static func trim(_ value: CMAttachmentBearerAttachments.Value?) -> CMTime {
        guard let value else { return .zero }
        let time = CMTimeMakeFromDictionary(
            (value.value as? NSDictionary) ?? (value.value as? [String: Any]) as NSDictionary?)
        return time.kind == .number && time > .zero ? time : .zero
    }

    private static func number(_ value: CMAttachmentBearerAttachments.Value?) -> NSNumber? {
        switch value?.value {
        case let number as NSNumber: number
        case let number as Double: NSNumber(value: number)
        case let number as Int: NSNumber(value: number)
        case let flag as Bool: NSNumber(value: flag)
        default: nil
        }
    }
}
