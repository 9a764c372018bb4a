// Names that apps use beside CoreMedia and that Foundation on Linux does not have.

/// A result code of a C-style call: zero is success.
public typealias OSStatus = Int32

/// Four characters in one number, the first in the highest byte.
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

/// A dispatch queue, in its C spelling.
public typealias dispatch_queue_t = DispatchQueue

/// Where a call stores an error, in the Objective-C style.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// Calls `body`. Linux has no autorelease pools; this keeps code with one compiling.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

/// The host clock in seconds.
@discardableResult
public func CACurrentMediaTime() -> CFTimeInterval {
    Double(hostNanoseconds()) / 1_000_000_000
}

/// The host clock in its own units, which are nanoseconds here.
@discardableResult
public func mach_absolute_time() -> UInt64 { UInt64(max(0, hostNanoseconds())) }

extension FourCharCode {
    /// The code that four ASCII characters stand for.
    package init(fourCharacters text: StaticString) {
        precondition(text.utf8CodeUnitCount == 4, "a four-character code has four characters")
        self = text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | FourCharCode($1) } }
    }
}
