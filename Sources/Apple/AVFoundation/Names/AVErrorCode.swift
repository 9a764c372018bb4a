extension AVError {
    /// Error codes, with the numbers of Apple's platforms.
    public enum Code: Int, Hashable, Sendable, _ErrorCodeProtocol {
        public typealias _ErrorType = AVError

        /// The cause is unknown.
        case unknown = -11_800
        /// Memory is exhausted.
        case outOfMemory = -11_801
        /// The capture session is not running.
        case sessionNotRunning = -11_803
        /// Another session uses the device.
        case deviceAlreadyUsedByAnotherSession = -11_804
        /// The recording ended before anything was captured.
        case noDataCaptured = -11_805
        /// The session configuration changed during recording.
        case sessionConfigurationChanged = -11_806
        /// The disk is full.
        case diskFull = -11_807
        /// The device was disconnected.
        case deviceWasDisconnected = -11_808
        /// The format of the captured media changed.
        case mediaChanged = -11_809
        /// The recording reached its maximum duration.
        case maximumDurationReached = -11_810
        /// The file reached its maximum size.
        case maximumFileSizeReached = -11_811
        /// The captured media has a gap.
        case mediaDiscontinuity = -11_812
        /// The file format holds no more samples.
        case maximumNumberOfSamplesForFileFormatReached = -11_813
        /// The device is not connected.
        case deviceNotConnected = -11_814
        /// Another program uses the device.
        case deviceInUseByAnotherApplication = -11_815
        /// Another process is setting the device up.
        case deviceLockedForConfigurationByAnotherProcess = -11_817
        /// The session was interrupted.
        case sessionWasInterrupted = -11_818
        /// The media services were reset; objects created before the reset are invalid.
        case mediaServicesWereReset = -11_819
        /// The export failed.
        case exportFailed = -11_820
        /// The data could not be decoded.
        case decodeFailed = -11_821
        /// The source media is invalid.
        case invalidSourceMedia = -11_822
        /// A file of that name already exists.
        case fileAlreadyExists = -11_823
        /// The segments of the composition have gaps.
        case compositionTrackSegmentsNotContiguous = -11_824
        /// A segment's length is not valid.
        case invalidCompositionTrackSegmentDuration = -11_825
        /// A segment's start in its source is not valid.
        case invalidCompositionTrackSegmentSourceStartTime = -11_826
        /// A segment's length in its source is not valid.
        case invalidCompositionTrackSegmentSourceDuration = -11_827
        /// The file format is unknown.
        case fileFormatNotRecognized = -11_828
        /// The file is damaged or incomplete.
        case fileFailedToParse = -11_829
        /// Too many still images are being captured.
        case maximumStillImageCaptureRequestsExceeded = -11_830
        /// The content is protected.
        case contentIsProtected = -11_831
        /// The asset has no image at that time.
        case noImageAtTime = -11_832
        /// No decoder supports the format.
        case decoderNotFound = -11_833
        /// No encoder supports the format.
        case encoderNotFound = -11_834
        /// The user is not authorized to play the content.
        case contentIsNotAuthorized = -11_835
        /// The program is not authorized for the operation.
        case applicationIsNotAuthorized = -11_836
        /// The device cannot be used from the background.
        case deviceIsNotAvailableInBackground = -11_837
        /// The asset does not allow the operation.
        case operationNotSupportedForAsset = -11_838
        /// The decoder is busy.
        case decoderTemporarilyUnavailable = -11_839
        /// The encoder is busy.
        case encoderTemporarilyUnavailable = -11_840
        /// The video composition is invalid.
        case invalidVideoComposition = -11_841
        /// The reference policy forbids a reference to another file.
        case referenceForbiddenByReferencePolicy = -11_842
        /// The path extension of the output does not match its type.
        case invalidOutputURLPathExtension = -11_843
        /// The screen could not be captured.
        case screenCaptureFailed = -11_844
        /// The display was turned off.
        case displayWasDisabled = -11_845
        /// The torch level is unavailable at the moment.
        case torchLevelUnavailable = -11_846
        /// The operation was interrupted.
        case operationInterrupted = -11_847
        /// The asset cannot be played on this machine.
        case incompatibleAsset = -11_848
        /// The media data could not be loaded.
        case failedToLoadMediaData = -11_849
        /// The server sent an unexpected response.
        case serverIncorrectlyConfigured = -11_850
        /// The program is not authorized to use the device.
        case applicationIsNotAuthorizedToUseDevice = -11_852
        /// The data could not be parsed.
        case failedToParse = -11_853
        /// The file type does not support references to samples in other files.
        case fileTypeDoesNotSupportSampleReferences = -11_854
        /// The media data cannot be decoded.
        case undecodableMediaData = -11_855
        /// The AirPlay sender requires Internet access.
        case airPlayControllerRequiresInternet = -11_856
        /// The AirPlay receiver requires Internet access.
        case airPlayReceiverRequiresInternet = -11_857
        /// The video compositor failed.
        case videoCompositorFailed = -11_858
        /// A recording is already in progress.
        case recordingAlreadyInProgress = -11_859
        /// The request for a content key could not be created.
        case createContentKeyRequestFailed = -11_860
        /// The output settings are not supported.
        case unsupportedOutputSettings = -11_861
        /// The operation is not allowed now.
        case operationNotAllowed = -11_862
        /// The content is unavailable.
        case contentIsUnavailable = -11_863
        /// The format is not supported.
        case formatUnsupported = -11_864
        /// The depth data is malformed.
        case malformedDepth = -11_865
        /// The content was not updated in time.
        case contentNotUpdated = -11_866
        /// The content is no longer playable.
        case noLongerPlayable = -11_867
        /// No variant fits the external display.
        case noCompatibleAlternatesForExternalDisplay = -11_868
        /// The asset has no such track.
        case noSourceTrack = -11_869
        /// The asset does not support external playback.
        case externalPlaybackNotSupportedForAsset = -11_870
        /// The preset does not allow the operation.
        case operationNotSupportedForPreset = -11_871
        /// The session exceeds the capacity of the hardware.
        case sessionHardwareCostOverage = -11_872
        /// The device's format is not supported.
        case unsupportedDeviceActiveFormat = -11_873
        /// The object is configured incorrectly.
        case incorrectlyConfigured = -11_875
        /// A segment begins with a sample that depends on an earlier sample.
        case segmentStartedWithNonSyncSample = -11_876
        /// Rosetta is not installed.
        case rosettaNotInstalled = -11_877
        /// The operation was cancelled.
        case operationCancelled = -11_878
        /// The request for a content key was cancelled.
        case contentKeyRequestCancelled = -11_879
        /// The cursor points to no sample.
        case invalidSampleCursor = -11_880
        /// A sample's data could not be loaded.
        case failedToLoadSampleData = -11_881
        /// The AirPlay receiver is busy.
        case airPlayReceiverTemporarilyUnavailable = -11_882
        /// The data could not be encoded.
        case encodeFailed = -11_883
    }
}
