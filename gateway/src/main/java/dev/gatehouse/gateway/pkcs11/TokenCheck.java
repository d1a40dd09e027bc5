package dev.gatehouse.gateway.pkcs11;

import dev.gatehouse.common.key.Pkcs11Keys;
import dev.gatehouse.common.pkcs11.Pkcs11Tokens;
import dev.gatehouse.common.realm.file.Configuration;
import java.util.ArrayList;
import java.util.List;

/** What {@code check} says of PKCS#11 tokens and the keys in them. */
public final class TokenCheck {

  private TokenCheck() {}

  /** Opens the tokens and finds the keys; returns problems in sentences with the remedy. */
  public static List<String> of(Configuration configuration) {
    try (Pkcs11Tokens tokens = Pkcs11Tokens.of(configuration.node())) {
      List<String> problems = new ArrayList<>(tokens.problems());
      if (problems.isEmpty()) {
        configuration.realms().forEach(realm -> Pkcs11Keys.problem(realm, tokens).ifPresent(problems::add));
      }
      return problems;
    }
  }
}
