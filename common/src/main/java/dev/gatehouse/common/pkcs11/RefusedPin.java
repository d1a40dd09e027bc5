package dev.gatehouse.common.pkcs11;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * The mark of a PIN that the token refused, so that a service manager that starts the node again and again does not lock the token. It
 * holds a slow digest: another PIN is tried.
 */
final class RefusedPin {

  private static final int ROUNDS = 200_000;
  private static final int SALT = 16;
  private static final int BITS = 256;

  private final Path file;

  RefusedPin(Path data, String token) {
    this.file = data.resolve("pkcs11").resolve(token + ".refused");
  }

  Path file() {
    return file;
  }

  boolean is(byte[] pin) {
    try {
      String[] parts = Files.readString(file).strip().split(" ", 2);
      byte[] salt = HexFormat.of().parseHex(parts[0]);
      return MessageDigest.isEqual(digest(pin, salt), HexFormat.of().parseHex(parts[1]));
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException | IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      // A mark that cannot be read is one nevertheless.
      return true;
    }
  }

  void remember(byte[] pin) throws IOException {
    byte[] salt = new byte[SALT];
    new SecureRandom().nextBytes(salt);
    Files.createDirectories(file.getParent());
    Files.deleteIfExists(file);
    Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, HexFormat.of().formatHex(salt) + " " + HexFormat.of().formatHex(digest(pin, salt)) + "\n");
  }

  void forget() throws IOException {
    Files.deleteIfExists(file);
  }

  private static byte[] digest(byte[] pin, byte[] salt) {
    char[] characters = StandardCharsets.ISO_8859_1.decode(java.nio.ByteBuffer.wrap(pin)).array();
    PBEKeySpec spec = new PBEKeySpec(characters, salt, ROUNDS, BITS);
    try {
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } finally {
      spec.clearPassword();
      Arrays.fill(characters, ' ');
    }
  }
}
