// Core Foundation names, as the Foundation classes that they bridge to on Apple's platforms.
// Only these aliases make `"x" as CFString` and `[:] as CFDictionary` compile here.

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
/// A length of time in seconds.
public typealias CFTimeInterval = Double

/// The true object.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
/// The false object.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)

/// A range of positions.
public struct CFRange: Hashable, Sendable {
    /// The first position.
    public var location: CFIndex
    /// How many positions follow, the first included.
    public var length: CFIndex

    /// An empty range at zero.
    public init() { self.init(location: 0, length: 0) }

    /// A range of `length` positions from `location` on.
    public init(location: CFIndex, length: CFIndex) {
        self.location = location
        self.length = length
    }
}

/// Makes a range, in its C spelling.
@discardableResult
public func CFRangeMake(_ location: CFIndex, _ length: CFIndex) -> CFRange {
    CFRange(location: location, length: length)
}

/// Says who owns memory that is handed over: freed with `free`, or left alone.
///
/// Allocators other than the three constants do not exist here.
public final class CFAllocator: Sendable {
    package let freesMemory: Bool

    fileprivate init(freesMemory: Bool) { self.freesMemory = freesMemory }
}

/// Memory from `malloc`, given back with `free`.
public let kCFAllocatorDefault: CFAllocator! = CFAllocator(freesMemory: true)
/// Memory from `malloc`, given back with `free`.
public let kCFAllocatorMalloc: CFAllocator! = CFAllocator(freesMemory: true)
/// Memory that stays its owner's and is never freed.
public let kCFAllocatorNull: CFAllocator! = CFAllocator(freesMemory: false)
