package dev.gatehouse.common.key;

import dev.gatehouse.common.pkcs11.Pkcs11Tokens;
import dev.gatehouse.common.pkcs11.TokenUnavailable;
import dev.gatehouse.common.realm.Realm;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Optional;

/** Looks whether the keys that a realm has in tokens can be used. */
public final class Pkcs11Keys {

  private Pkcs11Keys() {}

  /** Returns why not, in a sentence with the remedy; empty if all can be used. */
  public static Optional<String> problem(Realm realm, Pkcs11Tokens tokens) {
    try {
      Pkcs11KeyRing.require(realm.keys(), tokens);
      return Optional.empty();
    } catch (TokenUnavailable e) {
      return Optional.of("realm " + realm.name() + ": " + e.sentence());
    } catch (IOException | GeneralSecurityException e) {
      return Optional.of("realm " + realm.name() + ": " + e.getMessage());
    }
  }
}
