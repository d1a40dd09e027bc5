package dev.gatehouse.gateway.authn;

import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.PartialDecision;
import dev.gatehouse.gateway.policy.RequestAttributes;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.route.Route;
import dev.gatehouse.sp.session.AppSession;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the last decision of a client's connection, as far as it does not depend on the request. The decision holds
 * as long as the cache returns the very same session object, because every change to the session or the routes creates
 * new objects.
 */
public final class DecisionMemo {

  private final IssuedSessionCookie issuedCookie;
  private final DeviceMemo device;
  private @Nullable Route route;
  private @Nullable AppSession session;
  private @Nullable PartialDecision partial;
  private AuthnResult.@Nullable Decided decided;
  private @Nullable SessionToken token;
  private @Nullable SessionId id;
  private @Nullable AppSession hashed;
  private int account;

  /**
   * @param ofOneClient whether all requests of the connection come from one client, and not through a proxy
   * @param clientHello the digest of the connection's ClientHello, asked once the handshake is over; 0 if unknown
   */
  public DecisionMemo(boolean ofOneClient, IntSupplier clientHello) {
    this.issuedCookie = new IssuedSessionCookie(ofOneClient);
    this.device = new DeviceMemo(clientHello);
  }

  /** The session whose cookie was last issued on this connection. */
  public IssuedSessionCookie issuedCookie() {
    return issuedCookie;
  }

  /** What this connection proved about its device. */
  public DeviceMemo device() {
    return device;
  }

  /** The session id of a cookie. A connection nearly always sends the same cookie, so its digest is computed once. */
  public SessionId id(SessionToken sent) {
    SessionId known = id;
    if (known != null && token != null && isSame(token.value(), sent.value())) {
      return known;
    }
    SessionId fresh = sent.id();
    token = sent;
    id = fresh;
    return fresh;
  }

  /** Compares in constant time, because a proxy's connection may carry requests of many people. */
  static boolean isSame(String one, String other) {
    int differences = one.length() ^ other.length();
    for (int i = 0; i < Math.min(one.length(), other.length()); i++) {
      differences |= one.charAt(i) ^ other.charAt(i);
    }
    return differences == 0;
  }

  /** @param asking null for an anonymous client */
  public Decision decide(Route asked, @Nullable AppSession asking, RequestAttributes attributes) {
    PartialDecision known = partial;
    if (known != null && route == asked && session == asking) {
      return known.decide(attributes);
    }
    PartialDecision fresh = asked.rule().partialDecision(asking == null ? Subject.ANONYMOUS : new Subject.Person(asking));
    route = asked;
    session = asking;
    partial = fresh;
    return fresh.decide(attributes);
  }

  /**
   * Returns the subject of the last decision if it is that person; on a connection with requests of several people it may be another
   * one.
   */
  public Subject subject(String person) {
    AppSession last = session;
    return last != null && last.person().value().equals(person) ? new Subject.Person(last) : Subject.ANONYMOUS;
  }

  /** The hash code of a session's account and authentication context, calculated once for each session. */
  public int account(AppSession asking) {
    if (hashed != asking) {
      hashed = asking;
      account = 31 * asking.account().hashCode() + asking.login().authnContextClassRef().hashCode();
    }
    return account;
  }

  /** The decision as a result without cookies. */
  public AuthnResult.Decided decided(Decision decision, String person) {
    AuthnResult.Decided known = decided;
    if (known != null && known.decision() == decision && known.person().equals(person)) {
      return known;
    }
    AuthnResult.Decided fresh = new AuthnResult.Decided(decision, person, List.of());
    decided = fresh;
    return fresh;
  }
}
