import AirPlayMessages
import HomeKitPairing

/// The body of `POST /pair-setup-pin` and of its answers: a binary property list. An Apple TV may leave out any
/// value; the procedure says which it needs.
extension FruitPairingMessage: PropertyListMessage {
    /// Reads the message; a value of another type counts as missing.
    package init(propertyList: PropertyList) throws(MessageError) {
        guard propertyList.dictionaryValue != nil else {
            throw .wrongType(key: "body", expected: "dictionary")
        }
        self.init()
        (method, user) = (propertyList["method"]?.stringValue, propertyList["user"]?.stringValue)
        (publicKey, salt) = (propertyList["pk"]?.dataValue, propertyList["salt"]?.dataValue)
        proof = propertyList["proof"]?.dataValue
        (sealedKey, tag) = (propertyList["epk"]?.dataValue, propertyList["authTag"]?.dataValue)
    }

    /// The message with the values that it has.
    package var propertyList: PropertyList {
        let texts = [("method", method), ("user", user)].compactMap { key, text in
            text.map { (key, PropertyList.string($0)) }
        }
        let bytes = [
            ("pk", publicKey), ("salt", salt), ("proof", proof), ("epk", sealedKey), ("authTag", tag),
        ].compactMap { key, value in value.map { (key, PropertyList.data($0)) } }
        return .dictionary(Dictionary(texts + bytes) { first, _ in first })
    }
}
