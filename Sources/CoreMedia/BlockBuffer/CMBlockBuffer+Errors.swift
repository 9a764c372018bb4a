import Foundation

/// Success.
public let kCMBlockBufferNoErr: OSStatus = 0
/// No memory for the buffer's own structure.
public let kCMBlockBufferStructureAllocationFailedErr: OSStatus = -12700
/// No memory for a block of data.
public let kCMBlockBufferBlockAllocationFailedErr: OSStatus = -12701
/// A custom block source lacks the function that was needed.
public let kCMBlockBufferBadCustomBlockSourceErr: OSStatus = -12702
/// An offset lies outside.
public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12703
/// A length is negative or reaches outside.
public let kCMBlockBufferBadLengthParameterErr: OSStatus = -12704
/// A pointer or reference is missing.
public let kCMBlockBufferBadPointerParameterErr: OSStatus = -12705
/// The buffer is empty and must not be.
public let kCMBlockBufferEmptyBBufErr: OSStatus = -12706
/// A block has no memory yet.
public let kCMBlockBufferUnallocatedBlockErr: OSStatus = -12707
/// There is not enough room.
public let kCMBlockBufferInsufficientSpaceErr: OSStatus = -12708

/// Options of the block buffer calls.
public typealias CMBlockBufferFlags = UInt32

/// Allocate memory at once.
public let kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags = 1 << 0
/// Copy even where the data is contiguous already.
public let kCMBlockBufferAlwaysCopyDataFlag: CMBlockBufferFlags = 1 << 1
/// Keep references to references; without effect here.
public let kCMBlockBufferDontOptimizeDepthFlag: CMBlockBufferFlags = 1 << 2
/// Allow a reference to an empty buffer.
public let kCMBlockBufferPermitEmptyReferenceFlag: CMBlockBufferFlags = 1 << 3

extension CMBlockBuffer {
    /// Options of the initialisers and appending calls.
    public struct Flags: OptionSet, Hashable, Sendable {
        /// The bits, as the C functions take them.
        public let rawValue: CMBlockBufferFlags

        /// The flags of these bits; bits without a name are kept.
        public init(rawValue: CMBlockBufferFlags) { self.rawValue = rawValue }

        /// Allocate memory at once.
        public static let assureMemoryNow = Flags(rawValue: kCMBlockBufferAssureMemoryNowFlag)
        /// Copy even where the data is contiguous already.
        public static let alwaysCopyData = Flags(rawValue: kCMBlockBufferAlwaysCopyDataFlag)
        /// Keep references to references; without effect here.
        public static let dontOptimizeDepth = Flags(rawValue: kCMBlockBufferDontOptimizeDepthFlag)
        /// Allow a reference to an empty buffer.
        public static let permitEmptyReference = Flags(rawValue: kCMBlockBufferPermitEmptyReferenceFlag)
    }

    /// The errors that block buffers throw.
    public struct Error {
        /// No memory for the buffer's own structure.
        public static var structureAllocationFailed: NSError {
            statusError(kCMBlockBufferStructureAllocationFailedErr)
        }
        /// No memory for a block of data.
        public static var blockAllocationFailed: NSError {
            statusError(kCMBlockBufferBlockAllocationFailedErr)
        }
        /// A custom block source lacks the function that was needed.
        public static var badCustomBlockSource: NSError { statusError(kCMBlockBufferBadCustomBlockSourceErr) }
        /// An offset lies outside.
        public static var badOffsetParameter: NSError { statusError(kCMBlockBufferBadOffsetParameterErr) }
        /// A length is negative or reaches outside.
        public static var badLengthParameter: NSError { statusError(kCMBlockBufferBadLengthParameterErr) }
        /// A pointer or reference is missing.
        public static var badPointerParameter: NSError { statusError(kCMBlockBufferBadPointerParameterErr) }
        /// The buffer is empty and must not be.
        public static var emptyBlockBuffer: NSError { statusError(kCMBlockBufferEmptyBBufErr) }
        /// A block has no memory yet.
        public static var unallocatedBlock: NSError { statusError(kCMBlockBufferUnallocatedBlockErr) }
        /// There is not enough room.
        public static var insufficientSpace: NSError { statusError(kCMBlockBufferInsufficientSpaceErr) }
    }
}
