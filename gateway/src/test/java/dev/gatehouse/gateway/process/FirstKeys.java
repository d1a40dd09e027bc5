package dev.gatehouse.gateway.process;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.key.FileKeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.file.Configuration;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.time.InstantSource;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The keys for SAML of a node that has not started yet: at its first start it finds them in its data, and looks for no primes. So partners
 * can be told of them before.
 */
public final class FirstKeys {

  private static final List<KeyUse> USES =
      List.of(KeyUse.IDP_SIGNING, KeyUse.IDP_ENCRYPTION, KeyUse.SP_SIGNING, KeyUse.SP_ENCRYPTION);

  /** By the name of the realm. */
  private final Map<String, Map<KeyUse, SigningKey>> keys = new HashMap<>();

  private FirstKeys() {}

  /**
   * Makes the keys of all realms.
   *
   * @param config the configuration with which the node is to start
   * @param environment for its {@code ${NAME}}s
   */
  public static FirstKeys make(Path config, Map<String, String> environment) {
    FirstKeys made = new FirstKeys();
    Configuration configuration = load(config, environment);
    FileKeyRings rings = new FileKeyRings(configuration.node().data(), InstantSource.system(), new SecureRandom());
    for (Realm realm : configuration.realms()) {
      Map<KeyUse, SigningKey> own = new EnumMap<>(KeyUse.class);
      for (KeyUse use : USES) {
        if (use.isIdp() ? realm.idp().isPresent() : realm.sp().isPresent()) {
          own.put(use, rings.of(realm).current(use));
        }
      }
      made.keys.put(realm.name(), own);
    }
    return made;
  }

  private static Configuration load(Path config, Map<String, String> environment) {
    try {
      return new ConfigurationFiles(config, environment).load();
    } catch (ConfigurationInvalid e) {
      throw new IllegalStateException(String.valueOf(e.problems()), e);
    }
  }

  /** Returns the key's certificate in Base64, on one line. */
  public String certificate(String realm, KeyUse use) {
    SigningKey key = Optional.ofNullable(keys.getOrDefault(realm, Map.of()).get(use)).orElseThrow();
    try {
      return Base64.getEncoder().encodeToString(key.certificate().getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }
}
