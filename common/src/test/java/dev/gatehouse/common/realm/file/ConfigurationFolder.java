package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.Realm;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A configuration directory under construction. */
public final class ConfigurationFolder {

  public static final String MINIMAL =
      """
      idp:
        publicUrl: http://idp.localhost:8080
      sp:
        publicUrl: http://app.localhost:8000
      directory:
        urls: ldap://localhost:10389
        base: dc=example,dc=org
      partners:
        - entityId: http://idp.localhost:8080/realms/demo
        - entityId: http://app.localhost:8000/.gatehouse/saml/metadata
          release: [uid, mail, roles, groups]
      routes:
        - path: /
          upstream: http://127.0.0.1:9000
      """;

  public final Path path;
  public final Map<String, String> environment = new HashMap<>();

  private ConfigurationFolder(Path path) {
    this.path = path;
  }

  /** Creates a directory with an empty {@code gatehouse.yaml} and the minimal realm {@code demo}. */
  public static ConfigurationFolder minimal(Path path) {
    ConfigurationFolder folder = new ConfigurationFolder(path);
    return folder.write("gatehouse.yaml", "").write("realms/demo.yaml", MINIMAL);
  }

  public ConfigurationFolder write(String name, String text) {
    try {
      Path file = path.resolve(name);
      Files.createDirectories(file.getParent() == null ? path : file.getParent());
      Files.writeString(file, text);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public ConfigurationFolder node(String text) {
    return write("gatehouse.yaml", text);
  }

  public ConfigurationFolder demo(String text) {
    return write("realms/demo.yaml", text);
  }

  /** The minimal realm with one text replaced, which must be there. */
  public ConfigurationFolder demo(String old, String replacement) {
    if (!MINIMAL.contains(old)) {
      throw new IllegalArgumentException("not in the minimal realm: " + old);
    }
    return demo(MINIMAL.replace(old, replacement));
  }

  /** NAME.key and NAME.pem. */
  public ConfigurationFolder pem(String name, SigningKey key) throws GeneralSecurityException {
    return write(name + ".key", pem("PRIVATE KEY", key.privateKey().getEncoded()))
        .write(name + ".pem", pem("CERTIFICATE", key.certificate().getEncoded()));
  }

  public static String pem(String type, byte[] content) {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
  }

  public ConfigurationFolder pkcs12(String name, SigningKey key, String password) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("key", key.privateKey(), password.toCharArray(), new Certificate[] {key.certificate()});
    write(name, "");
    try (OutputStream out = Files.newOutputStream(path.resolve(name))) {
      store.store(out, password.toCharArray());
    }
    return this;
  }

  public ConfigurationFiles files() {
    return new ConfigurationFiles(path, environment);
  }

  /** Loads what must be good, also for editors that check it by the schemas. */
  public Configuration load() {
    try {
      Configuration configuration = files().load();
      if (!SchemaViolations.of(path).isEmpty()) {
        throw new AssertionError(SchemaViolations.of(path));
      }
      return configuration;
    } catch (ConfigurationInvalid e) {
      throw new AssertionError(e.getMessage(), e);
    }
  }

  public Realm realm() {
    return load().realms().getFirst();
  }

  public List<Problem> problems() {
    return files().check().problems();
  }
}
