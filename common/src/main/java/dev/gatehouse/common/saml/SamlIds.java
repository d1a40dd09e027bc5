package dev.gatehouse.common.saml;

import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** Identifiers of messages: an underscore and 160 random bits (SAML Core 1.3.4 asks for at least 128). */
public final class SamlIds {

  private SamlIds() {}

  /** Creates an identifier; {@code random} must be a SecureRandom outside tests. */
  public static String create(RandomGenerator random) {
    byte[] bytes = new byte[20];
    random.nextBytes(bytes);
    return "_" + HexFormat.of().formatHex(bytes);
  }
}
