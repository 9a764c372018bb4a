import Foundation

@testable import TuttiKeyValueObserving

/// An observable object with an item, like the player.
class ObservedPlayer: NSObject, @unchecked Sendable {
    // Safe to share: all values are behind the locks of their boxes.

    let observations = PropertyObservations()
    private let rateBox: ObservedValue<Float>
    private let itemBox: ObservedValue<ObservedItem?>

    override init() {
        rateBox = ObservedValue(0, "rate", in: observations)
        itemBox = ObservedValue(nil, "item", in: observations)
    }

    var rate: Float {
        get { rateBox.value }
        set { rateBox.value = newValue }
    }

    func updateRate(_ rate: Float) -> Bool { rateBox.update(rate) }

    var item: ObservedItem? {
        get { itemBox.value }
        set { itemBox.value = newValue }
    }
}

final class ObservedQueuePlayer: ObservedPlayer, @unchecked Sendable {}

extension ObservedPlayer {
    /// A computed property as an app writes it: it reports nothing itself.
    var isLoud: Bool { rate > 1 && item?.status == 2 }

    var plain: Int { 5 }
}

class ObservedItem: NSObject, @unchecked Sendable {
    // Safe to share: the value is behind the lock of its box.

    let observations = PropertyObservations()
    private let statusBox: ObservedValue<Int>

    init(status: Int = 0) { statusBox = ObservedValue(status, "status", in: observations) }

    var status: Int {
        get { statusBox.value }
        set { statusBox.value = newValue }
    }
}

/// Collects the calls of handlers, from any thread.
final class Log<Entry: Sendable>: @unchecked Sendable {
    // Safe to share: the entries are only touched with the lock held.
    private let lock = NSLock()
    private var stored: [Entry] = []

    func append(_ entry: Entry) { lock.withLock { stored.append(entry) } }

    var entries: [Entry] { lock.withLock { stored } }
}
