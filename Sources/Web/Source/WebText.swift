/// A small text behind an address, such as a playlist, read as a whole.
package struct WebText: Sendable {
    package var bytes: [UInt8]
    /// Where redirects led to.
    package var address: String
    package var contentType: String?

    /// Waits until all of it is there.
    ///
    /// - Parameters:
    ///   - limit: More bytes than this are refused.
    ///   - total: it may take so long, whatever comes.
    ///   - onSource: gets what can be cancelled.
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
