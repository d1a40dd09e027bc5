package dev.gatehouse.gateway.demo.nodes;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Properties;

/** The secrets of the demo's servers, made at the first start and kept in a file that only its owner may read. */
record DemoSecrets(String masterKey, String postgresql, String valkey) {
  private static final int KEY_BYTES = 32;
  private static final int PASSWORD_BYTES = 16;

  static DemoSecrets ensure(Path file) {
    try {
      if (Files.exists(file)) {
        Properties stored = new Properties();
        stored.load(new StringReader(Files.readString(file)));
        return new DemoSecrets(stored.getProperty("masterKey", ""), stored.getProperty("postgresql", ""), stored.getProperty("valkey", ""));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    SecureRandom random = new SecureRandom();
    DemoSecrets made =
        new DemoSecrets(
            Base64.getEncoder().encodeToString(bytes(random, KEY_BYTES)), HexFormat.of().formatHex(bytes(random, PASSWORD_BYTES)),
            HexFormat.of().formatHex(bytes(random, PASSWORD_BYTES)));
    ServerAccount.THIS.write(
        file, "masterKey: " + made.masterKey + "\npostgresql: " + made.postgresql + "\nvalkey: " + made.valkey + "\n");
    return made;
  }

  private static byte[] bytes(SecureRandom random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Does not contain the secrets. */
  @Override
  public String toString() {
    return "DemoSecrets";
  }
}
