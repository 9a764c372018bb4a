// Names that apps use along with CoreMedia and that Foundation on Linux lacks.

/// The result code of a C-style call: zero is success.
public typealias OSStatus = Int32

/// Four characters in one number, with the first in the highest byte.
public typealias FourCharCode = UInt32

/// A four-character type code.
public typealias OSType = FourCharCode

/// The success value of an ``OSStatus``.
public let noErr: OSStatus = 0

/// Nanoseconds in a second.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
/// Nanoseconds in a millisecond.
public let NSEC_PER_MSEC: UInt64 = 1_000_000
/// Nanoseconds in a microsecond.
public let NSEC_PER_USEC: UInt64 = 1000
/// Microseconds in a second.
public let USEC_PER_SEC: UInt64 = 1_000_000

/// A dispatch queue, in C spelling.
public typealias dispatch_queue_t = DispatchQueue

/// A place where a call stores an error, in the Objective-C style.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// Calls `body`. Linux has no autorelease pools; code that uses a pool still compiles.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

/// Returns the host clock's reading in seconds.
@discardableResult
public func CACurrentMediaTime() -> CFTimeInterval {
    Double(hostNanoseconds()) / 1_000_000_000
}

/// Returns the host clock's reading in its own unit, which is the nanosecond here.
@discardableResult
public func mach_absolute_time() -> UInt64 { UInt64(max(0, hostNanoseconds())) }

extension FourCharCode {
    /// Creates the code of four ASCII characters.
    package init(fourCharacters text: StaticString) {
        precondition(text.utf8CodeUnitCount == 4, "a four-character code has four characters")
        self = text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | FourCharCode($1) } }
    }
}
