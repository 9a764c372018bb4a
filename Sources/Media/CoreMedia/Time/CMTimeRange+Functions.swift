import Foundation

// The C functions of CMTimeRange and CMTimeMapping.

/// Returns the range with this start and length.
@discardableResult
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, duration: duration)
}

/// Returns the range from `start` up to `end`, which is excluded.
@discardableResult
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, end: end)
}

/// Returns the end of the range, which is excluded.
@discardableResult
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }

/// Returns whether both ranges have the same start and length.
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

/// Returns the range as a dictionary that holds the dictionaries of its two times.
@discardableResult
public func CMTimeRangeCopyAsDictionary(_ range: CMTimeRange, allocator: CFAllocator?) -> CFDictionary? {
    guard let start = CMTimeCopyAsDictionary(range.start, allocator: allocator),
        let duration = CMTimeCopyAsDictionary(range.duration, allocator: allocator)
    else { return nil }
    return ["start": start, "duration": duration] as NSDictionary
}

/// Returns the range that a dictionary describes; invalid if a part is missing.
@discardableResult
public func CMTimeRangeMakeFromDictionary(_ dictionary: CFDictionary?) -> CMTimeRange {
    CMTimeRange(
        start: CMTimeMakeFromDictionary(dictionary?.object(forKey: "start" as NSString) as? NSDictionary),
        duration: CMTimeMakeFromDictionary(
            dictionary?.object(forKey: "duration" as NSString) as? NSDictionary))
}

/// Returns the range as text.
@discardableResult
public func CMTimeRangeCopyDescription(allocator: CFAllocator?, range: CMTimeRange) -> CFString? {
    "{\(range.start.text), \(range.duration.text)}" as NSString
}

/// Writes the range as text to standard error.
public func CMTimeRangeShow(_ range: CMTimeRange) {
    showInWords("{\(range.start.text), \(range.duration.text)}")
}

/// Returns the mapping of `source` onto `target`.
@discardableResult
public func CMTimeMappingMake(source: CMTimeRange, target: CMTimeRange) -> CMTimeMapping {
    CMTimeMapping(source: source, target: target)
}

/// Returns an empty edit with the length of `target`.
@discardableResult
public func CMTimeMappingMakeEmpty(target: CMTimeRange) -> CMTimeMapping {
    CMTimeMapping(source: .invalid, target: target)
}

/// Returns whether the range is valid.
@discardableResult
public func CMTIMERANGE_IS_VALID(_ range: CMTimeRange) -> Bool { range.isValid }
/// Returns whether the range is invalid.
@discardableResult
public func CMTIMERANGE_IS_INVALID(_ range: CMTimeRange) -> Bool { !range.isValid }
/// Returns whether a part of the range is indefinite.
@discardableResult
public func CMTIMERANGE_IS_INDEFINITE(_ range: CMTimeRange) -> Bool { range.isIndefinite }
/// Returns whether the range has no length.
@discardableResult
public func CMTIMERANGE_IS_EMPTY(_ range: CMTimeRange) -> Bool { range.isEmpty }

/// String objects with stable addresses, because C callers keep pointers to the keys.
private enum Keys {
    static let rangeStartKey = ConstantString("start")
    static let rangeDurationKey = ConstantString("duration")
}
