package dev.gatehouse.sp.acs;

import dev.gatehouse.sp.codec.FieldCodec;
import dev.gatehouse.sp.login.ReturnTarget;

/**
 * A login that was consumed and waits for its person to log in here, too.
 *
 * @param realm its realm's name
 * @param target where the person goes then
 * @param browser the hash of what the browser must hold, as in {@link RecognisedLogin}
 */
record PendingLink(String realm, VerifiedAssertion assertion, ReturnTarget target, String browser) {

  static final FieldCodec<PendingLink> CODEC =
      new FieldCodec<>(
          2,
          (out, link) -> {
            out.text(link.realm());
            VerifiedAssertion.write(out, link.assertion());
            ReturnTarget.write(out, link.target());
            out.text(link.browser());
          },
          in -> new PendingLink(in.text(), VerifiedAssertion.read(in), ReturnTarget.read(in), in.text()));
}
