/// Everything that is wrong with a house as a whole. Belongs to the house's actor.
final class HouseTroubles {
    /// The troubles of the service, such as an address that is in use.
    var service: [Trouble] = []
    /// The troubles of the library.
    var library: [Trouble] = []
    private let store: HouseStore
    private let publisher: ChangePublisher

    init(_ environment: HouseEnvironment) {
        (store, publisher) = (environment.store, environment.publisher)
    }

    /// All of them, also those of the store.
    var all: [Trouble] {
        service + [store.repair, store.omission, store.trouble].compactMap(\.self) + library
    }

    /// Tells the surfaces, if they know others.
    func publish() { publisher.publish(all) }
}
