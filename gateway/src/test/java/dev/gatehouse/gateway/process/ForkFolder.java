package dev.gatehouse.gateway.process;

import java.nio.file.Path;

/** Folders below {@code target} that belong to this JVM alone: integration tests run in several at once. */
public final class ForkFolder {

  /** The number that Failsafe gives to each of its JVMs, from 1; see {@code gateway/pom.xml}. */
  private static final int NUMBER = Integer.getInteger("test.fork", 1);

  private ForkFolder() {}

  /** {@code target/NAME-N}, absolute, whether it exists or not. */
  public static Path named(String name) {
    return Path.of("target", name + "-" + NUMBER).toAbsolutePath();
  }
}
