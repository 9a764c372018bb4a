/// The things around the parts of a house, which all of them use. Belongs to the house's actor.
struct HouseEnvironment {
    let configuration: HouseConfiguration
    /// The library.
    let items: any ItemResolving
    let outputs: any HouseOutputs
    let store: HouseStore
    let publisher: ChangePublisher
    let numbers = HouseNumbers()
    let tasks = HouseTasks()
    /// Unix time in seconds.
    let now: @Sendable () -> Double
    /// Receives what users do and rooms suffer.
    let log: HouseLog

    init(
        _ configuration: HouseConfiguration, items: any ItemResolving, outputs: any HouseOutputs,
        now: @escaping @Sendable () -> Double, log: @escaping HouseLog
    ) {
        (self.configuration, self.items, self.outputs) = (configuration, items, outputs)
        (self.now, self.log) = (now, log)
        store = HouseStore(path: configuration.statePath)
        publisher = ChangePublisher(log: log)
    }
}
