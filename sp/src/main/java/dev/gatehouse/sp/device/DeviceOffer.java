package dev.gatehouse.sp.device;

import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.SessionAssurance;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.AppCookie;
import java.util.Optional;

/** Invites a browser that gets a session's token to register a key for it. */
public final class DeviceOffer {

  private final DeviceEndpoints endpoints;

  public DeviceOffer(DeviceEndpoints endpoints) {
    this.endpoints = endpoints;
  }

  /** Adds the invitation if the reply sets a token. Browsers heed it on https only. */
  public EdgeReply in(SpRealm realm, EdgeRequest request, EdgeReply reply) {
    if (!request.origin().isSecure()) {
      return reply;
    }
    String start = Cookies.name(request.origin(), AppCookie.NAME) + "=";
    Optional<SessionToken> token =
        reply.headers().all("Set-Cookie").stream()
            .filter(cookie -> cookie.startsWith(start))
            .flatMap(cookie -> SessionToken.parse(cookie.substring(start.length()).split(";", 2)[0]).stream())
            .findFirst();
    return token.isPresent() && DeviceLogin.strongest(realm) != SessionAssurance.OFF
        ? endpoints.offered(realm, reply, token.get().id())
        : reply;
  }
}
