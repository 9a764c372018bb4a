import Foundation

/// A view that sends events when the user interacts with it.
@preconcurrency @MainActor
open class UIControl: UIView {
    /// The kinds of events.
    public struct Event: OptionSet, Hashable, Sendable {
        /// The event bits, with UIKit's values.
        public let rawValue: UInt

        /// Creates a set from any bits; bits without a name here are kept.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// A finger or mouse button goes down on the control.
        public static let touchDown = Event(rawValue: 1 << 0)
        /// The finger or mouse button goes up inside the control; this presses a button.
        public static let touchUpInside = Event(rawValue: 1 << 6)
        /// The user changed the control's value, e.g. a slider's.
        public static let valueChanged = Event(rawValue: 1 << 12)
        /// The user triggered the control's main purpose by any means.
        public static let primaryActionTriggered = Event(rawValue: 1 << 13)
        /// All events of a touch, bits 0 to 11.
        public static let allTouchEvents = Event(rawValue: 0xFFF)
        /// All events, bits 0 to 31.
        public static let allEvents = Event(rawValue: 0xFFFF_FFFF)
    }

    /// The state that determines a control's appearance.
    public struct State: OptionSet, Hashable, Sendable {
        /// The state bits, with UIKit's values.
        public let rawValue: UInt

        /// Creates a set from any bits; bits without a name here are kept.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// No other state applies.
        public static let normal: State = []
        /// The user is pressing the control.
        public static let highlighted = State(rawValue: 1 << 0)
        /// The control does not accept input.
        public static let disabled = State(rawValue: 1 << 1)
        /// The control is selected until the program changes it.
        public static let selected = State(rawValue: 1 << 2)
        /// The control has the focus. ``UIControl/state`` never contains this value here.
        public static let focused = State(rawValue: 1 << 3)
    }

    /// Whether the control accepts input. Stored for the host toolkit and reflected in ``state``;
    /// ``sendActions(for:)`` ignores it.
    open var isEnabled = true
    /// Whether the control is selected. Stored for the host toolkit and reflected in ``state``.
    open var isSelected = false
    /// Whether the control is pressed. Set by the host toolkit and reflected in ``state``.
    open var isHighlighted = false

    /// The combination of ``isEnabled``, ``isSelected`` and ``isHighlighted``.
    open var state: State {
        var state = State.normal
        if !isEnabled { state.insert(.disabled) }
        if isSelected { state.insert(.selected) }
        if isHighlighted { state.insert(.highlighted) }
        return state
    }

    private var actions: [(action: UIAction, events: Event)] = []

    /// Calls the action's handler on each of the events; replaces an action with the same identifier.
    open func addAction(_ action: UIAction, for controlEvents: Event) {
        removeAction(action, for: controlEvents)
        actions.append((action, controlEvents))
    }

    /// Stops calling the action with the same identifier on these events; other events still call the action.
    open func removeAction(_ action: UIAction, for controlEvents: Event) {
        actions = actions.compactMap { entry in
            guard entry.action.identifier == action.identifier else { return entry }
            let rest = entry.events.subtracting(controlEvents)
            return rest.isEmpty ? nil : (entry.action, rest)
        }
    }

    /// Calls the actions for these events. A host toolkit calls this method when the events occur.
    open func sendActions(for controlEvents: Event) {
        for (action, events) in actions where !events.isDisjoint(with: controlEvents) {
            action.perform(from: self)
        }
    }
}

/// An action that a control performs.
@preconcurrency @MainActor
open class UIAction: NSObject {
    /// An identifier that distinguishes actions.
    public struct Identifier: RawRepresentable, Hashable, Sendable {
        /// The identifier's text.
        public let rawValue: String

        /// Creates an identifier; identifiers with the same text are equal.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Creates an identifier; identifiers with the same text are equal.
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    /// The action's title. Stored only: controls do not read it.
    open var title: String
    /// The identifier by which controls tell actions apart; an event calls one action per identifier.
    public let identifier: Identifier
    /// The control that calls the handler, during the call; `nil` at other times.
    open private(set) weak var sender: AnyObject?
    private let handler: (UIAction) -> Void

    /// Creates an action for ``UIControl/addAction(_:for:)``.
    ///
    /// - Parameters:
    ///   - identifier: `nil` for a new, unique identifier.
    ///   - handler: Runs on the main actor with the action itself.
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
