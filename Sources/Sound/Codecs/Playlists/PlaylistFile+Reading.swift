import TuttiWeb

extension PlaylistFile {
    /// Reads a playlist; blocks on the disk or the network.
    ///
    /// - Parameters:
    ///   - location: A path or a web address.
    ///   - request: Headers for the server; ignored for a path.
    ///   - interrupt: Cancels the read from any thread.
    ///   - timeLimit: The longest wait without data, in whole seconds.
    ///   - engine: Transfers the bytes of an address.
    /// - Returns: The playlist; `nil` if the source exists and is not a playlist.
    /// - Throws: ``MediaError`` if the source cannot be read.
    package static func read(
        _ location: String, request: WebRequest = WebRequest(), interrupt: MediaInterrupt = MediaInterrupt(),
        timeLimit: Duration = .seconds(15), engine: WebEngine = .shared
    ) throws(MediaError) -> PlaylistFile? {
        let name = SourceName(location)
        try name.check()
        guard name.isRemote else {
            let bytes = name.bytes(byteLimit + 1)
            return bytes.count > byteLimit ? nil : PlaylistFile(bytes, base: location)
        }
        var limits = WebLimits()
        limits.timeLimit = timeLimit
        var key: Int?
        defer { if let key { interrupt.forget(key) } }
        do throws(WebError) {
            let text = try WebText(
                of: location, limit: byteLimit,
                options: WebOptions(userAgent: request.userAgent, cookies: request.cookies), limits: limits,
                engine: engine
            ) { source in
                key = interrupt.onCancel { source.cancel() }
            }
            return PlaylistFile(text.bytes, base: text.address)
        } catch {
            // The address delivers a stream instead of a playlist.
            if case .tooLong = error { return nil }
            throw MediaError(error, name: name.displayName)
        }
    }
}
