package dev.gatehouse.gateway.cli;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A step of the build: it removes the signatures of libraries. The JVM stores no class of a signed jar in the AOT cache, and verifies
 * each class when it loads it; but it does not check who signed the jar, and accepts a jar without a signature.
 */
public final class SignedJars {

  private static final String SIGNATURE = "META-INF/[^/]+\\.(SF|RSA|DSA|EC)";

  private SignedJars() {}

  /** Removes the signatures of the jars in the folder that is the only argument. */
  public static void main(String[] arguments) throws IOException {
    try (Stream<Path> files = Files.list(Path.of(arguments[0]))) {
      for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).toList()) {
        removeSignatures(jar);
      }
    }
  }

  /** Removes the signatures of a jar; leaves the file alone if it has none. */
  static void removeSignatures(Path jar) throws IOException {
    try (FileSystem content = FileSystems.newFileSystem(jar)) {
      Path folder = content.getPath("META-INF");
      if (Files.notExists(folder)) {
        return;
      }
      try (Stream<Path> files = Files.list(folder)) {
        List<Path> signatures = files.filter(file -> file.toString().matches("/?" + SIGNATURE)).toList();
        for (Path signature : signatures) {
          Files.delete(signature);
        }
      }
    }
  }
}
