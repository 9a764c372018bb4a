import Foundation

extension CMSampleBuffer {
    /// The data, if there is any yet.
    public var dataBuffer: CMBlockBuffer? { withState { $0.dataBuffer } }

    /// Whether the data can be used.
    public var dataReadiness: DataReadiness { withState { $0.readiness } }

    /// Whether the buffer was not invalidated.
    public var isValid: Bool { withState { $0.isValid } }

    /// Gives the buffer its data, once.
    public func setDataBuffer(_ dataBuffer: CMBlockBuffer) throws {
        try withState { state in
            guard state.isValid else { throw Error.invalidated }
            guard state.dataBuffer == nil else { throw Error.alreadyHasDataBuffer }
            state.dataBuffer = dataBuffer
        }
    }

    /// Says whether the data can be used.
    public func setDataReadiness(_ readiness: DataReadiness) throws {
        try withState { state in
            guard state.isValid else { throw Error.invalidated }
            state.readiness = readiness
        }
    }

    /// Makes the data ready by the buffer's handler, on this thread; does nothing if it is ready.
    ///
    /// - Throws: ``Error/bufferNotReady`` without a handler, what the handler throws, or the code of an
    ///   earlier failure.
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

    /// A handler that left data, or a buffer that needs none, is taken as success.
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

    /// Makes the buffer unusable and lets go of its handler.
    public func invalidate() throws {
        withState { state in
            state.isValid = false
            state.makeDataReady = nil
        }
    }
}
