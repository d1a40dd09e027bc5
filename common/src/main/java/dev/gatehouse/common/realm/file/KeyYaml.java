package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.key.KeyAlgorithm;
import dev.gatehouse.common.key.Pem;
import dev.gatehouse.common.realm.KeyConfig;
import dev.gatehouse.common.realm.KeyConfig.KeyFiles;
import dev.gatehouse.common.realm.Secret;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code keys} of a realm, and the PEM files that any section names. */
final class KeyYaml {

  private static final Map<String, KeyAlgorithm> ALGORITHMS = new LinkedHashMap<>();

  /** Maps the key's value to whether the key is published. */
  private static final Map<String, Boolean> ENCRYPTION_KEY = new LinkedHashMap<>();

  static {
    ALGORITHMS.put("rsa-2048", KeyAlgorithm.RSA_2048);
    ALGORITHMS.put("rsa-3072", KeyAlgorithm.RSA_3072);
    ALGORITHMS.put("p-256", KeyAlgorithm.P_256);
    ENCRYPTION_KEY.put("published", true);
    ENCRYPTION_KEY.put("none", false);
  }

  private final YamlSection keys;

  KeyYaml(YamlSection keys) {
    this.keys = keys;
  }

  KeyConfig read() {
    boolean published = keys.read("encryptionKey", true, v -> v.choice(ENCRYPTION_KEY));
    KeyConfig signing = signing();
    return new KeyConfig(signing.algorithm(), signing.files(), published);
  }

  private KeyConfig signing() {
    Optional<KeyAlgorithm> algorithm = keys.value("algorithm").flatMap(v -> v.choice(ALGORITHMS));
    Optional<YamlValue> privateKey = keys.value("privateKey");
    Optional<YamlValue> certificate = keys.value("certificate");
    Optional<YamlValue> pkcs12 = keys.value("pkcs12");
    Optional<YamlValue> password = keys.value("password");
    if (pkcs12.isPresent()) {
      for (String beside : List.of("privateKey", "certificate")) {
        if (keys.has(beside)) {
          keys.problem(beside, "stands beside pkcs12",
              "keep either pkcs12 and password, or privateKey and certificate");
        }
      }
      return files(algorithm, password.flatMap(p -> pkcs12(pkcs12.get(), p)), "password", password.isPresent());
    }
    if (password.isPresent()) {
      keys.problem("password", "stands without pkcs12",
          "write pkcs12: FILE, or remove it (PEM keys are not encrypted)");
    }
    if (privateKey.isEmpty() && certificate.isEmpty()) {
      return new KeyConfig(algorithm.orElse(KeyAlgorithm.RSA_2048), Optional.empty());
    }
    boolean both = privateKey.isPresent() && certificate.isPresent();
    Optional<Keys> pair = privateKey.flatMap(key -> certificate.flatMap(c -> signingPem(key, c)));
    return files(algorithm, pair, privateKey.isPresent() ? "certificate" : "privateKey", both);
  }

  /** Files of a key, and the algorithm of the key in them. */
  private record Keys(KeyFiles files, KeyAlgorithm algorithm) {}

  private KeyConfig files(Optional<KeyAlgorithm> asked, Optional<Keys> found, String partner, boolean complete) {
    if (!complete && !keys.has(partner)) {
      keys.problem(partner, "is missing", "write it beside the other, or remove both to have keys made at first start");
    }
    found
        .filter(f -> asked.isPresent() && !asked.get().equals(f.algorithm()))
        .ifPresent(f -> keys.problem("algorithm", "is not that of the key", "remove it: the key tells its algorithm"));
    KeyAlgorithm algorithm = found.map(Keys::algorithm).or(() -> asked).orElse(KeyAlgorithm.RSA_2048);
    return new KeyConfig(algorithm, found.map(Keys::files));
  }

