// `load` for two to eight properties at once.

extension AVAsynchronousKeyValueLoading {
    /// Returns two values, loading them if necessary; see ``load(_:isolation:)``.
    public func load<A, B>(
        _ propertyA: AVAsyncProperty<Self, A>,
        _ propertyB: AVAsyncProperty<Self, B>,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> (A, B) {
        (
            try await load(propertyA),
            try await load(propertyB)
        )
    }

    /// Returns three values, loading them if necessary; see ``load(_:isolation:)``.
    public func load<A, B, C>(
        _ propertyA: AVAsyncProperty<Self, A>,
        _ propertyB: AVAsyncProperty<Self, B>,
        _ propertyC: AVAsyncProperty<Self, C>,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> (A, B, C) {
        (
            try await load(propertyA),
            try await load(propertyB),
            try await load(propertyC)
        )
    }

    /// Returns four values, loading them if necessary; see ``load(_:isolation:)``.
    public func load<A, B, C, D>(
        _ propertyA: AVAsyncProperty<Self, A>,
        _ propertyB: AVAsyncProperty<Self, B>,
        _ propertyC: AVAsyncProperty<Self, C>,
        _ propertyD: AVAsyncProperty<Self, D>,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> (A, B, C, D) {
        (
            try await load(propertyA),
            try await load(propertyB),
            try await load(propertyC),
            try await load(propertyD)
        )
    }

    /// Returns five values, loading them if necessary; see ``load(_:isolation:)``.
    public func load<A, B, C, D, E>(
        _ propertyA: AVAsyncProperty<Self, A>,
        _ propertyB: AVAsyncProperty<Self, B>,
        _ propertyC: AVAsyncProperty<Self, C>,
        _ propertyD: AVAsyncProperty<Self, D>,
        _ propertyE: AVAsyncProperty<Self, E>,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> (A, B, C, D, E) {
        (
            try await load(propertyA),
            try await load(propertyB),
            try await load(propertyC),
            try await load(propertyD),
            try await load(propertyE)
        )
    }

    /// Returns six values, loading them if necessary; see ``load(_:isolation:)``.
    public func load<A, B, C, D, E, F>(
        _ propertyA: AVAsyncProperty<Self, A>,
        _ propertyB: AVAsyncProperty<Self, B>,
        _ propertyC: AVAsyncProperty<Self, C>,
        _ propertyD: AVAsyncProperty<Self, D>,
        _ propertyE: AVAsyncProperty<Self, E>,
        _ propertyF: AVAsyncProperty<Self, F>,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> (A, B, C, D, E, F) {
        (
            try await load(propertyA),
            try await load(propertyB),
            try await load(propertyC),
            try await load(propertyD),
            try await load(propertyE),
            try await load(propertyF)
        )
    }

    /// Returns seven values, loading them if necessary; see ``load(_:isolation:)``.
    public func load<A, B, C, D, E, F, G>(
        _ propertyA: AVAsyncProperty<Self, A>,
        _ propertyB: AVAsyncProperty<Self, B>,
        _ propertyC: AVAsyncProperty<Self, C>,
        _ propertyD: AVAsyncProperty<Self, D>,
        _ propertyE: AVAsyncProperty<Self, E>,
        _ propertyF: AVAsyncProperty<Self, F>,
        _ propertyG: AVAsyncProperty<Self, G>,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> (A, B, C, D, E, F, G) {
        (
            try await load(propertyA),
            try await load(propertyB),
            try await load(propertyC),
            try await load(propertyD),
            try await load(propertyE),
            try await load(propertyF),
            try await load(propertyG)
        )
    }

    /// Returns eight values, loading them if necessary; see ``load(_:isolation:)``.
    public func load<A, B, C, D, E, F, G, H>(
        _ propertyA: AVAsyncProperty<Self, A>,
        _ propertyB: AVAsyncProperty<Self, B>,
        _ propertyC: AVAsyncProperty<Self, C>,
        _ propertyD: AVAsyncProperty<Self, D>,
        _ propertyE: AVAsyncProperty<Self, E>,
        _ propertyF: AVAsyncProperty<Self, F>,
        _ propertyG: AVAsyncProperty<Self, G>,
        _ propertyH: AVAsyncProperty<Self, H>,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> (A, B, C, D, E, F, G, H) {
        (
            try await load(propertyA),
            try await load(propertyB),
            try await load(propertyC),
            try await load(propertyD),
            try await load(propertyE),
            try await load(propertyF),
            try await load(propertyG),
            try await load(propertyH)
        )
    }
}
