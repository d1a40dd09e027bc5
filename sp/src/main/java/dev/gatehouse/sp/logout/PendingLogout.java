package dev.gatehouse.sp.logout;

import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.common.store.ValueCodec;

/**
 * A LogoutRequest of ours, or a request to an end session endpoint, that the identity provider has not answered yet.
 *
 * @param person the person who logged out, for the audit log
 * @param back the target of the receipt's link: an origin of the realm
 */
public record PendingLogout(String realm, String identityProvider, String person, String back) {

  public static final ValueCodec<PendingLogout> CODEC =
      PackedCodec.of(
          2,
          (out, logout) -> {
            out.text(logout.realm());
            out.text(logout.identityProvider());
            out.text(logout.person());
            out.text(logout.back());
          },
          in -> new PendingLogout(in.text(), in.text(), in.text(), in.text()));
}
