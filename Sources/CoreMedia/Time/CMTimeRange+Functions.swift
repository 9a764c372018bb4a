import Foundation

// CMTimeRange and CMTimeMapping in their C spelling.

/// A range of this length.
@discardableResult
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, duration: duration)
}

/// From `start` up to `end`, which is not inside.
@discardableResult
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, end: end)
}

/// The instant after the last one inside.
@discardableResult
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }

/// Whether both ranges have the same start and length.
@discardableResult
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool { range1 == range2 }

/// See ``CMTimeRange/containsTime(_:)``.
@discardableResult
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool { range.containsTime(time) }

/// See ``CMTimeRange/containsTimeRange(_:)``.
@discardableResult
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool {
    range.containsTimeRange(otherRange)
}

/// See ``CMTimeRange/intersection(_:)``.
@discardableResult
public func CMTimeRangeGetIntersection(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    range.intersection(otherRange)
}

/// See ``CMTimeRange/union(_:)``.
@discardableResult
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    range.union(otherRange)
}

/// The key of a range's start in its dictionary form.
public var kCMTimeRangeStartKey: CFString { Keys.rangeStartKey.string }
/// The key of a range's length in its dictionary form.
public var kCMTimeRangeDurationKey: CFString { Keys.rangeDurationKey.string }

/// The range as a dictionary of the dictionaries of its two times.
@discardableResult
public func CMTimeRangeCopyAsDictionary(_ range: CMTimeRange, allocator: CFAllocator?) -> CFDictionary? {
    guard let start = CMTimeCopyAsDictionary(range.start, allocator: allocator),
        let duration = CMTimeCopyAsDictionary(range.duration, allocator: allocator)
    else { return nil }
    return ["start": start, "duration": duration] as NSDictionary
}

/// The range that a dictionary describes; invalid if a part is missing.
@discardableResult
public func CMTimeRangeMakeFromDictionary(_ dictionary: CFDictionary?) -> CMTimeRange {
    CMTimeRange(
        start: CMTimeMakeFromDictionary(dictionary?.object(forKey: "start" as NSString) as? NSDictionary),
        duration: CMTimeMakeFromDictionary(
            dictionary?.object(forKey: "duration" as NSString) as? NSDictionary))
}

/// The range in words.
@discardableResult
public func CMTimeRangeCopyDescription(allocator: CFAllocator?, range: CMTimeRange) -> CFString? {
    "{\(range.start.text), \(range.duration.text)}" as NSString
}

/// Writes the range in words to the standard error stream.
public func CMTimeRangeShow(_ range: CMTimeRange) {
    showInWords("{\(range.start.text), \(range.duration.text)}")
}

/// Maps `source` onto `target`.
@discardableResult
public func CMTimeMappingMake(source: CMTimeRange, target: CMTimeRange) -> CMTimeMapping {
    CMTimeMapping(source: source, target: target)
}

/// An edit that shows nothing for the length of `target`.
@discardableResult
public func CMTimeMappingMakeEmpty(target: CMTimeRange) -> CMTimeMapping {
    CMTimeMapping(source: .invalid, target: target)
}

/// Whether the range is valid.
@discardableResult
public func CMTIMERANGE_IS_VALID(_ range: CMTimeRange) -> Bool { range.isValid }
/// Whether the range is invalid.
@discardableResult
public func CMTIMERANGE_IS_INVALID(_ range: CMTimeRange) -> Bool { !range.isValid }
/// Whether a part of the range is not known.
@discardableResult
public func CMTIMERANGE_IS_INDEFINITE(_ range: CMTimeRange) -> Bool { range.isIndefinite }
/// Whether the range has no length.
@discardableResult
public func CMTIMERANGE_IS_EMPTY(_ range: CMTimeRange) -> Bool { range.isEmpty }

/// The keys as objects that stay where they are, as C callers hold their addresses.
private enum Keys {
    static let rangeStartKey = ConstantString("start")
    static let rangeDurationKey = ConstantString("duration")
}
