package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.realm.KeyConfig;
import dev.gatehouse.common.realm.KeyConfig.KeyFiles;
import dev.gatehouse.common.realm.KeyConfig.KeyInToken;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Pems;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads {@code keys} of a realm. */
final class KeyYaml {

  static final Section KEYS = new Section();
  private static final Key<KeyAlgorithm> ALGORITHM =
      KEYS.key(
          "algorithm",
          Type.choice(a -> a.name().toLowerCase(Locale.ROOT).replace('_', '-'), KeyAlgorithm.RSA_2048, KeyAlgorithm.RSA_3072, KeyAlgorithm.P_256),
          "rsa-2048", "The algorithm of keys that are created at the first start; a key from a file has its own.");
  private static final Key<YamlValue> PRIVATE_KEY =
      KEYS.key("privateKey", Type.SECRET_FILE, "e.g. realm.key", "The private key: PKCS#8 PEM, with `certificate`.");
  private static final Key<YamlValue> CERTIFICATE = KEYS.key("certificate", Type.FILE, "e.g. realm.pem",
      "The certificate: PEM, with `privateKey`.");
  private static final Key<YamlValue> PKCS12 =
      KEYS.key(
          "pkcs12", Type.SECRET_FILE, "e.g. realm.p12", "A PKCS#12 store with one private key, in place of PEM files; with `password`.");
  private static final Key<YamlValue> PASSWORD =
      KEYS.key("password", Type.secret(Optional::of), "e.g. ${REALM_KEY_PASSWORD}", "The password of `pkcs12`.");
  private static final Key<Boolean> ENCRYPTION_KEY =
      KEYS.key(
          "encryptionKey", Type.choice(p -> p ? "published" : "none", true, false), "published",
          "`none`: metadata lists no encryption key, for partners that support only AES-CBC, which we refuse.");

  private static final Section IN_TOKEN = new Section();
  private static final Key<String> TOKEN =
      IN_TOKEN.required("token", Type.NAME, "hsm", "write the name of a token of pkcs11 in gatehouse.yaml", "A token of `pkcs11` in `gatehouse.yaml`.");
  private static final Key<KeyInToken.Use> USE =
      IN_TOKEN.key(
          "use", Type.choice(KeyInToken.Use.class), "signing",
          "`signing`: SAML messages of idp and sp; `encryption`: what partners encrypt (RSA); `tokensRsa`, `tokensP256`: tokens of the idp; "
              + "`identityRsa`, `identityP256`: identity tokens for apps.");
  private static final Key<KeyInToken.State> STATE =
      IN_TOKEN.key(
          "state", Type.choice(KeyInToken.State.class), "current",
          "`current` signs; `next` and `previous` are published beside it. Keys for encryption of all states decrypt.");
  private static final Key<String> LABEL =
      IN_TOKEN.required("label", Type.TEXT, "staff-2026", "write the label of the private key in the token", "The label (CKA_LABEL) of the private key.");
  private static final Key<YamlValue> TOKEN_CERTIFICATE =
      IN_TOKEN.key("certificate", Type.FILE, "e.g. staff-2026.pem", "The certificate: PEM. Default: the token's own, by the key's CKA_ID or label.");
  private static final Key<Void> IN_TOKENS =
      KEYS.sections(
          "pkcs11", IN_TOKEN,
          "Private keys in PKCS#11 tokens, in place of others of their use. The other uses keep keys that are made here. Rotate by naming "
              + "another key.");
  private static final Key<Boolean> FORMER_KEYS =
      KEYS.key(
          "formerKeys", Type.choice(p -> p ? "keep" : "drop", true, false), "drop",
          "`keep`: beside keys in tokens, those in files are still published, and decrypt. For the days after a change to tokens.");

  private final YamlSection keys;

  KeyYaml(YamlSection keys) {
    this.keys = keys;
  }

  KeyConfig read() {
    boolean published = keys.get(ENCRYPTION_KEY);
    KeyConfig signing = signing();
    List<KeyInToken> inTokens = keys.sections(IN_TOKENS).stream().flatMap(section -> inToken(section).stream()).toList();
    if (keys.has(FORMER_KEYS) && !keys.has(IN_TOKENS)) {
      keys.problem(FORMER_KEYS, "has no effect without pkcs11", "remove it");
    }
    return new KeyConfig(signing.algorithm(), signing.files(), published, once(inTokens), keys.get(FORMER_KEYS));
  }

