package dev.gatehouse.gateway.exchange;

import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.policy.RequestAttributes;
import dev.gatehouse.gateway.route.AddressedHost;
import dev.gatehouse.gateway.route.Route;
import dev.gatehouse.gateway.signon.SessionUses;
import java.net.InetAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** The attributes of one request that rules may use. */
record ExchangeAttributes(
    RequestHead head, AddressedHost to, String path, Route route, String method, SessionUses uses, InstantSource time)
    implements RequestAttributes {

  @Override
  public Instant lastUse(SessionId session) {
    return uses.last(session);
  }

  /** The same request with another method. */
  ExchangeAttributes as(Route other, String otherMethod) {
    return new ExchangeAttributes(head, to, path, other, otherMethod, uses, time);
  }

  @Override
  public String host() {
    return to.origin().host();
  }

  @Override
  public InetAddress client() {
    return to.client();
  }

  @Override
  public Instant now() {
    return time.instant();
  }

  @Override
  public Optional<String> variable(String name) {
    return route.variable(name, path);
  }
}
