import Foundation

// Keys of attachments to a whole sample buffer. Their values are named in brackets.

/// Decoded sound to drop at the start (a time as a dictionary).
public var kCMSampleBufferAttachmentKey_TrimDurationAtStart: CFString { Keys.trimDurationAtStart.string }
/// Decoded sound to drop at the end (a time as a dictionary).
public var kCMSampleBufferAttachmentKey_TrimDurationAtEnd: CFString { Keys.trimDurationAtEnd.string }
/// How many times faster the samples are heard (a number, 1 without it).
public var kCMSampleBufferAttachmentKey_SpeedMultiplier: CFString { Keys.speedMultiplier.string }
/// Play the samples from the end to the start (a Boolean).
public var kCMSampleBufferAttachmentKey_Reverse: CFString { Keys.reverse.string }
/// Play silence where times leave a gap (a Boolean).
public var kCMSampleBufferAttachmentKey_FillDiscontinuitiesWithSilence: CFString {
    Keys.fillDiscontinuitiesWithSilence.string
}
/// The buffer stands for a stretch without media (a Boolean).
public var kCMSampleBufferAttachmentKey_EmptyMedia: CFString { Keys.emptyMedia.string }
/// No media follows (a Boolean).
public var kCMSampleBufferAttachmentKey_PermanentEmptyMedia: CFString { Keys.permanentEmptyMedia.string }
/// Take everything out of the decoder after this buffer (a Boolean).
public var kCMSampleBufferAttachmentKey_DrainAfterDecoding: CFString { Keys.drainAfterDecoding.string }
/// Forget what the decoder holds before this buffer (a Boolean).
public var kCMSampleBufferAttachmentKey_ResetDecoderBeforeDecoding: CFString {
    Keys.resetDecoderBeforeDecoding.string
}
/// Post a notification when the buffer was used (a dictionary).
public var kCMSampleBufferAttachmentKey_PostNotificationWhenConsumed: CFString {
    Keys.postNotificationWhenConsumed.string
}
/// Marks the change from one stretch of media to another (any object).
public var kCMSampleBufferAttachmentKey_TransitionID: CFString { Keys.transitionID.string }
/// The sample before ends where this buffer begins (a Boolean).
public var kCMSampleBufferAttachmentKey_EndsPreviousSampleDuration: CFString {
    Keys.endsPreviousSampleDuration.string
}

// Keys of attachments to single samples.

/// The sample cannot be decoded by itself (a Boolean).
public var kCMSampleAttachmentKey_NotSync: CFString { Keys.notSync.string }
/// The sample needs others to be decoded (a Boolean).
public var kCMSampleAttachmentKey_DependsOnOthers: CFString { Keys.dependsOnOthers.string }
/// Show the sample at once (a Boolean).
public var kCMSampleAttachmentKey_DisplayImmediately: CFString { Keys.displayImmediately.string }
/// Decode the sample, but do not show it (a Boolean).
public var kCMSampleAttachmentKey_DoNotDisplay: CFString { Keys.doNotDisplay.string }

/// The keys as objects that stay where they are, as C callers hold their addresses.
private enum Keys {
    static let trimDurationAtStart = ConstantString("TrimDurationAtStart")
    static let trimDurationAtEnd = ConstantString("TrimDurationAtEnd")
    static let speedMultiplier = ConstantString("SpeedMultiplier")
    static let reverse = ConstantString("Reverse")
    static let fillDiscontinuitiesWithSilence = ConstantString("FillDiscontinuitiesWithSilence")
    static let emptyMedia = ConstantString("EmptyMedia")
    static let permanentEmptyMedia = ConstantString("PermanentEmptyMedia")
    static let drainAfterDecoding = ConstantString("DrainAfterDecoding")
    static let resetDecoderBeforeDecoding = ConstantString("ResetDecoderBeforeDecoding")
    static let postNotificationWhenConsumed = ConstantString("PostNotificationWhenConsumed")
    static let transitionID = ConstantString("TransitionID")
    static let endsPreviousSampleDuration = ConstantString("EndsPreviousSampleDuration")
    static let notSync = ConstantString("NotSync")
    static let dependsOnOthers = ConstantString("DependsOnOthers")
    static let displayImmediately = ConstantString("DisplayImmediately")
    static let doNotDisplay = ConstantString("DoNotDisplay")
}
