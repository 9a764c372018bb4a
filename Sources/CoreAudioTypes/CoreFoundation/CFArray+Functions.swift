import Foundation

// Arrays in the C spelling. An element's address is that of its object.

/// How many elements an array has; 0 if there is no array.
@discardableResult
public func CFArrayGetCount(_ theArray: CFArray!) -> CFIndex { theArray?.count ?? 0 }

/// The address of an element's object, which the array keeps; `nil` if the index is out of range.
///
/// The address stays right until the array changes or goes away. Give it to `unsafeBitCast(_:to:)` or to
/// `Unmanaged.fromOpaque(_:)`. Apple's function traps for an index out of range.
@discardableResult
public func CFArrayGetValueAtIndex(_ theArray: CFArray!, _ idx: CFIndex) -> UnsafeRawPointer! {
    guard let theArray, idx >= 0, idx < theArray.count else { return nil }
    return LentObjects.shared.address(of: theArray.object(at: idx), in: theArray, at: NSNumber(value: idx))
}

/// Whether an element in a range equals a value; a range that reaches beyond the array is clamped.
@discardableResult
public func CFArrayContainsValue(_ theArray: CFArray!, _ range: CFRange, _ value: UnsafeRawPointer!) -> Bool {
    CFArrayGetFirstIndexOfValue(theArray, range, value) != kCFNotFound
}

/// The first index in a range of an element that equals a value; ``kCFNotFound`` if there is none.
@discardableResult
public func CFArrayGetFirstIndexOfValue(
    _ theArray: CFArray!, _ range: CFRange, _ value: UnsafeRawPointer!
) -> CFIndex {
    guard let theArray, let value, range.length > 0 else { return kCFNotFound }
    let wanted = object(at: value)
    let end = range.location.addingReportingOverflow(range.length)
    let indices = max(0, range.location)..<max(0, range.location, end.overflow ? .max : end.partialValue)
    return indices.clamped(to: 0..<theArray.count).first { index in
        isEqual(theArray.object(at: index) as AnyObject, wanted)
    } ?? kCFNotFound
}

/// The index that says that there is none.
public let kCFNotFound: CFIndex = -1

/// The object that a caller's address stands for.
func object(at address: UnsafeRawPointer) -> AnyObject {
    Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
}

/// Whether two objects are equal in Foundation's sense.
func isEqual(_ left: AnyObject, _ right: AnyObject) -> Bool {
    left === right || (left as? NSObject)?.isEqual(right) ?? false
}
