/// The two wishes that decide whether a window keeps the display awake: its program's and its layer's. A value.
struct AwakeWishes: Hashable {
    /// The wish of the options and of ``VideoWindow/setPreventsDisplaySleep(_:)``.
    var program: Bool
    /// The wish of the layer whose pictures are shown; `true` without a layer.
    var layer = true

    var keepsAwake: Bool { program && layer }

    mutating func apply(_ inbox: WindowInbox) {
        if let prevents = inbox.preventsDisplaySleep { program = prevents }
        if let keepsAwake = inbox.layerKeepsAwake { layer = keepsAwake }
    }
}
