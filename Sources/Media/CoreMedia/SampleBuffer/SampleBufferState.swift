import CoreVideo
import Foundation

/// The part of a sample buffer that changes: its data, its attachments and its output time.
struct SampleBufferState {
    var dataBuffer: CMBlockBuffer?
    /// The picture, instead of other data.
    let imageBuffer: CVImageBuffer?
    var readiness: CMSampleBuffer.DataReadiness
    var makeDataReady: CMSampleBuffer.MakeDataReadyHandler?
    private(set) var isValid = true
    /// The output time that was set; `nil` if it follows from the edits.
    var explicitOutputTime: CMTime?
    private(set) var attachments = CMAttachmentBearerAttachments()
    /// The edits that the attachments contain.
    private(set) var edits = OutputEdits()
    /// The volume of the samples, if it is not 1.
    var volume: SampleVolume?
    /// The attachments of each sample; `nil` until their first use.
    var sampleAttachments: [NSMutableDictionary]?

    init(
        dataBuffer: CMBlockBuffer?, readiness: CMSampleBuffer.DataReadiness,
        makeDataReady: CMSampleBuffer.MakeDataReadyHandler?
    ) {
        self.dataBuffer = dataBuffer
        imageBuffer = nil
        self.readiness = readiness
        self.makeDataReady = makeDataReady
    }

    init(
        imageBuffer: CVImageBuffer, readiness: CMSampleBuffer.DataReadiness,
        makeDataReady: CMSampleBuffer.MakeDataReadyHandler?
    ) {
        self.imageBuffer = imageBuffer
        self.readiness = readiness
        self.makeDataReady = makeDataReady
    }

    // MARK: Data

    mutating func setDataBuffer(_ buffer: CMBlockBuffer) throws {
        try checkValidity()
        guard dataBuffer == nil, imageBuffer == nil else { throw CMSampleBuffer.Error.alreadyHasDataBuffer }
        dataBuffer = buffer
    }

    mutating func setReadiness(_ readiness: CMSampleBuffer.DataReadiness) throws {
        try checkValidity()
        self.readiness = readiness
    }

    /// Returns the handler to call; `nil` if the data is ready.
    ///
    /// - Throws: ``CMSampleBuffer/Error/bufferNotReady`` without a handler, or the code of an earlier failure.
    func handlerForPendingData() throws -> CMSampleBuffer.MakeDataReadyHandler? {
        try checkValidity()
        switch readiness {
        case .ready: return nil
        case .failed(let code): throw statusError(code)
        case .notReady: break
        }
        guard let makeDataReady else { throw CMSampleBuffer.Error.bufferNotReady }
        return makeDataReady
    }

    /// Ends a call of the handler. A handler that set the data, or a buffer that needs none, is a success.
    mutating func finishMakingReady(needsData: Bool) throws {
        let hasData = dataBuffer != nil || imageBuffer != nil
        if readiness == .notReady, hasData || !needsData { readiness = .ready }
        if case .failed(let code) = readiness { throw statusError(code) }
        if readiness == .notReady { throw CMSampleBuffer.Error.bufferNotReady }
    }

    mutating func invalidate() {
        isValid = false
        makeDataReady = nil
    }

    private func checkValidity() throws {
        guard isValid else { throw CMSampleBuffer.Error.invalidated }
    }

    // MARK: Attachments and output time

    /// Changes the attachments, and updates the output edits from them.
    mutating func changeAttachments(_ body: (inout CMAttachmentBearerAttachments) -> Void) {
        body(&attachments)
        edits = OutputEdits(attachments)
    }

    /// Sets the output time; an invalid time restores the computed one.
    mutating func setOutputTime(_ time: CMTime) throws {
        try checkValidity()
        explicitOutputTime = time.isValid ? time : nil
    }

    /// Returns the attachments of each sample, created on first use.
    mutating func sampleDictionaries(count: Int) -> [NSMutableDictionary] {
        if let sampleAttachments { return sampleAttachments }
        let fresh = (0..<count).map { _ in NSMutableDictionary() }
        sampleAttachments = fresh
        return fresh
    }

    // MARK: Copying

    /// Returns the state of a copy: shares the data, keeps the output time and the propagating attachments.
    func copied() throws -> SampleBufferState {
        try checkValidity()
        var copy = self
        copy.changeAttachments { attachments in
            let kept = attachments.propagated
            attachments.removeAll()
            attachments.merge(kept, mode: .shouldPropagate)
        }
        copy.sampleAttachments = nil
        return copy
    }

    /// Narrows the state of a copy to `range` of `count` samples, which begins `offset` after the first sample.
    mutating func keep(_ range: Range<Int>, of count: Int, movedBy offset: CMTime?) {
        if let explicitOutputTime, let offset {
            self.explicitOutputTime = explicitOutputTime + edits.scaled(offset)
        }
        // A trim belongs to the copy only if the copy contains that end.
        if range.lowerBound > 0 { remove(kCMSampleBufferAttachmentKey_TrimDurationAtStart) }
        if range.upperBound < count { remove(kCMSampleBufferAttachmentKey_TrimDurationAtEnd) }
    }

    private mutating func remove(_ key: CFString) {
        changeAttachments { $0[key] = nil as CMAttachmentBearerAttachments.Value? }
    }
}
