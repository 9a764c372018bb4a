import TuttiPCM

/// One audio device or file that plays sound.
///
/// An output's own thread asks a ``RenderSource`` for every frame, a period at a time, and passes the time at
/// which the frames will be heard. The thread also asks while nothing plays; the source then renders silence.
/// It does not ask while the device is lost.
///
/// An output retains its source until ``stop()``. An output that is released without ``stop()`` stops by
/// itself.
package protocol AudioOutput: AnyObject, Sendable {
    /// The format that ``RenderSource/render(_:frameCount:at:)`` fills: interleaved 32 bit floats at the
    /// device's rate. Never changes.
    var format: PCMFormat { get }
    /// The device's period: the maximum number of frames of one render call. Frames are heard after all
    /// queued periods; ``DeviceTime/playTime`` gives that time.
    var periodFrames: Int { get }

    /// Starts the render thread. Call once. May block until the device is open.
    ///
    /// - Throws: An error if the device cannot be opened at all. After a later loss, the output retries and
    ///   notifies the source.
    func start(_ source: any RenderSource) throws(OutputError)

    /// Stops the output. After the return no render call follows, but a state change that is being reported
    /// may still arrive. Idempotent; allowed from ``RenderSource/outputChanged(_:)``, never from the render
    /// thread.
    func stop()
}
