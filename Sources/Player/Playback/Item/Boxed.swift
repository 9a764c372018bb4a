/// Keeps a large value apart from the small one that has it: an array of thousands of those is copied without
/// the large values, which are copied when they change.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
    private final class Box: @unchecked Sendable {
        // Safe to share: changed only while one `Boxed` has it.
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    init(wrappedValue: Value) { box = Box(wrappedValue) }

    var wrappedValue: Value {
        get { box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
            yield &box.value
        }
    }
}
