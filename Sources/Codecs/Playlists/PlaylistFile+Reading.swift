internal import Web

extension PlaylistFile {
    /// Reads a list; may wait for a disk or a network.
    ///
    /// - Parameters:
    ///   - location: A path, or an address of the web.
    ///   - timeLimit: Whole seconds to wait without anything coming.
    /// - Returns: `nil` when there is something, and it is no list.
    public static func read(
        _ location: String, request: WebRequest = WebRequest(), interrupt: MediaInterrupt = MediaInterrupt(),
        timeLimit: Duration = .seconds(15)
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
                options: WebOptions(userAgent: request.userAgent, cookies: request.cookies), limits: limits
            ) { source in
                key = interrupt.onCancel { source.cancel() }
            }
            return PlaylistFile(text.bytes, base: text.address)
        } catch {
            // A stream instead of a list.
            if case .tooLong = error { return nil }
            throw MediaError(error, name: name.displayName)
        }
    }
}
