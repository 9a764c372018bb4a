import Foundation

// Keys of attachments to a whole sample buffer, with the type of the value in parentheses.

/// Decoded sound to trim at the start (a time as a dictionary).
public var kCMSampleBufferAttachmentKey_TrimDurationAtStart: CFString { Keys.trimDurationAtStart.string }
/// Decoded sound to trim at the end (a time as a dictionary).
public var kCMSampleBufferAttachmentKey_TrimDurationAtEnd: CFString { Keys.trimDurationAtEnd.string }
/// The playback speed of the samples (a number; 1 if missing).
public var kCMSampleBufferAttachmentKey_SpeedMultiplier: CFString { Keys.speedMultiplier.string }
/// Plays the samples in reverse (a Boolean).
public var kCMSampleBufferAttachmentKey_Reverse: CFString { Keys.reverse.string }
/// Plays silence where the times leave a gap (a Boolean).
public var kCMSampleBufferAttachmentKey_FillDiscontinuitiesWithSilence: CFString {
    Keys.fillDiscontinuitiesWithSilence.string
}
/// Marks a range without media (a Boolean).
public var kCMSampleBufferAttachmentKey_EmptyMedia: CFString { Keys.emptyMedia.string }
/// Signals that no media follows (a Boolean).
public var kCMSampleBufferAttachmentKey_PermanentEmptyMedia: CFString { Keys.permanentEmptyMedia.string }
/// Drains the decoder after this buffer (a Boolean).
public var kCMSampleBufferAttachmentKey_DrainAfterDecoding: CFString { Keys.drainAfterDecoding.string }
/// Resets the decoder before this buffer (a Boolean).
public var kCMSampleBufferAttachmentKey_ResetDecoderBeforeDecoding: CFString {
    Keys.resetDecoderBeforeDecoding.string
}
/// Posts a notification when the buffer is consumed (a dictionary).
public var kCMSampleBufferAttachmentKey_PostNotificationWhenConsumed: CFString {
    Keys.postNotificationWhenConsumed.string
}
/// Marks the transition from one range of media to another (any object).
public var kCMSampleBufferAttachmentKey_TransitionID: CFString { Keys.transitionID.string }
/// Ends the previous sample where this buffer begins (a Boolean).
public var kCMSampleBufferAttachmentKey_EndsPreviousSampleDuration: CFString {
    Keys.endsPreviousSampleDuration.string
}

// Keys of attachments to single samples.

/// The sample cannot be decoded on its own (a Boolean).
public var kCMSampleAttachmentKey_NotSync: CFString { Keys.notSync.string }
/// The sample depends on other samples for decoding (a Boolean).
public var kCMSampleAttachmentKey_DependsOnOthers: CFString { Keys.dependsOnOthers.string }
/// Shows the sample immediately (a Boolean).
public var kCMSampleAttachmentKey_DisplayImmediately: CFString { Keys.displayImmediately.string }
/// Decodes the sample without showing it (a Boolean).
public var kCMSampleAttachmentKey_DoNotDisplay: CFString { Keys.doNotDisplay.string }

/// String objects with stable addresses, because C callers keep pointers to the keys.
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
