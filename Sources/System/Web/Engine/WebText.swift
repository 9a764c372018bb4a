/// A small text behind an address, such as a playlist, read as a whole.
package struct WebText: Sendable {
    /// The bytes of the text.
    package var bytes: [UInt8]
    /// The address after redirects.
    package var address: String
    /// The value of `Content-Type`, without parameters; `nil` without it.
    package var contentType: String?

    /// Blocks until the whole text arrived.
    ///
    /// - Parameters:
    ///   - limit: The most bytes; a longer text throws ``WebError/tooLong(limit:)``.
    ///   - total: The longest total time; a slower text throws `.tooSlow`.
    ///   - onSource: Receives the source, for cancellation.
    package init(
        of address: String, limit: Int, options: WebOptions = WebOptions(), limits: WebLimits = WebLimits(),
        log: TransferLog = TransferLog(), engine: WebEngine = .shared, total: Duration = WebLimits.textTime,
        onSource: (WebSource) -> Void = { _ in }
    ) throws(WebError) {
        var options = options
        options.takesCompressed = true
        let end = engine.clock.now.advanced(by: total)
        let source = try WebSource(address, options: options, limits: limits, log: log, engine: engine)
        onSource(source)
        let resource = try source.open()
        if let length = resource.length, length > limit { throw .tooLong(limit: limit) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = try Self.read(source, &piece)
            if count == 0 { break }
            bytes += piece[..<count]
            if bytes.count > limit { throw .tooLong(limit: limit) }
            if engine.clock.now >= end { throw .tooSlow(bytes: bytes.count, total) }
        }
        (self.bytes, self.address, contentType) = (bytes, resource.address, resource.contentType)
    }

    private static func read(_ source: WebSource, _ piece: inout [UInt8]) throws(WebError) -> Int {
        var result: Result<Int, WebError> = .success(0)
        piece.withUnsafeMutableBytes { bytes in
            do throws(WebError) {
                result = .success(try source.read(into: bytes))
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }
}
