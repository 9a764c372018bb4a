// The codes, as `AVError.decodeFailed`.

extension AVError {
    /// Nothing closer is known.
    public static var unknown: Code { .unknown }
    /// There is not enough memory.
    public static var outOfMemory: Code { .outOfMemory }
    /// The capture session does not run.
    public static var sessionNotRunning: Code { .sessionNotRunning }
    /// Another session uses the device.
    public static var deviceAlreadyUsedByAnotherSession: Code { .deviceAlreadyUsedByAnotherSession }
    /// The recording ended before anything was captured.
    public static var noDataCaptured: Code { .noDataCaptured }
    /// The session was set up anew while it recorded.
    public static var sessionConfigurationChanged: Code { .sessionConfigurationChanged }
    /// The disk is full.
    public static var diskFull: Code { .diskFull }
    /// The device went away.
    public static var deviceWasDisconnected: Code { .deviceWasDisconnected }
    /// The format of what came in changed.
    public static var mediaChanged: Code { .mediaChanged }
    /// The recording is as long as it may be.
    public static var maximumDurationReached: Code { .maximumDurationReached }
    /// The file is as large as it may be.
    public static var maximumFileSizeReached: Code { .maximumFileSizeReached }
    /// There is a hole in what came in.
    public static var mediaDiscontinuity: Code { .mediaDiscontinuity }
    /// The file format holds no more samples.
    public static var maximumNumberOfSamplesForFileFormatReached: Code {
        .maximumNumberOfSamplesForFileFormatReached
    }
    /// The device is not there.
    public static var deviceNotConnected: Code { .deviceNotConnected }
    /// Another program uses the device.
    public static var deviceInUseByAnotherApplication: Code { .deviceInUseByAnotherApplication }
    /// Another process is setting the device up.
    public static var deviceLockedForConfigurationByAnotherProcess: Code {
        .deviceLockedForConfigurationByAnotherProcess
    }
    /// The session was interrupted.
    public static var sessionWasInterrupted: Code { .sessionWasInterrupted }
    /// The sound service started anew; everything made before is void.
    public static var mediaServicesWereReset: Code { .mediaServicesWereReset }
    /// The export failed.
    public static var exportFailed: Code { .exportFailed }
    /// The data could not be decoded.
    public static var decodeFailed: Code { .decodeFailed }
    /// The source is not in order.
    public static var invalidSourceMedia: Code { .invalidSourceMedia }
    /// There is a file of that name already.
    public static var fileAlreadyExists: Code { .fileAlreadyExists }
    /// There is a hole between the segments.
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
    /// The file is of no known format.
    public static var fileFormatNotRecognized: Code { .fileFormatNotRecognized }
    /// The file is damaged or incomplete.
    public static var fileFailedToParse: Code { .fileFailedToParse }
    /// Too many still images are being captured.
    public static var maximumStillImageCaptureRequestsExceeded: Code {
        .maximumStillImageCaptureRequestsExceeded
    }
    /// The content is protected.
    public static var contentIsProtected: Code { .contentIsProtected }
    /// There is no image at that time.
    public static var noImageAtTime: Code { .noImageAtTime }
    /// There is no decoder for the format.
    public static var decoderNotFound: Code { .decoderNotFound }
    /// There is no encoder for the format.
    public static var encoderNotFound: Code { .encoderNotFound }
    /// The user may not play the content.
    public static var contentIsNotAuthorized: Code { .contentIsNotAuthorized }
    /// The program may not do this.
    public static var applicationIsNotAuthorized: Code { .applicationIsNotAuthorized }
    /// The device cannot be used from the background.
    public static var deviceIsNotAvailableInBackground: Code { .deviceIsNotAvailableInBackground }
    /// The asset does not allow the operation.
    public static var operationNotSupportedForAsset: Code { .operationNotSupportedForAsset }
    /// The decoder is busy.
    public static var decoderTemporarilyUnavailable: Code { .decoderTemporarilyUnavailable }
    /// The encoder is busy.
    public static var encoderTemporarilyUnavailable: Code { .encoderTemporarilyUnavailable }
    /// The video composition is not in order.
    public static var invalidVideoComposition: Code { .invalidVideoComposition }
    /// The file names another one that it may not name.
    public static var referenceForbiddenByReferencePolicy: Code { .referenceForbiddenByReferencePolicy }
    /// The output's path extension does not fit its type.
    public static var invalidOutputURLPathExtension: Code { .invalidOutputURLPathExtension }
    /// The screen could not be captured.
    public static var screenCaptureFailed: Code { .screenCaptureFailed }
    /// The display was switched off.
    public static var displayWasDisabled: Code { .displayWasDisabled }
    /// The torch cannot be that bright now.
    public static var torchLevelUnavailable: Code { .torchLevelUnavailable }
    /// The operation was interrupted.
    public static var operationInterrupted: Code { .operationInterrupted }
    /// The asset cannot be played on this machine.
    public static var incompatibleAsset: Code { .incompatibleAsset }
    /// The data could not be loaded.
    public static var failedToLoadMediaData: Code { .failedToLoadMediaData }
    /// The server does not answer as it should.
    public static var serverIncorrectlyConfigured: Code { .serverIncorrectlyConfigured }
    /// The program may not use the device.
    public static var applicationIsNotAuthorizedToUseDevice: Code { .applicationIsNotAuthorizedToUseDevice }
    /// The data could not be understood.
    public static var failedToParse: Code { .failedToParse }
    /// The file type cannot name samples of other files.
    public static var fileTypeDoesNotSupportSampleReferences: Code { .fileTypeDoesNotSupportSampleReferences }
    /// The data is none that can be decoded.
    public static var undecodableMediaData: Code { .undecodableMediaData }
    /// The sender needs a way to the Internet.
    public static var airPlayControllerRequiresInternet: Code { .airPlayControllerRequiresInternet }
    /// The receiver needs a way to the Internet.
    public static var airPlayReceiverRequiresInternet: Code { .airPlayReceiverRequiresInternet }
    /// The compositor failed.
    public static var videoCompositorFailed: Code { .videoCompositorFailed }
    /// A recording runs already.
    public static var recordingAlreadyInProgress: Code { .recordingAlreadyInProgress }
    /// The question for a content key could not be made.
    public static var createContentKeyRequestFailed: Code { .createContentKeyRequestFailed }
    /// The output settings are not supported.
    public static var unsupportedOutputSettings: Code { .unsupportedOutputSettings }
    /// The operation is not allowed now.
    public static var operationNotAllowed: Code { .operationNotAllowed }
    /// The content is not there.
    public static var contentIsUnavailable: Code { .contentIsUnavailable }
    /// The format is not supported.
    public static var formatUnsupported: Code { .formatUnsupported }
    /// The depth data is not in order.
    public static var malformedDepth: Code { .malformedDepth }
    /// The content was not renewed in time.
    public static var contentNotUpdated: Code { .contentNotUpdated }
    /// What could be played before cannot any more.
    public static var noLongerPlayable: Code { .noLongerPlayable }
    /// No variant fits the external display.
    public static var noCompatibleAlternatesForExternalDisplay: Code {
        .noCompatibleAlternatesForExternalDisplay
    }
    /// The asset has no such track.
    public static var noSourceTrack: Code { .noSourceTrack }
    /// The asset cannot be played outside.
    public static var externalPlaybackNotSupportedForAsset: Code { .externalPlaybackNotSupportedForAsset }
    /// The preset does not allow the operation.
    public static var operationNotSupportedForPreset: Code { .operationNotSupportedForPreset }
    /// The session asks more of the hardware than there is.
    public static var sessionHardwareCostOverage: Code { .sessionHardwareCostOverage }
    /// The device's format is not supported.
    public static var unsupportedDeviceActiveFormat: Code { .unsupportedDeviceActiveFormat }
    /// The object is not set up as it must be.
    public static var incorrectlyConfigured: Code { .incorrectlyConfigured }
    /// A segment begins with a sample that needs an earlier one.
    public static var segmentStartedWithNonSyncSample: Code { .segmentStartedWithNonSyncSample }
    /// A translator of programs is missing.
    public static var rosettaNotInstalled: Code { .rosettaNotInstalled }
    /// The operation was cancelled.
    public static var operationCancelled: Code { .operationCancelled }
    /// The question for a content key was cancelled.
    public static var contentKeyRequestCancelled: Code { .contentKeyRequestCancelled }
    /// The cursor points to no sample.
    public static var invalidSampleCursor: Code { .invalidSampleCursor }
    /// A sample's data could not be loaded.
    public static var failedToLoadSampleData: Code { .failedToLoadSampleData }
    /// The receiver is busy.
    public static var airPlayReceiverTemporarilyUnavailable: Code { .airPlayReceiverTemporarilyUnavailable }
    /// The data could not be encoded.
    public static var encodeFailed: Code { .encodeFailed }
}
