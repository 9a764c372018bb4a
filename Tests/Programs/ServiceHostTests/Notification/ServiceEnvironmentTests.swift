import Glibc
import Testing

@testable import TuttiServiceHost

@Suite("The service manager's variables")
struct ServiceEnvironmentTests {
    static let socket = "/run/notify"
    static let cases: [([String: String], String?, Duration?)] = [
        ([:], nil, nil),
        (["NOTIFY_SOCKET": socket], socket, nil),
        (["NOTIFY_SOCKET": "@abstract"], "@abstract", nil),
        (["NOTIFY_SOCKET": "vsock:2:1234"], nil, nil),
        (["NOTIFY_SOCKET": ""], nil, nil),
        (["NOTIFY_SOCKET": "/"], nil, nil),
        (
            ["NOTIFY_SOCKET": "/" + String(repeating: "a", count: 106)],
            "/" + String(repeating: "a", count: 106), nil
        ),
        (["NOTIFY_SOCKET": "/" + String(repeating: "a", count: 107)], nil, nil),
        (["NOTIFY_SOCKET": socket, "WATCHDOG_USEC": "30000000"], socket, .seconds(30)),
        (["NOTIFY_SOCKET": socket, "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "77"], socket, .seconds(30)),
        (["NOTIFY_SOCKET": socket, "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "78"], socket, nil),
        (["NOTIFY_SOCKET": socket, "WATCHDOG_USEC": "0"], socket, nil),
        (["NOTIFY_SOCKET": socket, "WATCHDOG_USEC": "-1"], socket, nil),
        (["NOTIFY_SOCKET": socket, "WATCHDOG_USEC": "9223372036854775807"], socket, nil),
        (["NOTIFY_SOCKET": socket, "WATCHDOG_USEC": "soon"], socket, nil),
        (["WATCHDOG_USEC": "30000000"], nil, nil),
    ]

    @Test("a valid variable has its meaning, and a malformed one none", arguments: cases)
    func meaning(values: [String: String], address: String?, limit: Duration?) {
        let environment = ServiceEnvironment(values, processID: 77)
        #expect(environment.socketAddress == address)
        #expect(environment.watchdogLimit == limit)
    }

    @Test("the variables are removed when they are taken")
    func removed() {
        var values = [
            "NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": "1000000", "WATCHDOG_PID": "\(getpid())",
            "HOME": "/",
        ]
        let environment = ServiceEnvironment.take(read: { values[$0] }, remove: { values[$0] = nil })
        #expect(environment.socketAddress == "/run/notify")
        #expect(environment.watchdogLimit == .seconds(1))
        #expect(values == ["HOME": "/"])
    }
}
