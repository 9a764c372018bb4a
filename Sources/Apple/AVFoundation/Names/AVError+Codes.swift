// Shorthands for the codes, such as `AVError.decodeFailed`.

extension AVError {
    /// The cause is unknown.
    public static var unknown: Code { .unknown }
    /// Memory is exhausted.
    public static var outOfMemory: Code { .outOfMemory }
    /// The capture session is not running.
    public static var sessionNotRunning: Code { .sessionNotRunning }
    /// Another session uses the device.
    public static var deviceAlreadyUsedByAnotherSession: Code { .deviceAlreadyUsedByAnotherSession }
    /// The recording ended before anything was captured.
    public static var noDataCaptured: Code { .noDataCaptured }
    /// The session configuration changed during recording.
    public static var sessionConfigurationChanged: Code { .sessionConfigurationChanged }
    /// The disk is full.
    public static var diskFull: Code { .diskFull }
    /// The device was disconnected.
    public static var deviceWasDisconnected: Code { .deviceWasDisconnected }
    /// The format of the captured media changed.
    public static var mediaChanged: Code { .mediaChanged }
    /// The recording reached its maximum duration.
    public static var maximumDurationReached: Code { .maximumDurationReached }
    /// The file reached its maximum size.
    public static var maximumFileSizeReached: Code { .maximumFileSizeReached }
    /// The captured media has a gap.
    public static var mediaDiscontinuity: Code { .mediaDiscontinuity }
    /// The file format holds no more samples.
    public static var maximumNumberOfSamplesForFileFormatReached: Code {
        .maximumNumberOfSamplesForFileFormatReached
    }
    /// The device is not connected.
    public static var deviceNotConnected: Code { .deviceNotConnected }
    /// Another program uses the device.
    public static var deviceInUseByAnotherApplication: Code { .deviceInUseByAnotherApplication }
    /// Another process is setting the device up.
    public static var deviceLockedForConfigurationByAnotherProcess: Code {
        .deviceLockedForConfigurationByAnotherProcess
    }
    /// The session was interrupted.
    public static var sessionWasInterrupted: Code { .sessionWasInterrupted }
    /// The media services were reset; objects created before the reset are invalid.
    public static var mediaServicesWereReset: Code { .mediaServicesWereReset }
    /// The export failed.
    public static var exportFailed: Code { .exportFailed }
    /// The data could not be decoded.
    public static var decodeFailed: Code { .decodeFailed }
    /// The source media is invalid.
    public static var invalidSourceMedia: Code { .invalidSourceMedia }
    /// A file of that name already exists.
    public static var fileAlreadyExists: Code { .fileAlreadyExists }
    /// The segments of the composition have gaps.
    public static var compositionTrackSegmentsNotContiguous: Code { .compositionTrackSegmentsNotContiguous }
    /// A segment's length is not valid.
    public static var invalidCompositionTrackSegmentDuration: Code { .invalidCompositionTrackSegmentDuration }
    /// A segment's start in its source is not valid.
    public static var invalidCompositionTrackSegmentSourceStartTime: Code {
        .invalidCompositionTrackSegmentSourceStartTime
    }
    /// A segment's length in its source is not valid.
    public static var invalidCompositionTrackSegmentSourceDuration: Code {
        .invalidCompositionTrackSegmentSourceDuration
    }
    /// The file format is unknown.
    public static var fileFormatNotRecognized: Code { .fileFormatNotRecognized }
    /// The file is damaged or incomplete.
    public static var fileFailedToParse: Code { .fileFailedToParse }
    /// Too many still images are being captured.
    public static var maximumStillImageCaptureRequestsExceeded: Code {
        .maximumStillImageCaptureRequestsExceeded
    }
    /// The content is protected.
    public static var contentIsProtected: Code { .contentIsProtected }
    /// The asset has no image at that time.
    public static var noImageAtTime: Code { .noImageAtTime }
    /// No decoder supports the format.
    public static var decoderNotFound: Code { .decoderNotFound }
    /// No encoder supports the format.
    public static var encoderNotFound: Code { .encoderNotFound }
    /// The user is not authorized to play the content.
    public static var contentIsNotAuthorized: Code { .contentIsNotAuthorized }
    /// The program is not authorized for the operation.
    public static var applicationIsNotAuthorized: Code { .applicationIsNotAuthorized }
    /// The device cannot be used from the background.
    public static var deviceIsNotAvailableInBackground: Code { .deviceIsNotAvailableInBackground }
    /// The asset does not allow the operation.
    public static var operationNotSupportedForAsset: Code { .operationNotSupportedForAsset }
    /// The decoder is busy.
    public static var decoderTemporarilyUnavailable: Code { .decoderTemporarilyUnavailable }
    /// The encoder is busy.
    public static var encoderTemporarilyUnavailable: Code { .encoderTemporarilyUnavailable }
    /// The video composition is invalid.
    public static var invalidVideoComposition: Code { .invalidVideoComposition }
    /// The reference policy forbids a reference to another file.
    public static var referenceForbiddenByReferencePolicy: Code { .referenceForbiddenByReferencePolicy }
    /// The path extension of the output does not match its type.
    public static var invalidOutputURLPathExtension: Code { .invalidOutputURLPathExtension }
    /// The screen could not be captured.
    public static var screenCaptureFailed: Code { .screenCaptureFailed }
    /// The display was turned off.
    public static var displayWasDisabled: Code { .displayWasDisabled }
    /// The torch level is unavailable at the moment.
    public static var torchLevelUnavailable: Code { .torchLevelUnavailable }
    /// The operation was interrupted.
    public static var operationInterrupted: Code { .operationInterrupted }
    /// The asset cannot be played on this machine.
    public static var incompatibleAsset: Code { .incompatibleAsset }
    /// The media data could not be loaded.
    public static var failedToLoadMediaData: Code { .failedToLoadMediaData }
    /// The server sent an unexpected response.
    public static var serverIncorrectlyConfigured: Code { .serverIncorrectlyConfigured }
    /// The program is not authorized to use the device.
    public static var applicationIsNotAuthorizedToUseDevice: Code { .applicationIsNotAuthorizedToUseDevice }
    /// The data could not be parsed.
    public static var failedToParse: Code { .failedToParse }
    /// The file type does not support references to samples in other files.
    public static var fileTypeDoesNotSupportSampleReferences: Code { .fileTypeDoesNotSupportSampleReferences }
    /// The media data cannot be decoded.
    public static var undecodableMediaData: Code { .undecodableMediaData }
    /// The AirPlay sender requires Internet access.
    public static var airPlayControllerRequiresInternet: Code { .airPlayControllerRequiresInternet }
    /// The AirPlay receiver requires Internet access.
    public static var airPlayReceiverRequiresInternet: Code { .airPlayReceiverRequiresInternet }
    /// The video compositor failed.
    public static var videoCompositorFailed: Code { .videoCompositorFailed }
    /// A recording is already in progress.
    public static var recordingAlreadyInProgress: Code { .recordingAlreadyInProgress }
    /// The request for a content key could not be created.
    public static var createContentKeyRequestFailed: Code { .createContentKeyRequestFailed }
    /// The output settings are not supported.
    public static var unsupportedOutputSettings: Code { .unsupportedOutputSettings }
    /// The operation is not allowed now.
    public static var operationNotAllowed: Code { .operationNotAllowed }
    /// The content is unavailable.
    public static var contentIsUnavailable: Code { .contentIsUnavailable }
    /// The format is not supported.
    public static var formatUnsupported: Code { .formatUnsupported }
    /// The depth data is malformed.
    public static var malformedDepth: Code { .malformedDepth }
    /// The content was not updated in time.
    public static var contentNotUpdated: Code { .contentNotUpdated }
    /// The content is no longer playable.
    public static var noLongerPlayable: Code { .noLongerPlayable }
    /// No variant fits the external display.
    public static var noCompatibleAlternatesForExternalDisplay: Code {
        .noCompatibleAlternatesForExternalDisplay
    }
    /// The asset has no such track.
    public static var noSourceTrack: Code { .noSourceTrack }
    /// The asset does not support external playback.
    public static var externalPlaybackNotSupportedForAsset: Code { .externalPlaybackNotSupportedForAsset }
    /// The preset does not allow the operation.
    public static var operationNotSupportedForPreset: Code { .operationNotSupportedForPreset }
    /// The session exceeds the capacity of the hardware.
    public static var sessionHardwareCostOverage: Code { .sessionHardwareCostOverage }
    /// The device's format is not supported.
    public static var unsupportedDeviceActiveFormat: Code { .unsupportedDeviceActiveFormat }
    /// The object is configured incorrectly.
    public static var incorrectlyConfigured: Code { .incorrectlyConfigured }
    /// A segment begins with a sample that depends on an earlier sample.
    public static var segmentStartedWithNonSyncSample: Code { .segmentStartedWithNonSyncSample }
    /// Rosetta is not installed.
    public static var rosettaNotInstalled: Code { .rosettaNotInstalled }
    /// The operation was cancelled.
    public static var operationCancelled: Code { .operationCancelled }
    /// The request for a content key was cancelled.
    public static var contentKeyRequestCancelled: Code { .contentKeyRequestCancelled }
    /// The cursor points to no sample.
    public static var invalidSampleCursor: Code { .invalidSampleCursor }
    /// A sample's data could not be loaded.
    public static var failedToLoadSampleData: Code { .failedToLoadSampleData }
    /// The AirPlay receiver is busy.
    public static var airPlayReceiverTemporarilyUnavailable: Code { .airPlayReceiverTemporarilyUnavailable }
    /// The data could not be encoded.
    public static var encodeFailed: Code { .encodeFailed }
}