  private static Optional<KeyInToken> inToken(YamlSection key) {
    Optional<String> token = key.find(TOKEN);
    Optional<String> label = key.find(LABEL);
    Optional<YamlValue> file = key.find(TOKEN_CERTIFICATE);
    boolean isRead =
        file.isEmpty() || file.flatMap(f -> Pems.CERTIFICATE.parser().apply(f).flatMap(c -> algorithm(f, c.getPublicKey()))).isPresent();
    return !isRead
        ? Optional.empty()
        : token.flatMap(
            name -> label.map(own -> new KeyInToken(name, key.get(USE), key.get(STATE), own, file.map(YamlValue::onDisk))));
  }

  /** There may be several previous keys. */
  private List<KeyInToken> once(List<KeyInToken> inTokens) {
    Set<String> places = new HashSet<>();
    for (KeyInToken key : inTokens) {
      if (key.state() != KeyInToken.State.PREVIOUS && !places.add(key.use() + " " + key.state())) {
        keys.problem(
            IN_TOKENS, "has two keys for one use that are " + key.state().name().toLowerCase(Locale.ROOT),
            "write another state for one of them: current, next or previous");
      }
    }
    return inTokens;
  }

  private KeyConfig signing() {
    Optional<KeyAlgorithm> algorithm = keys.find(ALGORITHM);
    Optional<YamlValue> privateKey = keys.find(PRIVATE_KEY);
    Optional<YamlValue> certificate = keys.find(CERTIFICATE);
    Optional<YamlValue> pkcs12 = keys.find(PKCS12);
    Optional<YamlValue> password = keys.find(PASSWORD);
    if (pkcs12.isPresent()) {
      for (Key<?> beside : List.of(PRIVATE_KEY, CERTIFICATE)) {
        if (keys.has(beside)) {
          keys.problem(beside, "stands beside pkcs12",
              "keep either pkcs12 and password, or privateKey and certificate");
        }
      }
      return files(algorithm, password.flatMap(p -> pkcs12(pkcs12.get(), p)), PASSWORD, password.isPresent());
    }
    if (password.isPresent()) {
      keys.problem(PASSWORD, "stands without pkcs12",
          "write pkcs12: FILE, or remove it (PEM keys are not encrypted)");
    }
    if (privateKey.isEmpty() && certificate.isEmpty()) {
      return new KeyConfig(algorithm.orElse(KeyAlgorithm.RSA_2048), Optional.empty());
    }
    boolean both = privateKey.isPresent() && certificate.isPresent();
    Optional<Keys> pair = privateKey.flatMap(key -> certificate.flatMap(c -> signingPem(key, c)));
    return files(algorithm, pair, privateKey.isPresent() ? CERTIFICATE : PRIVATE_KEY, both);
  }

  /** Files of a key, and the algorithm of the key in them. */
  private record Keys(KeyFiles files, KeyAlgorithm algorithm) {}

  private KeyConfig files(Optional<KeyAlgorithm> asked, Optional<Keys> found, Key<?> partner, boolean complete) {
    if (!complete && !keys.has(partner)) {
      keys.problem(partner, "is missing", "write it beside the other, or remove both to have keys generated at the first start");
    }
    found
        .filter(f -> asked.isPresent() && !asked.get().equals(f.algorithm()))
        .ifPresent(f -> keys.problem(ALGORITHM, "is not that of the key", "remove it: the key tells its algorithm"));
    KeyAlgorithm algorithm = found.map(Keys::algorithm).or(() -> asked).orElse(KeyAlgorithm.RSA_2048);
    return new KeyConfig(algorithm, found.map(Keys::files));
  }

  private static Optional<Keys> signingPem(YamlValue privateKey, YamlValue certificate) {
    Optional<KeyFiles.Pem> pem = Pems.pair(privateKey, certificate);
    Optional<KeyAlgorithm> algorithm =
        pem.flatMap(p -> Pems.CERTIFICATE.parser().apply(certificate)).flatMap(c -> algorithm(certificate, c.getPublicKey()));
    return pem.flatMap(p -> algorithm.map(a -> new Keys(p, a)));
  }

  private static Optional<KeyAlgorithm> algorithm(YamlValue value, PublicKey key) {
    // Ed25519 keys sign tokens only, and those keys are generated here.
    Optional<KeyAlgorithm> algorithm = KeyAlgorithm.of(key).filter(known -> known != KeyAlgorithm.ED_25519);
    return algorithm.isPresent()
        ? algorithm
        : value.wrong("holds a key that is too weak or of another kind", "use RSA of at least 2048 bits, or P-256");
  }

  private static Optional<Keys> pkcs12(YamlValue store, YamlValue password) {
    return store.secretContent().flatMap(content -> pkcs12(store, password, content));
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
          .map(a -> new Keys(new KeyFiles.Pkcs12(store.onDisk(), kept), a));
    } catch (GeneralSecurityException | IOException e) {
      return store.wrong("cannot be opened: " + path, "check that it is a PKCS#12 store and that password fits");
    }
  }
}
