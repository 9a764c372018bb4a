import Foundation

/// The error object of a result code that is not zero.
func statusError(_ status: OSStatus) -> NSError {
    NSError(domain: NSOSStatusErrorDomain, code: Int(status))
}

/// Throws the error object of `status` unless it is zero.
func check(_ status: OSStatus) throws(NSError) {
    if status != noErr { throw statusError(status) }
}

/// Runs `body` and gives its error's code; zero if it throws none.
func status(of body: () throws -> Void) -> OSStatus {
    do {
        try body()
        return noErr
    } catch {
        // Everything of this module throws NSError; a client's own error has no code to give.
        let code = OSStatus(truncatingIfNeeded: (error as NSError).code)
        return code == noErr ? -1 : code
    }
}
