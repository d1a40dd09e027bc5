package dev.gatehouse.sp.local;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.sp.session.AppSession;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What the gateway calls to log people in by itself. Blocks: on virtual threads only. */
public interface LocalSignOn {

  /**
   * Asks the directory whether that is the person's password, and opens a session.
   *
   * @param password UTF-8
   */
  Outcome password(Realm realm, Attempt attempt, String name, byte[] password);

  /**
   * Looks at a client certificate by the realm's own rules ({@code idp.contracts.certificate}), and opens a session of whose it is.
   *
   * @param chain as the client proved it, its own first
   */
  Outcome certificate(Realm realm, Attempt attempt, List<X509Certificate> chain);

  /**
   * Who tries.
   *
   * @param origin that was asked
   * @param token made just now, for the session that may open
   * @param before the browser's token; its session ends where a new one opens
   * @param kept the session that the same credentials opened: goes on where it lives and nothing of the person has changed
   */
  record Attempt(
      InetAddress client, Origin origin, SessionToken token, Optional<SessionToken> before, Optional<SessionId> kept) {}

  /** What came of it. */
  sealed interface Outcome {

    /** A session is open. @param fresh whether the attempt's token leads to it; the one before goes on otherwise */
    record Open(AppSession session, boolean fresh) implements Outcome {}

    record Refused(Reason reason) implements Outcome {}

    /** The certificate does not count, or is nobody's. */
    record CertificateRefused(String reason) implements Outcome {}

    /** Too many tries; nobody looked at this one. */
    record Throttled(Duration retryAfter) implements Outcome {}

    /** The directory does not answer. */
    record Unavailable(String why) implements Outcome {}
  }

  /** Why nobody is let in. */
  enum Reason {
    /** No such person, or another password: alike for every reason. */
    CREDENTIALS_REFUSED,
    /** The password is right, but must be changed before it counts. */
    PASSWORD_MUST_CHANGE,
    /** The password is right, but the account needs more than that, which cannot be asked for here. */
    SECOND_FACTOR_NEEDED
  }
}
