package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.idp.otp.TokenSeeds;
import java.nio.charset.StandardCharsets;

/** The token of the demo's person carol: the seed of RFC 6238, Appendix B, so that any authenticator makes its codes. */
final class DemoToken {

  static final String SERIAL = "demo-carol";

  private static final PersonId CAROL = new PersonId("5f2b1d58-8d0c-4b6e-9d52-0c3f4b1c0103");

  private DemoToken() {}

  /** Assigns it, unless it is there. */
  static void ensure(RunningNode node) {
    byte[] seed = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
    node.get(TokenSeeds.class).ensure("demo", SERIAL, seed, CAROL, "2468");
  }
}
