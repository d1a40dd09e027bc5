package dev.gatehouse.gateway.signon;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.sp.local.LocalSignOn;
import dev.gatehouse.sp.local.LocalSignOn.Attempt;
import dev.gatehouse.sp.local.LocalSignOn.Outcome;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Cache of recently verified client certificates and their sessions. A certificate is verified again every minute:
 * whether it is still valid, and whose it is.
 */
public final class VerifiedCertificates {

  private static final int MAX = 100_000;
  private static final Duration LIFETIME = Duration.ofMinutes(1);

  private record Key(String realm, X509Certificate certificate) {}

  private record Entry(Realm realm, SessionId session, long verified) {}

  private final LocalSignOn signOn;
  private final InstantSource time;
  private final RandomGenerator random;
  private final Cache<Key, Entry> entries =
      Caffeine.newBuilder().maximumSize(MAX).expireAfterAccess(Duration.ofHours(1)).executor(Runnable::run).build();

  public VerifiedCertificates(LocalSignOn signOn, InstantSource time, RandomGenerator random) {
    this.signOn = signOn;
    this.time = time;
    this.random = random;
  }

  /** The session of the certificate's owner; empty if the certificate must be verified. Never blocks. */
  public Optional<SessionId> find(Realm realm, X509Certificate certificate) {
    Entry entry = entries.getIfPresent(new Key(realm.name(), certificate));
    return entry == null || entry.realm() != realm || time.millis() - entry.verified() >= LIFETIME.toMillis()
        ? Optional.empty()
        : Optional.of(entry.session());
  }

  /**
   * Verifies the certificate and opens a session. Blocks.
   *
   * @param anew whether a new session must be opened in any case
   */
  public Outcome verify(
      Realm realm, InetAddress client, Origin origin, List<X509Certificate> chain, boolean anew) {
    Key key = new Key(realm.name(), chain.getFirst());
    Entry known = entries.getIfPresent(key);
    long now = time.millis();
    Optional<SessionId> current = anew || known == null ? Optional.empty() : Optional.of(known.session());
    Attempt attempt = new Attempt(client, origin, SessionToken.create(random), Optional.empty(), current);
    Outcome outcome = signOn.certificate(realm, attempt, chain);
    if (outcome instanceof Outcome.Open(var session, boolean fresh)) {
      entries.put(key, new Entry(realm, session.id(), now));
    } else {
      entries.invalidate(key);
    }
    return outcome;
  }
}
