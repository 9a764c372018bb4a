import Foundation

/// A view that tells when it is used.
@preconcurrency @MainActor
open class UIControl: UIView {
    /// What happens to a control.
    public struct Event: OptionSet, Hashable, Sendable {
        /// The events as bits, with the values they have in UIKit.
        public let rawValue: UInt

        /// Any bits; those without a name here are kept.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// A finger, or a mouse button, goes down on the control.
        public static let touchDown = Event(rawValue: 1 << 0)
        /// It goes up again inside the control: what presses a button.
        public static let touchUpInside = Event(rawValue: 1 << 6)
        /// The user has given the control another value, as a slider.
        public static let valueChanged = Event(rawValue: 1 << 12)
        /// What the control is for was asked for, by whatever means.
        public static let primaryActionTriggered = Event(rawValue: 1 << 13)
        /// All events of a touch, bits 0 to 11.
        public static let allTouchEvents = Event(rawValue: 0xFFF)
        /// All events, bits 0 to 31.
        public static let allEvents = Event(rawValue: 0xFFFF_FFFF)
    }

    /// How a control looks at the moment.
    public struct State: OptionSet, Hashable, Sendable {
        /// The states as bits, with the values they have in UIKit.
        public let rawValue: UInt

        /// Any bits; those without a name here are kept.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// None of the others.
        public static let normal: State = []
        /// Pressed at the moment.
        public static let highlighted = State(rawValue: 1 << 0)
        /// Cannot be used.
        public static let disabled = State(rawValue: 1 << 1)
        /// Chosen, until the program says otherwise.
        public static let selected = State(rawValue: 1 << 2)
        /// Has the focus. ``UIControl/state`` never says so here.
        public static let focused = State(rawValue: 1 << 3)
    }

    /// Whether it can be used. Kept for the host toolkit, and part of ``state``; events that are sent call
    /// the actions in any case.
    open var isEnabled = true
    /// Whether it is chosen. Kept for the host toolkit, and part of ``state``.
    open var isSelected = false
    /// Whether it is pressed. Kept for the host toolkit, which sets it, and part of ``state``.
    open var isHighlighted = false

    /// What ``isEnabled``, ``isSelected`` and ``isHighlighted`` say together.
    open var state: State {
        var state = State.normal
        if !isEnabled { state.insert(.disabled) }
        if isSelected { state.insert(.selected) }
        if isHighlighted { state.insert(.highlighted) }
        return state
    }

    private var actions: [(action: UIAction, events: Event)] = []

    /// Calls the action's handler on each of the events; an action with the same identifier is replaced.
    open func addAction(_ action: UIAction, for controlEvents: Event) {
        removeAction(action, for: controlEvents)
        actions.append((action, controlEvents))
    }

    /// Stops calling the action with the same identifier on these events; on others it is called as before.
    open func removeAction(_ action: UIAction, for controlEvents: Event) {
        actions = actions.compactMap { entry in
            guard entry.action.identifier == action.identifier else { return entry }
            let rest = entry.events.subtracting(controlEvents)
            return rest.isEmpty ? nil : (entry.action, rest)
        }
    }

    /// Does as if the events had happened. A host toolkit calls it when they have.
    open func sendActions(for controlEvents: Event) {
        for (action, events) in actions where !events.isDisjoint(with: controlEvents) {
            action.perform(from: self)
        }
    }
}

/// Something a control does.
@preconcurrency @MainActor
open class UIAction: NSObject {
    /// Tells actions apart.
    public struct Identifier: RawRepresentable, Hashable, Sendable {
        /// The words it was made with.
        public let rawValue: String

        /// Equal to every other with the same words.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Equal to every other with the same words.
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    /// What the action is called. Kept and given back: controls do not read it.
    open var title: String
    /// What controls know the action by: of those with the same one, an event calls one.
    public let identifier: Identifier
    /// The control that calls the handler, while it does.
    open private(set) weak var sender: AnyObject?
    private let handler: (UIAction) -> Void

    /// An action for ``UIControl/addAction(_:for:)``.
    ///
    /// - Parameters:
    ///   - identifier: `nil` for a new one that no other action has.
    ///   - handler: called on the main actor, with the action itself.
    public init(title: String = "", identifier: Identifier? = nil, handler: @escaping (UIAction) -> Void) {
        self.title = title
        self.identifier = identifier ?? Identifier(UUID().uuidString)
        self.handler = handler
        super.init()
    }

    fileprivate func perform(from control: UIControl) {
        sender = control
        handler(self)
        sender = nil
    }
}
