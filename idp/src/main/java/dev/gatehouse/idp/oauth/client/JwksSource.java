package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.http.OutboundHttp.Cause;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.jose.PublicKeys;
import dev.gatehouse.common.result.Result;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys at one {@code jwks_uri}. If several callers need them at the same time, one fetches them and the others
 * wait.
 */
final class JwksSource {

  private static final Logger LOG = LoggerFactory.getLogger(JwksSource.class);

  private static final Duration FRESH = Duration.ofMinutes(10);
  private static final Duration BETWEEN_FETCHES = Duration.ofMinutes(1);
  private static final Duration JUST_NOW = Duration.ofSeconds(1);

  /** A client whose server is down for a while still works. */
  private static final Duration STALE = Duration.ofHours(1);

  private final URI uri;
  private final PublicHttp http;
  private Result<PublicKeys, String> keys = Result.refused("never fetched");
  private Instant triedAt = Instant.MIN;
  private Instant goodAt = Instant.MIN;
  private Instant renewedAt = Instant.MIN;

  JwksSource(URI uri, PublicHttp http) {
    this.uri = uri;
    this.http = http;
  }

  /** The known keys. A successful fetch is valid for ten minutes; a failed one is repeated after one minute. */
  Result<PublicKeys, String> keys(Instant now) {
    return keys(now, goodAt.equals(triedAt) ? FRESH : BETWEEN_FETCHES);
  }

  /**
   * Fetches the keys again because the known ones do not match, at most once a minute. Keys that were fetched just now
   * are the newest; later, a client may have changed its keys between two requests (OpenID Connect Core 10.1.1).
   */
  synchronized Result<PublicKeys, String> newer(Instant now) {
    boolean isOld = triedAt.equals(Instant.MIN) || now.isAfter(triedAt.plus(JUST_NOW));
    boolean mayAsk = renewedAt.equals(Instant.MIN) || !now.isBefore(renewedAt.plus(BETWEEN_FETCHES));
    if (isOld && mayAsk) {
      renewedAt = now;
      fetch(now);
    }
    return keys;
  }

  private synchronized Result<PublicKeys, String> keys(Instant now, Duration fresh) {
    if (triedAt.equals(Instant.MIN) || !now.isBefore(triedAt.plus(fresh))) {
      fetch(now);
    }
    return keys;
  }

  private void fetch(Instant now) {
    triedAt = now;
    switch (fetched()) {
      case Result.Accepted<PublicKeys, String> read -> {
        keys = read;
        goodAt = now;
      }
      case Result.Refused(String problem) -> {
        if (goodAt.equals(Instant.MIN) || !now.isBefore(goodAt.plus(STALE))) {
          keys = Result.refused("jwks_uri could not be used: " + problem);
        }
      }
    }
  }

  private Result<PublicKeys, String> fetched() {
    return switch (http.get(uri, "application/jwk-set+json, application/json")) {
      case Answer.Received(int status, byte[] body, Optional<String> location) ->
          status == 200 ? read(body) : failed("it answered with status " + status, "status " + status);
      case Answer.Failed(Cause cause, String problem) -> failed(cause.text(), problem);
    };
  }

  private Result<PublicKeys, String> read(byte[] body) {
    Result<PublicKeys, String> read = PublicKeys.read(new String(body, StandardCharsets.UTF_8));
    return read instanceof Result.Refused(String problem) ? failed(problem, problem) : read;
  }

  /** @param problem for our log only: it may contain addresses */
  private Result<PublicKeys, String> failed(String why, String problem) {
    LOG.info("A client's keys could not be fetched from {}: {}", uri, problem);
    return Result.refused(why);
  }
}