  private static Optional<Keys> signingPem(YamlValue privateKey, YamlValue certificate) {
    Optional<KeyFiles.Pem> pem = pem(privateKey, certificate);
    Optional<KeyAlgorithm> algorithm =
        pem.flatMap(p -> certificate(certificate)).flatMap(c -> algorithm(certificate, c.getPublicKey()));
    return pem.flatMap(p -> algorithm.map(a -> new Keys(p, a)));
  }

  /** Reads a private key and its certificate (chain), which must belong together. */
  static Optional<KeyFiles.Pem> pem(YamlValue privateKey, YamlValue certificate) {
    Optional<X509Certificate> x509 = certificate(certificate);
    Optional<PrivateKey> key = privateKey.content().flatMap(content -> privateKey(privateKey, content));
    if (x509.isEmpty() || key.isEmpty()) {
      return Optional.empty();
    }
    try {
      if (Pem.isPair(key.get(), x509.get())) {
        return Optional.of(new KeyFiles.Pem(privateKey.path(), certificate.path()));
      }
    } catch (GeneralSecurityException e) {
      // A key that cannot sign does not match, either.
    }
    return privateKey.wrong("does not match the certificate " + certificate.shownPath(),
        "use the two that were made together");
  }

  private static Optional<PrivateKey> privateKey(YamlValue value, byte[] content) {
    try {
      return Optional.of(Pem.privateKey(content));
    } catch (GeneralSecurityException e) {
      return value.wrong("is not a PEM private key: " + e.getMessage(), "write the path of a PKCS#8 PEM file");
    }
  }

  /** Reads the first certificate of a PEM file. */
  static Optional<X509Certificate> certificate(YamlValue value) {
    return value.content().flatMap(content -> certificate(value, content));
  }

  private static Optional<X509Certificate> certificate(YamlValue value, byte[] content) {
    try {
      return Optional.of(Pem.certificates(content).getFirst());
    } catch (GeneralSecurityException e) {
      return value.wrong("is not a PEM certificate: " + value.shownPath(),
          "write the path of a file with BEGIN CERTIFICATE");
    }
  }

  private static Optional<KeyAlgorithm> algorithm(YamlValue value, PublicKey key) {
    // Ed25519 keys sign tokens only, and those keys are generated here.
    Optional<KeyAlgorithm> algorithm = KeyAlgorithm.of(key).filter(known -> known != KeyAlgorithm.ED_25519);
    return algorithm.isPresent()
        ? algorithm
        : value.wrong("holds a key that is too weak or of another kind", "use RSA of at least 2048 bits, or P-256");
  }

  private static Optional<Keys> pkcs12(YamlValue store, YamlValue password) {
    return store.content().flatMap(content -> pkcs12(store, password, content));
  }

  private static Optional<Keys> pkcs12(YamlValue store, YamlValue password, byte[] content) {
    String path = store.shownPath();
    char[] secret = password.text().toCharArray();
    try {
      KeyStore keyStore = KeyStore.getInstance("PKCS12");
      keyStore.load(new ByteArrayInputStream(content), secret);
      List<String> aliases = new ArrayList<>();
      for (String alias : Collections.list(keyStore.aliases())) {
        if (keyStore.isKeyEntry(alias)) {
          aliases.add(alias);
        }
      }
      if (aliases.size() != 1) {
        return store.wrong("holds " + aliases.size() + " private keys: " + path, "keep exactly one in it");
      }
      if (!(keyStore.getCertificate(aliases.getFirst()) instanceof X509Certificate certificate)
          || !(keyStore.getKey(aliases.getFirst(), secret) instanceof PrivateKey key)
          || !Pem.isPair(key, certificate)) {
        return store.wrong("holds a key without its certificate: " + path, "export both: openssl pkcs12 -export");
      }
      Secret kept = new Secret(password.text());
      return algorithm(store, certificate.getPublicKey())
          .map(a -> new Keys(new KeyFiles.Pkcs12(store.path(), kept), a));
    } catch (GeneralSecurityException | IOException e) {
      return store.wrong("cannot be opened: " + path, "check that it is a PKCS#12 store and that password fits");
    }
  }
}
