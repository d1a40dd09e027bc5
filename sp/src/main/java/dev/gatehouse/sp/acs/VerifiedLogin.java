package dev.gatehouse.sp.acs;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.sp.login.ReturnTarget;

/**
 * A verified login that waits for the GET request on which its browser brings cookies. Nothing of it is consumed yet.
 *
 * @param realm name of the realm
 */
record VerifiedLogin(String realm, VerifiedAssertion assertion, Cause cause) {

  /** The origin of the login: solicited or not. */
  sealed interface Cause {}

  /** The login answers a request of ours. The browser that began the login holds the request. */
  record Answered(String requestId) implements Cause {}

  /**
   * The login is unsolicited.
   *
   * @param target the place to return to
   * @param browser the hash of the browser's {@code gh_park} cookie
   */
  record Unsolicited(ReturnTarget target, String browser) implements Cause {}

  static final PackedCodec<VerifiedLogin> CODEC =
      PackedCodec.of(
          2,
          (out, verified) -> {
            out.text(verified.realm());
            VerifiedAssertion.write(out, verified.assertion());
            write(out, verified.cause());
          },
          in -> new VerifiedLogin(in.text(), VerifiedAssertion.read(in), cause(in)));

  private static void write(PackedWriter out, Cause cause) {
    switch (cause) {
      case Answered(String requestId) -> {
        out.number(1);
        out.text(requestId);
      }
      case Unsolicited(ReturnTarget target, String browser) -> {
        out.number(2);
        ReturnTarget.write(out, target);
        out.text(browser);
      }
    }
  }

  private static Cause cause(PackedReader in) {
    return in.number() == 1 ? new Answered(in.text()) : new Unsolicited(ReturnTarget.read(in), in.text());
  }
}
