package dev.gatehouse.common.registry;

import dev.gatehouse.common.crypto.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;

/** Files of the administrator that are checked for changes periodically. */
final class WatchedFile {

  private WatchedFile() {}

  /** Returns a cheap identification, since it is called often: a change of any part causes a read of the file. */
  static Object identity(Path path) {
    try {
      BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
      return now.lastModifiedTime() + " " + now.size() + " " + now.fileKey();
    } catch (IOException e) {
      return "missing";
    }
  }

  /** Returns the first certificate of a PEM file. */
  static X509Certificate certificate(Path path) throws IOException, GeneralSecurityException {
    return Pem.certificates(Files.readAllBytes(path)).getFirst();
  }
}
