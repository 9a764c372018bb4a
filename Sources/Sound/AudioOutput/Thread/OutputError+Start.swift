import Glibc
import TuttiSystemIO

extension OutputError {
    /// An output is started a second time.
    static let startsOnlyOnce = OutputError(
        operation: "start", code: EALREADY, description: "an output starts only once")

    /// The system refuses an output's thread.
    static func noThread(_ error: SystemError) -> OutputError {
        OutputError(
            operation: error.operation, code: error.code,
            description: "the system has no thread for the output: \(error.text)")
    }
}
