import Foundation

// Array functions in C spelling. An element's address is the address of its object.

/// Returns the number of elements in an array; 0 if there is no array.
@discardableResult
public func CFArrayGetCount(_ theArray: CFArray!) -> CFIndex { theArray?.count ?? 0 }

/// Returns the address of an element's object, which the array keeps; `nil` if the index is out of range.
///
/// The address is valid until the array changes or is released. Pass the address to `unsafeBitCast(_:to:)` or
/// to `Unmanaged.fromOpaque(_:)`. Apple's function traps for an index out of range.
@discardableResult
public func CFArrayGetValueAtIndex(_ theArray: CFArray!, _ idx: CFIndex) -> UnsafeRawPointer! {
    guard let theArray, idx >= 0, idx < theArray.count else { return nil }
    return LentObjects.shared.address(of: theArray.object(at: idx), in: theArray, at: NSNumber(value: idx))
}

/// Returns whether an element in a range equals a value; clamps the range to the array.
@discardableResult
public func CFArrayContainsValue(_ theArray: CFArray!, _ range: CFRange, _ value: UnsafeRawPointer!) -> Bool {
    CFArrayGetFirstIndexOfValue(theArray, range, value) != kCFNotFound
}

/// Returns the first index in a range whose element equals a value; ``kCFNotFound`` if there is none.
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

/// The index that stands for no element.
public let kCFNotFound: CFIndex = -1

/// Returns the object at a caller's address.
func object(at address: UnsafeRawPointer) -> AnyObject {
    Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
}

/// Returns whether two objects are equal in Foundation's sense.
func isEqual(_ left: AnyObject, _ right: AnyObject) -> Bool {
    left === right || (left as? NSObject)?.isEqual(right) ?? false
}
