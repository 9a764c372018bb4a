import Foundation

/// Success.
public let kCMBlockBufferNoErr: OSStatus = 0
/// Memory for the buffer's own structure could not be allocated.
public let kCMBlockBufferStructureAllocationFailedErr: OSStatus = -12700
/// Memory for a data block could not be allocated.
public let kCMBlockBufferBlockAllocationFailedErr: OSStatus = -12701
/// The custom block source lacks a function that the call needs.
public let kCMBlockBufferBadCustomBlockSourceErr: OSStatus = -12702
/// An offset is out of range.
public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12703
/// A length is negative or reaches past the end.
public let kCMBlockBufferBadLengthParameterErr: OSStatus = -12704
/// A required pointer or reference is missing.
public let kCMBlockBufferBadPointerParameterErr: OSStatus = -12705
/// The buffer is empty where the call needs data.
public let kCMBlockBufferEmptyBBufErr: OSStatus = -12706
/// A block has no memory yet.
public let kCMBlockBufferUnallocatedBlockErr: OSStatus = -12707
/// The destination is too small.
public let kCMBlockBufferInsufficientSpaceErr: OSStatus = -12708

/// Options for the block buffer functions.
public typealias CMBlockBufferFlags = UInt32

/// Allocates memory immediately.
public let kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags = 1 << 0
/// Copies even data that is already contiguous.
public let kCMBlockBufferAlwaysCopyDataFlag: CMBlockBufferFlags = 1 << 1
/// Keeps references to references; has no effect here.
public let kCMBlockBufferDontOptimizeDepthFlag: CMBlockBufferFlags = 1 << 2
/// Permits a reference to an empty buffer.
public let kCMBlockBufferPermitEmptyReferenceFlag: CMBlockBufferFlags = 1 << 3

extension CMBlockBuffer {
    /// Options for the initialisers and append methods.
    public struct Flags: OptionSet, Hashable, Sendable {
        /// The raw bits, in the form of the C functions.
        public let rawValue: CMBlockBufferFlags

        /// Creates flags from their bits; unnamed bits are kept.
        public init(rawValue: CMBlockBufferFlags) { self.rawValue = rawValue }

        /// Allocates memory immediately.
        public static let assureMemoryNow = Flags(rawValue: kCMBlockBufferAssureMemoryNowFlag)
        /// Copies even data that is already contiguous.
        public static let alwaysCopyData = Flags(rawValue: kCMBlockBufferAlwaysCopyDataFlag)
        /// Keeps references to references; has no effect here.
        public static let dontOptimizeDepth = Flags(rawValue: kCMBlockBufferDontOptimizeDepthFlag)
        /// Permits a reference to an empty buffer.
        public static let permitEmptyReference = Flags(rawValue: kCMBlockBufferPermitEmptyReferenceFlag)
    }

    /// The errors that block buffers throw.
    public struct Error {
        /// Memory for the buffer's own structure could not be allocated.
        public static var structureAllocationFailed: NSError {
            statusError(kCMBlockBufferStructureAllocationFailedErr)
        }
        /// Memory for a data block could not be allocated.
        public static var blockAllocationFailed: NSError {
            statusError(kCMBlockBufferBlockAllocationFailedErr)
        }
        /// The custom block source lacks a function that the call needs.
        public static var badCustomBlockSource: NSError { statusError(kCMBlockBufferBadCustomBlockSourceErr) }
        /// An offset is out of range.
        public static var badOffsetParameter: NSError { statusError(kCMBlockBufferBadOffsetParameterErr) }
        /// A length is negative or reaches past the end.
        public static var badLengthParameter: NSError { statusError(kCMBlockBufferBadLengthParameterErr) }
        /// A required pointer or reference is missing.
        public static var badPointerParameter: NSError { statusError(kCMBlockBufferBadPointerParameterErr) }
        /// The buffer is empty where the call needs data.
        public static var emptyBlockBuffer: NSError { statusError(kCMBlockBufferEmptyBBufErr) }
        /// A block has no memory yet.
        public static var unallocatedBlock: NSError { statusError(kCMBlockBufferUnallocatedBlockErr) }
        /// The destination is too small.
        public static var insufficientSpace: NSError { statusError(kCMBlockBufferInsufficientSpaceErr) }
    }
}
