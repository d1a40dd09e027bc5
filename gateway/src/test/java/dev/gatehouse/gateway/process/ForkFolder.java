package dev.gatehouse.gateway.process;

import java.nio.file.Path;

/** Folders below {@code target} that belong to this JVM alone: integration tests run in several at once. */
public final class ForkFolder {

  /** The name that {@code gateway/pom.xml} gives to each JVM of Failsafe. */
  private static final String FORK = System.getProperty("test.fork", "fork-1");

  private ForkFolder() {}

  /** {@code target/fork-N/NAME}, absolute, whether it exists or not. */
  public static Path named(String name) {
    return Path.of("target", FORK, name).toAbsolutePath();
  }
}
