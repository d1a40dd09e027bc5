package dev.gatehouse.sp.acs;

import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.sp.login.ReturnTarget;

/**
 * A consumed login that waits until its person has also logged in with a local account.
 *
 * @param realm name of the realm
 * @param target the place to return to after the login
 * @param browser the hash of the secret that the browser must hold, as in {@link RecognisedLogin}
 */
record PendingLink(String realm, VerifiedAssertion assertion, ReturnTarget target, String browser) {

  static final PackedCodec<PendingLink> CODEC =
      PackedCodec.of(
          3,
          (out, link) -> {
            out.text(link.realm());
            VerifiedAssertion.write(out, link.assertion());
            ReturnTarget.write(out, link.target());
            out.text(link.browser());
          },
          in -> new PendingLink(in.text(), VerifiedAssertion.read(in), ReturnTarget.read(in), in.text()));
}
