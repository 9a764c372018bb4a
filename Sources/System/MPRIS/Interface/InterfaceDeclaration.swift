import TuttiDBus

/// An interface of D-Bus: its methods, properties and signals, for dispatch and introspection.
struct InterfaceDeclaration: Sendable {
    struct Argument: Sendable {
        let name: String
        let type: String
    }

    struct Method: Sendable {
        let name: String
        var inputs: [Argument] = []
        var outputs: [Argument] = []

        var signature: String { inputs.map(\.type).joined() }
    }

    struct Property: Sendable {
        /// The way in which changes are told.
        enum Changes: String, Sendable {
            case value = "true"
            case invalidation = "invalidates"
            case never = "false"
        }

        let name: String
        let type: String
        var isWritable = false
        var changes = Changes.value
    }

    struct Signal: Sendable {
        let name: String
        let arguments: [Argument]
    }

    let name: String
    var methods: [Method] = []
    var properties: [Property] = []
    var signals: [Signal] = []
}

extension InterfaceDeclaration {
    /// The interface as introspection describes it.
    var xml: String {
        var lines = ["  <interface name=\"\(name)\">"]
        for method in methods {
            lines.append("    <method name=\"\(method.name)\">")
            lines += method.inputs.map { Self.xml($0, direction: "in") }
            lines += method.outputs.map { Self.xml($0, direction: "out") }
            lines.append("    </method>")
        }
        for property in properties {
            let access = property.isWritable ? "readwrite" : "read"
            lines.append(
                "    <property name=\"\(property.name)\" type=\"\(property.type)\" access=\"\(access)\">")
            lines.append(
                "      <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\""
                    + " value=\"\(property.changes.rawValue)\"/>")
            lines.append("    </property>")
        }
        for signal in signals {
            lines.append("    <signal name=\"\(signal.name)\">")
            lines += signal.arguments.map { Self.xml($0, direction: nil) }
            lines.append("    </signal>")
        }
        return (lines + ["  </interface>"]).joined(separator: "\n")
    }

    private static func xml(_ argument: Argument, direction: String?) -> String {
        let direction = direction.map { " direction=\"\($0)\"" } ?? ""
        return "      <arg name=\"\(argument.name)\" type=\"\(argument.type)\"\(direction)/>"
    }

    /// Returns the description of an object.
    static func document(_ interfaces: [InterfaceDeclaration], children: [String] = []) -> String {
        let head = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>
            """
        let nodes = children.map { "  <node name=\"\($0)\"/>" }
        return ([head] + interfaces.map(\.xml) + nodes + ["</node>", ""]).joined(separator: "\n")
    }
}
