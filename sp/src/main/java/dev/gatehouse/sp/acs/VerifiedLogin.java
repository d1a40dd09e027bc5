package dev.gatehouse.sp.acs;

import dev.gatehouse.sp.codec.FieldCodec;
import dev.gatehouse.sp.codec.FieldReader;
import dev.gatehouse.sp.codec.FieldWriter;
import dev.gatehouse.sp.login.ReturnTarget;

/**
 * A login that kept every rule of its own and waits for the GET on which its browser brings cookies. Nothing of it is consumed.
 *
 * @param realm its realm's name
 */
record VerifiedLogin(String realm, VerifiedAssertion assertion, Cause cause) {

  /** Why it came. */
  sealed interface Cause {}

  /** It answers a request of ours, which the browser that began carries. */
  record Answered(String requestId) implements Cause {}

  /**
   * Nobody asked for it.
   *
   * @param target where the person goes
   * @param browser the hash of the browser's {@code gh_park} cookie
   */
  record Unsolicited(ReturnTarget target, String browser) implements Cause {}

  static final FieldCodec<VerifiedLogin> CODEC =
      new FieldCodec<>(
          1,
          (out, arrival) -> {
            out.text(arrival.realm());
            VerifiedAssertion.write(out, arrival.assertion());
            write(out, arrival.cause());
          },
          in -> new VerifiedLogin(in.text(), VerifiedAssertion.read(in), cause(in)));

  private static void write(FieldWriter out, Cause cause) {
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

  private static Cause cause(FieldReader in) {
    return in.number() == 1 ? new Answered(in.text()) : new Unsolicited(ReturnTarget.read(in), in.text());
  }
}
