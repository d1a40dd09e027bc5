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

/** Logs people in for the gateway, without a remote identity provider. Blocks: call it on virtual threads only. */
public interface LocalSignOn {

  /**
   * Checks the person's password with the directory, and opens a session.
   *
   * @param password UTF-8
   */
  Outcome password(Realm realm, Attempt attempt, String name, byte[] password);

  /**
   * Checks a client certificate by the realm's rules ({@code idp.contracts.certificate}), and opens a session for its
   * owner.
   *
   * @param chain the chain that the client proved, its own certificate first
   */
  Outcome certificate(Realm realm, Attempt attempt, List<X509Certificate> chain);

  /**
   * The circumstances of an attempt.
   *
   * @param origin the requested origin
   * @param token a new token, for the session that may be opened
   * @param before the browser's token; its session ends if a new one opens
   * @param kept the session that the same credentials opened: it continues if it is alive and the person's data are
   *     unchanged
   */
  record Attempt(
      InetAddress client, Origin origin, SessionToken token, Optional<SessionToken> before, Optional<SessionId> kept) {}

  /** The result of an attempt. */
  sealed interface Outcome {

    /**
     * A session is open.
     *
     * @param fresh whether the attempt's token belongs to it; otherwise the previous one continues
     */
    record Open(AppSession session, boolean fresh) implements Outcome {}

    record Refused(Reason reason) implements Outcome {}

    /** The certificate is not acceptable, or belongs to no person. */
    record CertificateRefused(String reason) implements Outcome {}

    /** Too many attempts; this one was not checked. */
    record Throttled(Duration retryAfter) implements Outcome {}

    /** The directory does not answer. */
    record Unavailable(String why) implements Outcome {}
  }

  /** The reason for a refusal. */
  enum Reason {
    /** Unknown person or wrong password: the same for every reason. */
    CREDENTIALS_REFUSED,
    /** The password is correct but must be changed first. */
    PASSWORD_MUST_CHANGE,
    /** The password is correct, but the account requires a second factor, which cannot be asked for here. */
    SECOND_FACTOR_NEEDED
  }
}
