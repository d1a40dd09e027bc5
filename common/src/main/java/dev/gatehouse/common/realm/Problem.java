package dev.gatehouse.common.realm;

import java.nio.file.Path;

/**
 * One mistake in the configuration.
 *
 * @param line 1-based; 0 for the whole file
 * @param key dotted, with list positions: {@code gateway.routes[2].upstream}
 * @param message what is wrong; never repeats a secret
 * @param remedy what would be right
 */
public record Problem(Path file, int line, String key, String message, String remedy) {
  @Override
  public String toString() {
    return file + (line > 0 ? ":" + line : "") + ": " + key + ": " + message + " — " + remedy;
  }
}
