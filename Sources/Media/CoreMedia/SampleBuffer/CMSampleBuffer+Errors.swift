import Foundation

/// Memory allocation failed.
public let kCMSampleBufferError_AllocationFailed: OSStatus = -12730
/// A required parameter is missing.
public let kCMSampleBufferError_RequiredParameterMissing: OSStatus = -12731
/// The buffer already has data.
public let kCMSampleBufferError_AlreadyHasDataBuffer: OSStatus = -12732
/// The data is not ready and cannot be made ready.
public let kCMSampleBufferError_BufferNotReady: OSStatus = -12733
/// No sample has this index.
public let kCMSampleBufferError_SampleIndexOutOfRange: OSStatus = -12734
/// The sizes of the samples are unknown.
public let kCMSampleBufferError_BufferHasNoSampleSizes: OSStatus = -12735
/// The times of the samples are unknown.
public let kCMSampleBufferError_BufferHasNoSampleTimingInfo: OSStatus = -12736
/// The caller's memory is too small.
public let kCMSampleBufferError_ArrayTooSmall: OSStatus = -12737
/// The number of timing or size entries is not zero, one or the number of samples.
public let kCMSampleBufferError_InvalidEntryCount: OSStatus = -12738
/// The data cannot be split because the sizes of the samples are unknown.
public let kCMSampleBufferError_CannotSubdivide: OSStatus = -12739
/// The times are invalid.
public let kCMSampleBufferError_SampleTimingInfoInvalid: OSStatus = -12740
/// The call does not apply to this kind of media.
public let kCMSampleBufferError_InvalidMediaTypeForOperation: OSStatus = -12741
/// The data does not match the sizes.
public let kCMSampleBufferError_InvalidSampleData: OSStatus = -12742
/// The format does not suit the call.
public let kCMSampleBufferError_InvalidMediaFormat: OSStatus = -12743
/// The buffer was invalidated.
public let kCMSampleBufferError_Invalidated: OSStatus = -12744
/// Making the data ready failed.
public let kCMSampleBufferError_DataFailed: OSStatus = -16750
/// Making the data ready was cancelled.
public let kCMSampleBufferError_DataCanceled: OSStatus = -16751

extension CMSampleBuffer {
    /// The errors that sample buffers throw.
    public struct Error {
        /// Memory allocation failed.
        public static var allocationFailed: NSError { statusError(kCMSampleBufferError_AllocationFailed) }
        /// A required parameter is missing.
        public static var requiredParameterMissing: NSError {
            statusError(kCMSampleBufferError_RequiredParameterMissing)
        }
        /// The buffer already has data.
        public static var alreadyHasDataBuffer: NSError {
            statusError(kCMSampleBufferError_AlreadyHasDataBuffer)
        }
        /// The data is not ready and cannot be made ready.
        public static var bufferNotReady: NSError { statusError(kCMSampleBufferError_BufferNotReady) }
        /// No sample has this index.
        public static var sampleIndexOutOfRange: NSError {
            statusError(kCMSampleBufferError_SampleIndexOutOfRange)
        }
        /// The sizes of the samples are unknown.
        public static var bufferHasNoSampleSizes: NSError {
            statusError(kCMSampleBufferError_BufferHasNoSampleSizes)
        }
        /// The times of the samples are unknown.
        public static var bufferHasNoSampleTimingInfo: NSError {
            statusError(kCMSampleBufferError_BufferHasNoSampleTimingInfo)
        }
        /// The caller's memory is too small.
        public static var arrayTooSmall: NSError { statusError(kCMSampleBufferError_ArrayTooSmall) }
        /// The number of entries is not zero, one or the number of samples.
        public static var invalidEntryCount: NSError { statusError(kCMSampleBufferError_InvalidEntryCount) }
        /// The data cannot be split because the sizes of the samples are unknown.
        public static var cannotSubdivide: NSError { statusError(kCMSampleBufferError_CannotSubdivide) }
        /// The times are invalid.
        public static var sampleTimingInfoInvalid: NSError {
            statusError(kCMSampleBufferError_SampleTimingInfoInvalid)
        }
        /// The call does not apply to this kind of media.
        public static var invalidMediaTypeForOperation: NSError {
            statusError(kCMSampleBufferError_InvalidMediaTypeForOperation)
        }
        /// The data does not match the sizes.
        public static var invalidSampleData: NSError { statusError(kCMSampleBufferError_InvalidSampleData) }
        /// The format does not suit the call.
        public static var invalidMediaFormat: NSError { statusError(kCMSampleBufferError_InvalidMediaFormat) }
        /// The buffer was invalidated.
        public static var invalidated: NSError { statusError(kCMSampleBufferError_Invalidated) }
        /// Making the data ready failed.
        public static var dataFailed: NSError { statusError(kCMSampleBufferError_DataFailed) }
        /// Making the data ready was cancelled.
        public static var dataCanceled: NSError { statusError(kCMSampleBufferError_DataCanceled) }
    }
}
