import Foundation

// Keys of attachments to a whole sample buffer. Their values are named in brackets.

/// Decoded sound to drop at the start (a time as a dictionary).
public var kCMSampleBufferAttachmentKey_TrimDurationAtStart: CFString { "TrimDurationAtStart" as NSString }
/// Decoded sound to drop at the end (a time as a dictionary).
public var kCMSampleBufferAttachmentKey_TrimDurationAtEnd: CFString { "TrimDurationAtEnd" as NSString }
/// How many times faster the samples are heard (a number, 1 without it).
public var kCMSampleBufferAttachmentKey_SpeedMultiplier: CFString { "SpeedMultiplier" as NSString }
/// Play the samples from the end to the start (a Boolean).
public var kCMSampleBufferAttachmentKey_Reverse: CFString { "Reverse" as NSString }
/// Play silence where times leave a gap (a Boolean).
public var kCMSampleBufferAttachmentKey_FillDiscontinuitiesWithSilence: CFString {
    "FillDiscontinuitiesWithSilence" as NSString
}
/// The buffer stands for a stretch without media (a Boolean).
public var kCMSampleBufferAttachmentKey_EmptyMedia: CFString { "EmptyMedia" as NSString }
/// No media follows (a Boolean).
public var kCMSampleBufferAttachmentKey_PermanentEmptyMedia: CFString { "PermanentEmptyMedia" as NSString }
/// Take everything out of the decoder after this buffer (a Boolean).
public var kCMSampleBufferAttachmentKey_DrainAfterDecoding: CFString { "DrainAfterDecoding" as NSString }
/// Forget what the decoder holds before this buffer (a Boolean).
public var kCMSampleBufferAttachmentKey_ResetDecoderBeforeDecoding: CFString {
    "ResetDecoderBeforeDecoding" as NSString
}
/// Post a notification when the buffer was used (a dictionary).
public var kCMSampleBufferAttachmentKey_PostNotificationWhenConsumed: CFString {
    "PostNotificationWhenConsumed" as NSString
}
/// Marks the change from one stretch of media to another (any object).
public var kCMSampleBufferAttachmentKey_TransitionID: CFString { "TransitionID" as NSString }
/// The sample before ends where this buffer begins (a Boolean).
public var kCMSampleBufferAttachmentKey_EndsPreviousSampleDuration: CFString {
    "EndsPreviousSampleDuration" as NSString
}

// Keys of attachments to single samples.

/// The sample cannot be decoded by itself (a Boolean).
public var kCMSampleAttachmentKey_NotSync: CFString { "NotSync" as NSString }
/// The sample needs others to be decoded (a Boolean).
public var kCMSampleAttachmentKey_DependsOnOthers: CFString { "DependsOnOthers" as NSString }
/// Show the sample at once (a Boolean).
public var kCMSampleAttachmentKey_DisplayImmediately: CFString { "DisplayImmediately" as NSString }
/// Decode the sample, but do not show it (a Boolean).
public var kCMSampleAttachmentKey_DoNotDisplay: CFString { "DoNotDisplay" as NSString }
