import Testing
import TuttiCryptography

/// RFC 5054, appendix B: the 1024-bit group with SHA-1.
@Suite("The worked example of RFC 5054")
struct SRPPublishedExampleTests {
    static let formulas = SRPFormulas<SHA1>(group: .rfc5054Bits1024)
    static let userName = Array("alice".utf8)
    static let password = Array("password123".utf8)
    static let salt = [UInt8](hex: "BEB25379 D1A8581E B5A72767 3A2441EE")
    static let x = [UInt8](hex: "94B7555A ABE9127C C58CCF49 93DB6CF8 4D16C124")
    static let a = [UInt8](hex: "60975527035CF2AD1989806F0407210BC81EDC04E2762A56AFD529DDDA2D4393")
    static let b = [UInt8](hex: "E487CB59D31AC550471E81F00F6928E01DDA08E974A004F49E61F5D105284D20")
    static let u = [UInt8](hex: "CE38B959 3487DA98 554ED47D 70A7AE5F 462EF019")
    static let verifier = [UInt8](
        hex: """
            7E273DE8696FFC4F4E337D05B4B375BEB0DDE1569E8FA00A9886D8129BADA1F1
            822223CA1A605B530E379BA4729FDC59F105B4787E5186F5C671085A1447B52A
            48CF1970B4FB6F8400BBF4CEBFBB168152E08AB5EA53D15C1AFF87B2B9DA6E04
            E058AD51CC72BFC9033B564E26480D78E955A5E29E7AB245DB2BE315E2099AFB
            """)
    static let clientPublicKey = [UInt8](
        hex: """
            61D5E490F6F1B79547B0704C436F523DD0E560F0C64115BB72557EC44352E890
            3211C04692272D8B2D1A5358A2CF1B6E0BFCF99F921530EC8E39356179EAE45E
            42BA92AEACED825171E1E8B9AF6D9C03E1327F44BE087EF06530E69F66615261
            EEF54073CA11CF5858F0EDFDFE15EFEAB349EF5D76988A3672FAC47B0769447B
            """)
    static let serverPublicKey = [UInt8](
        hex: """
            BD0C61512C692C0CB6D041FA01BB152D4916A1E77AF46AE105393011BAF38964
            DC46A0670DD125B95A981652236F99D9B681CBF87837EC996C6DA04453728610
            D0C6DDB58B318885D7D82C7F8DEB75CE7BD4FBAA37089E6F9C6059F388838E7A
            00030B331EB76840910440B1B27AAEAEEB4012B7D7665238A8E3FB004B117B58
            """)
    static let secret = [UInt8](
        hex: """
            B0DC82BABCF30674AE450C0287745E7990A3381F63B387AAF271A10D233861E3
            59B48220F7C4693C9AE12B0A6F67809F0876E2D013800D6C41BB59B6D5979B5C
            00A172B4A2A5903A0BDCAF8A709585EB2AFAFA8F3499B200210DCC1F10EB3394
            3CD67FC88A2F39A4BE5BEC4EC0A3212DC346D7E474B29EDE8A469FFECA686E5A
            """)

    @Test("k, x and v match")
    func password() {
        #expect(
            Self.formulas.multiplier == [UInt8](hex: "7556AA04 5AEF2CDD 07ABAF0F 665C3E81 8913186F"))
        #expect(
            Self.formulas.privateKey(salt: Self.salt, userName: Self.userName, password: Self.password)
                == Self.x)
        #expect(Self.formulas.power(Self.x) == Self.verifier)
    }

    @Test("A, B and u match")
    func publicKeys() {
        #expect(Self.formulas.power(Self.a) == Self.clientPublicKey)
        #expect(
            Self.formulas.serverPublicKey(verifier: Self.verifier, privateValue: Self.b)
                == Self.serverPublicKey)
        #expect(
            Self.formulas.scrambler(
                clientPublicKey: Self.clientPublicKey, serverPublicKey: Self.serverPublicKey) == Self.u)
    }

    @Test("the secret matches on both sides")
    func secrets() {
        #expect(
            Self.formulas.clientSecret(
                serverPublicKey: Self.serverPublicKey, privateKey: Self.x, privateValue: Self.a,
                scrambler: Self.u) == Self.secret)
        #expect(
            Self.formulas.serverSecret(
                clientPublicKey: Self.clientPublicKey, verifier: Self.verifier, privateValue: Self.b,
                scrambler: Self.u) == Self.secret)
    }

    @Test("client and server reach the secret through their public API")
    func exchange() throws {
        let server = SRPServer<SHA1>(
            group: .rfc5054Bits1024, userName: Self.userName, password: Self.password, salt: Self.salt,
            privateValue: Self.b)
        #expect(server.publicKey == Self.serverPublicKey)
        let client = SRPClient<SHA1>(
            group: .rfc5054Bits1024, userName: Self.userName, password: Self.password)
        let sent = try client.respond(
            salt: Self.salt, serverPublicKey: server.publicKey, privateValue: Self.a)
        #expect(sent.publicKey == Self.clientPublicKey)
        let answer = try server.verify(clientPublicKey: sent.publicKey, clientProof: sent.proof)
        #expect(answer.sessionKey == SHA1.hash(Self.secret))
        #expect(try sent.sessionKey(serverProof: answer.proof) == answer.sessionKey)
    }
}
