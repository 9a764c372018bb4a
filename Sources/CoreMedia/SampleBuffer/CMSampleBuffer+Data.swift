import Foundation

extension CMSampleBuffer {
    /// The data, or `nil` before it is set.
    public var dataBuffer: CMBlockBuffer? { withState { $0.dataBuffer } }

    /// The state of the data: pending, ready or failed.
    public var dataReadiness: DataReadiness { withState { $0.readiness } }

    /// Whether the buffer has not been invalidated.
    public var isValid: Bool { withState { $0.isValid } }

    /// Sets the buffer's data; throws ``Error/alreadyHasDataBuffer`` the second time.
    public func setDataBuffer(_ dataBuffer: CMBlockBuffer) throws {
        try withState { state in
            guard state.isValid else { throw Error.invalidated }
            guard state.dataBuffer == nil else { throw Error.alreadyHasDataBuffer }
            state.dataBuffer = dataBuffer
        }
    }

    /// Sets the state of the data.
    public func setDataReadiness(_ readiness: DataReadiness) throws {
        try withState { state in
            guard state.isValid else { throw Error.invalidated }
            state.readiness = readiness
        }
    }

    /// Calls the buffer's handler on this thread to make the data ready; does nothing if the data is ready.
    ///
    /// - Throws: ``Error/bufferNotReady`` without a handler, the handler's error, or the code of an earlier
    ///   failure.
    public func makeDataReady() throws {
        let (readiness, handler, isValid) = withState { ($0.readiness, $0.makeDataReady, $0.isValid) }
        guard isValid else { throw Error.invalidated }
        switch readiness {
        case .ready: return
        case .failed(let code): throw statusError(code)
        case .notReady: break
        }
        guard let handler else { throw Error.bufferNotReady }
        do {
            try handler(self)
        } catch {
            withState { $0.readiness = .failed(kCMSampleBufferError_DataFailed) }
            throw error
        }
        try finishMakingReady()
    }

    /// Treats a handler that set the data, or a buffer that needs none, as success.
    private func finishMakingReady() throws {
        let readiness = withState { state in
            if state.readiness == .notReady, state.dataBuffer != nil || numSamples == 0 {
                state.readiness = .ready
            }
            return state.readiness
        }
        if case .failed(let code) = readiness { throw statusError(code) }
        if readiness == .notReady { throw Error.bufferNotReady }
    }

    /// Makes the buffer unusable and releases its handler.
    public func invalidate() throws {
        withState { state in
            state.isValid = false
            state.makeDataReady = nil
        }
    }
}
