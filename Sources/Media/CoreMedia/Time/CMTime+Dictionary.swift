import Foundation

/// The key of a time's numerator in its dictionary form.
public var kCMTimeValueKey: CFString { Keys.valueKey.string }
/// The key of a time's timescale in its dictionary form.
public var kCMTimeScaleKey: CFString { Keys.scaleKey.string }
/// The key of a time's epoch in its dictionary form.
public var kCMTimeEpochKey: CFString { Keys.epochKey.string }
/// The key of a time's flags in its dictionary form.
public var kCMTimeFlagsKey: CFString { Keys.flagsKey.string }

/// Returns the time as a dictionary of its four fields, the form that attachments hold.
@discardableResult
public func CMTimeCopyAsDictionary(_ time: CMTime, allocator: CFAllocator?) -> CFDictionary? {
    let fields: [String: Any] = [
        "value": NSNumber(value: time.value), "timescale": NSNumber(value: time.timescale),
        "epoch": NSNumber(value: time.epoch), "flags": NSNumber(value: time.flags.rawValue),
    ]
    return fields as NSDictionary
}

/// Returns the time that a dictionary describes; invalid if a field is missing or is not a number.
@discardableResult
public func CMTimeMakeFromDictionary(_ dictionary: CFDictionary?) -> CMTime {
    guard let dictionary,
        let value = number(for: "value", in: dictionary),
        let scale = number(for: "timescale", in: dictionary),
        let epoch = number(for: "epoch", in: dictionary), let flags = number(for: "flags", in: dictionary)
    else { return .invalid }
    return CMTime(
        value: value.int64Value, timescale: scale.int32Value,
        flags: CMTimeFlags(rawValue: flags.uint32Value), epoch: epoch.int64Value)
}

private func number(for key: String, in dictionary: NSDictionary) -> NSNumber? {
    guard let value = dictionary.object(forKey: key as NSString) else { return nil }
    return (value as? NSNumber) ?? (value as? Int).map { NSNumber(value: $0) }
}

/// Returns the time as text, such as `{1/2 = 0.500}` or `{INDEFINITE}`.
@discardableResult
public func CMTimeCopyDescription(allocator: CFAllocator?, time: CMTime) -> CFString? {
    time.text as NSString
}

/// Writes the time as text to standard error.
public func CMTimeShow(_ time: CMTime) { showInWords(time.text) }

func showInWords(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

extension CMTime {
    var text: String {
        switch kind {
        case .invalid: return "{INVALID}"
        case .indefinite: return "{INDEFINITE}"
        case .positiveInfinity: return "{+INFINITY}"
        case .negativeInfinity: return "{-INFINITY}"
        case .number:
            let seconds = String(format: "%.3f", seconds)
            return "{\(value)/\(timescale) = \(seconds)\(hasBeenRounded ? ", rounded" : "")}"
        }
    }
}

/// String objects with stable addresses, because C callers keep pointers to the keys.
private enum Keys {
    static let valueKey = ConstantString("value")
    static let scaleKey = ConstantString("timescale")
    static let epochKey = ConstantString("epoch")
    static let flagsKey = ConstantString("flags")
}
