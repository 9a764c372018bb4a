/// The state of a device.
package enum OutputState: Hashable, Sendable {
    /// The device plays.
    case running
    /// The device is lost and the output retries; `reason` says what happened and what to do.
    case lost(reason: String)
}

/// The reason that an output cannot be used.
package struct OutputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failed operation, e.g. `snd_pcm_open`.
    package var operation: String
    /// The error code, positive: `errno` for ALSA and files, a code of PulseAudio for its own calls.
    package var code: Int32
    /// A message that the user can act on.
    package var description: String

    /// Creates an error.
    package init(operation: String, code: Int32, description: String) {
        self.operation = operation
        self.code = code
        self.description = description
    }
}
