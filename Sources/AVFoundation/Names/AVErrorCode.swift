extension AVError {
    /// What went wrong. The numbers are those of Apple's platforms.
    public enum Code: Int, Hashable, Sendable, _ErrorCodeProtocol {
        public typealias _ErrorType = AVError

        /// Nothing closer is known.
        case unknown = -11_800
        /// There is not enough memory.
        case outOfMemory = -11_801
        /// The capture session does not run.
        case sessionNotRunning = -11_803
        /// Another session uses the device.
        case deviceAlreadyUsedByAnotherSession = -11_804
        /// The recording ended before anything was captured.
        case noDataCaptured = -11_805
        /// The session was set up anew while it recorded.
        case sessionConfigurationChanged = -11_806
        /// The disk is full.
        case diskFull = -11_807
        /// The device went away.
        case deviceWasDisconnected = -11_808
        /// The format of what came in changed.
        case mediaChanged = -11_809
        /// The recording is as long as it may be.
        case maximumDurationReached = -11_810
        /// The file is as large as it may be.
        case maximumFileSizeReached = -11_811
        /// There is a hole in what came in.
        case mediaDiscontinuity = -11_812
        /// The file format holds no more samples.
        case maximumNumberOfSamplesForFileFormatReached = -11_813
        /// The device is not there.
        case deviceNotConnected = -11_814
        /// Another program uses the device.
        case deviceInUseByAnotherApplication = -11_815
        /// Another process is setting the device up.
        case deviceLockedForConfigurationByAnotherProcess = -11_817
        /// The session was interrupted.
        case sessionWasInterrupted = -11_818
        /// The sound service started anew; everything made before is void.
        case mediaServicesWereReset = -11_819
        /// The export failed.
        case exportFailed = -11_820
        /// The data could not be decoded.
        case decodeFailed = -11_821
        /// The source is not in order.
        case invalidSourceMedia = -11_822
        /// There is a file of that name already.
        case fileAlreadyExists = -11_823
        /// There is a hole between the segments.
        case compositionTrackSegmentsNotContiguous = -11_824
        /// A segment's length is not valid.
        case invalidCompositionTrackSegmentDuration = -11_825
        /// A segment's start in its source is not valid.
        case invalidCompositionTrackSegmentSourceStartTime = -11_826
        /// A segment's length in its source is not valid.
        case invalidCompositionTrackSegmentSourceDuration = -11_827
        /// The file is of no known format.
        case fileFormatNotRecognized = -11_828
        /// The file is damaged or incomplete.
        case fileFailedToParse = -11_829
        /// Too many still images are being captured.
        case maximumStillImageCaptureRequestsExceeded = -11_830
        /// The content is protected.
        case contentIsProtected = -11_831
        /// There is no image at that time.
        case noImageAtTime = -11_832
        /// There is no decoder for the format.
        case decoderNotFound = -11_833
        /// There is no encoder for the format.
        case encoderNotFound = -11_834
        /// The user may not play the content.
        case contentIsNotAuthorized = -11_835
        /// The program may not do this.
        case applicationIsNotAuthorized = -11_836
        /// The device cannot be used from the background.
        case deviceIsNotAvailableInBackground = -11_837
        /// The asset does not allow the operation.
        case operationNotSupportedForAsset = -11_838
        /// The decoder is busy.
        case decoderTemporarilyUnavailable = -11_839
        /// The encoder is busy.
        case encoderTemporarilyUnavailable = -11_840
        /// The video composition is not in order.
        case invalidVideoComposition = -11_841
        /// The file names another one that it may not name.
        case referenceForbiddenByReferencePolicy = -11_842
        /// The output's path extension does not fit its type.
        case invalidOutputURLPathExtension = -11_843
        /// The screen could not be captured.
        case screenCaptureFailed = -11_844
        /// The display was switched off.
        case displayWasDisabled = -11_845
        /// The torch cannot be that bright now.
        case torchLevelUnavailable = -11_846
        /// The operation was interrupted.
        case operationInterrupted = -11_847
        /// The asset cannot be played on this machine.
        case incompatibleAsset = -11_848
        /// The data could not be loaded.
        case failedToLoadMediaData = -11_849
        /// The server does not answer as it should.
        case serverIncorrectlyConfigured = -11_850
        /// The program may not use the device.
        case applicationIsNotAuthorizedToUseDevice = -11_852
        /// The data could not be understood.
        case failedToParse = -11_853
        /// The file type cannot name samples of other files.
        case fileTypeDoesNotSupportSampleReferences = -11_854
        /// The data is none that can be decoded.
        case undecodableMediaData = -11_855
        /// The sender needs a way to the Internet.
        case airPlayControllerRequiresInternet = -11_856
        /// The receiver needs a way to the Internet.
        case airPlayReceiverRequiresInternet = -11_857
        /// The compositor failed.
        case videoCompositorFailed = -11_858
        /// A recording runs already.
        case recordingAlreadyInProgress = -11_859
        /// The question for a content key could not be made.
        case createContentKeyRequestFailed = -11_860
        /// The output settings are not supported.
        case unsupportedOutputSettings = -11_861
        /// The operation is not allowed now.
        case operationNotAllowed = -11_862
        /// The content is not there.
        case contentIsUnavailable = -11_863
        /// The format is not supported.
        case formatUnsupported = -11_864
        /// The depth data is not in order.
        case malformedDepth = -11_865
        /// The content was not renewed in time.
        case contentNotUpdated = -11_866
        /// What could be played before cannot any more.
        case noLongerPlayable = -11_867
        /// No variant fits the external display.
        case noCompatibleAlternatesForExternalDisplay = -11_868
        /// The asset has no such track.
        case noSourceTrack = -11_869
        /// The asset cannot be played outside.
        case externalPlaybackNotSupportedForAsset = -11_870
        /// The preset does not allow the operation.
        case operationNotSupportedForPreset = -11_871
        /// The session asks more of the hardware than there is.
        case sessionHardwareCostOverage = -11_872
        /// The device's format is not supported.
        case unsupportedDeviceActiveFormat = -11_873
        /// The object is not set up as it must be.
        case incorrectlyConfigured = -11_875
        /// A segment begins with a sample that needs an earlier one.
        case segmentStartedWithNonSyncSample = -11_876
        /// A translator of programs is missing.
        case rosettaNotInstalled = -11_877
        /// The operation was cancelled.
        case operationCancelled = -11_878
        /// The question for a content key was cancelled.
        case contentKeyRequestCancelled = -11_879
        /// The cursor points to no sample.
        case invalidSampleCursor = -11_880
        /// A sample's data could not be loaded.
        case failedToLoadSampleData = -11_881
        /// The receiver is busy.
        case airPlayReceiverTemporarilyUnavailable = -11_882
        /// The data could not be encoded.
        case encodeFailed = -11_883
    }
}
