package dev.gatehouse.common.node;

import java.nio.file.Path;

/**
 * A PKCS#11 token with private keys.
 *
 * @param name by which realms name it
 * @param library the PKCS#11 library of its vendor
 * @param label of the token
 * @param threads the calls that the token gets at the same time
 */
public record Pkcs11Config(String name, Path library, String label, Pin pin, int threads) {

  /** Where the PIN is: it is read at each login and not kept. */
  public sealed interface Pin {
    record File(Path file) implements Pin {}

    /** An environment variable of the node. */
    record Variable(String name) implements Pin {}
  }
}
