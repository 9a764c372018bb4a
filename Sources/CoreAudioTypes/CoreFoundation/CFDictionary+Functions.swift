import Foundation

// Dictionaries in the C spelling. Keys and values are given by the addresses of their objects.

/// How many keys a dictionary has; 0 if there is no dictionary.
@discardableResult
public func CFDictionaryGetCount(_ theDict: CFDictionary!) -> CFIndex { theDict?.count ?? 0 }

/// The address of the object of a key, which the dictionary keeps; `nil` if it does not have the key.
///
/// The address stays right until the dictionary changes or goes away.
@discardableResult
public func CFDictionaryGetValue(_ theDict: CFDictionary!, _ key: UnsafeRawPointer!) -> UnsafeRawPointer! {
    guard let theDict, let key, let name = object(at: key) as? NSObject,
        let value = theDict.object(forKey: name)
    else { return nil }
    return LentObjects.shared.address(of: value, in: theDict, at: name)
}

/// Whether a dictionary has a key, and the address of the key's object.
@discardableResult
public func CFDictionaryGetValueIfPresent(
    _ theDict: CFDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeMutablePointer<UnsafeRawPointer?>!
) -> Bool {
    guard let found = CFDictionaryGetValue(theDict, key) else { return false }
    value?.pointee = found
    return true
}

/// Whether a dictionary has a key.
@discardableResult
public func CFDictionaryContainsKey(_ theDict: CFDictionary!, _ key: UnsafeRawPointer!) -> Bool {
    guard let theDict, let key, let name = object(at: key) as? NSObject else { return false }
    return theDict.object(forKey: name) != nil
}

/// Sets the object of a key, in place of another one.
public func CFDictionarySetValue(
    _ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!
) {
    guard let theDict, let key, let value, let name = object(at: key) as? NSObject else { return }
    theDict.setObject(object(at: value), forKey: name)
}

/// Sets the object of a key that the dictionary does not have.
public func CFDictionaryAddValue(
    _ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!
) {
    if !CFDictionaryContainsKey(theDict, key) { CFDictionarySetValue(theDict, key, value) }
}

/// Sets the object of a key that the dictionary has.
public func CFDictionaryReplaceValue(
    _ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!
) {
    if CFDictionaryContainsKey(theDict, key) { CFDictionarySetValue(theDict, key, value) }
}

/// Takes a key and its object out.
public func CFDictionaryRemoveValue(_ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!) {
    guard let theDict, let key, let name = object(at: key) as? NSObject else { return }
    theDict.removeObject(forKey: name)
}

/// Takes all keys and objects out.
public func CFDictionaryRemoveAllValues(_ theDict: CFMutableDictionary!) { theDict?.removeAllObjects() }

/// The truth of a Boolean object; false if there is none.
@discardableResult
public func CFBooleanGetValue(_ boolean: CFBoolean!) -> Bool { boolean?.boolValue ?? false }
