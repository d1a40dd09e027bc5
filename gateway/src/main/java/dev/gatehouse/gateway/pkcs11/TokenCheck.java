package dev.gatehouse.gateway.pkcs11;

import dev.gatehouse.common.key.Pkcs11Keys;
import dev.gatehouse.common.pkcs11.Pkcs11Tokens;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.file.Configuration;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What commands that run without a node say of PKCS#11 tokens and the keys in them. */
public final class TokenCheck {

  private TokenCheck() {}

  /** Opens the tokens and finds the keys; returns problems with the remedy. */
  public static List<Problem> of(ConfigurationFiles.Result read) {
    return read.usable().map(configuration -> of(configuration, read.root())).orElse(List.of());
  }

  private static List<Problem> of(Configuration configuration, Path root) {
    try (Pkcs11Tokens tokens = Pkcs11Tokens.of(configuration.node())) {
      List<Problem> problems = new ArrayList<>();
      tokens.problems().forEach(sentence -> problems.add(new Problem(root.resolve(ConfigurationFiles.NODE), 0, "pkcs11", "cannot be used", sentence)));
      if (problems.isEmpty()) {
        Pkcs11Keys keys = new Pkcs11Keys(tokens);
        configuration.realms().forEach(realm -> problems.addAll(keys.problems(realm.keys(), root.resolve("realms").resolve(realm.name() + ".yaml"))));
      }
      return problems;
    }
  }
}
