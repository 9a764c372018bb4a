// Core Foundation names as aliases of the Foundation classes that they bridge to on Apple's platforms. Only
// aliases make `"x" as CFString` and `[:] as CFDictionary` compile here.

/// A string object.
public typealias CFString = NSString
/// A dictionary object.
public typealias CFDictionary = NSDictionary
/// A dictionary object that can change.
public typealias CFMutableDictionary = NSMutableDictionary
/// An array object.
public typealias CFArray = NSArray
/// A number object.
public typealias CFNumber = NSNumber
/// A Boolean object.
public typealias CFBoolean = NSNumber
/// A data object.
public typealias CFData = NSData
/// Any object.
public typealias CFTypeRef = AnyObject
/// A string, number, date, data, array or dictionary object.
public typealias CFPropertyList = AnyObject
/// A count or position.
public typealias CFIndex = Int
/// A time interval in seconds.
public typealias CFTimeInterval = Double

/// The true object.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
/// The false object.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)

/// A range of positions.
public struct CFRange: Hashable, Sendable {
    /// The first position.
    public var location: CFIndex
    /// The number of positions.
    public var length: CFIndex

    /// Creates an empty range at zero.
    public init() { self.init(location: 0, length: 0) }

    /// Creates a range of `length` positions from `location` on.
    public init(location: CFIndex, length: CFIndex) {
        self.location = location
        self.length = length
    }
}

/// Creates a range, in C spelling.
@discardableResult
public func CFRangeMake(_ location: CFIndex, _ length: CFIndex) -> CFRange {
    CFRange(location: location, length: length)
}

/// An ownership rule for memory that is handed over: freed with `free`, or left alone.
///
/// The three constants are the only allocators here.
public final class CFAllocator: Sendable {
    /// Whether `free` releases the memory.
    package let freesMemory: Bool

    fileprivate init(freesMemory: Bool) { self.freesMemory = freesMemory }
}

/// Memory from `malloc`, freed with `free`.
public let kCFAllocatorDefault: CFAllocator! = CFAllocator(freesMemory: true)
/// Memory from `malloc`, freed with `free`.
public let kCFAllocatorMalloc: CFAllocator! = CFAllocator(freesMemory: true)
/// Memory that stays with its owner and is never freed.
public let kCFAllocatorNull: CFAllocator! = CFAllocator(freesMemory: false)
