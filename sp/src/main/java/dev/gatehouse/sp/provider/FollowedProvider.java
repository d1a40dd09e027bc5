package dev.gatehouse.sp.provider;

import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.jose.PublicKeys;
import dev.gatehouse.common.result.Result;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One provider whose metadata and keys are fetched in the background. If later fetches fail, the last good state
 * remains in use for one day.
 */
final class FollowedProvider {

  private static final Logger LOG = LoggerFactory.getLogger(FollowedProvider.class);

  /** Also the time for which a key that its owner has withdrawn is still accepted. */
  private static final Duration REFRESH = Duration.ofMinutes(5);

  private static final Duration FIRST_RETRY = Duration.ofMillis(200);
  private static final Duration LONGEST_RETRY = Duration.ofMinutes(5);

  /** Limits our requests to the provider when somebody sends tokens with unknown key IDs. */
  private static final Duration LEAST_BETWEEN = Duration.ofSeconds(5);

  private static final Duration LONGEST_WITHOUT = Duration.ofDays(1);
  private static final int MAX_BYTES = 1 << 20;

  /**
   * The services that this class needs.
   *
   * @param sharesRedirectUri whether people also log in at other providers of a realm by the redirect URI of that issuer
   */
  record Means(
      OutboundHttp http, InstantSource time, RandomGenerator random, CountDownLatch fetchAfter, Predicate<String> sharesRedirectUri) {}

  private final String issuer;
  private final Means means;
  private final ReentrantLock looking = new ReentrantLock();
  private final Thread follower;
  private volatile ProviderState state = ProviderState.Unusable.NOT_ASKED_YET;
  private volatile byte[] keysText = new byte[0];
  private Instant lastLook = Instant.MIN;
  private boolean isMixUpWarned;

  FollowedProvider(String issuer, Means means) {
    this.issuer = issuer;
    this.means = means;
    this.follower = Thread.ofVirtual().name("provider " + issuer).unstarted(this::follow);
  }

  void start() {
    follower.start();
  }

  void stop() {
    follower.interrupt();
  }

  ProviderState state() {
    ProviderState now = state;
    return now instanceof ProviderState.Usable usable
            && means.time().instant().isAfter(usable.fetchedAt().plus(LONGEST_WITHOUT))
        ? new ProviderState.Unusable("it could not be asked for a day: " + usable.lastProblem().orElse("-"))
        : now;
  }

  /** Returns the state after another fetch, unless the last fetch was only seconds ago. Blocks. */
  ProviderState lookAgain() {
    looking.lock();
    try {
      if (lastLook.equals(Instant.MIN) || !means.time().instant().isBefore(lastLook.plus(LEAST_BETWEEN))) {
        look();
      }
    } finally {
      looking.unlock();
    }
    return state();
  }

  private void follow() {
    try {
      means.fetchAfter().await();
      int failures = 0;
      while (!Thread.currentThread().isInterrupted()) {
        looking.lockInterruptibly();
        boolean good;
        try {
          good = look();
        } finally {
          looking.unlock();
        }
        failures = good ? 0 : Math.min(failures + 1, 20);
        Thread.sleep(pause(failures));
      }
    } catch (InterruptedException e) {
      // The provider is not followed any more.
      Thread.currentThread().interrupt();
    }
  }

  private Duration pause(int failures) {
    Duration pause = failures == 0 ? REFRESH : FIRST_RETRY.multipliedBy(1L << (failures - 1));
    long millis = Math.min(pause.toMillis(), LONGEST_RETRY.toMillis());
    // Many nodes must not send their requests at the same moment.
    return Duration.ofMillis((long) (millis * means.random().nextDouble(0.8, 1.0)));
  }

  private boolean look() {
    lastLook = means.time().instant();
    return switch (fetched()) {
      case Result.Accepted(ProviderState.Usable usable) -> {
        warnOfMixUp(usable.metadata());
        if (!(state instanceof ProviderState.Usable)) {
          LOG.info("OpenID provider {} is now available", issuer);
        }
        state = usable;
        yield true;
      }
      case Result.Refused(String problem) -> {
        failed(problem);
        yield false;
      }
    };
  }

  /** Warns once while another provider of a realm could obtain the codes of this one (RFC 9700, section 4.4). */
  private void warnOfMixUp(ProviderMetadata metadata) {
    boolean isPossible = !metadata.namesItself() && means.sharesRedirectUri().test(issuer);
    if (isPossible && !isMixUpWarned) {
      LOG.warn(
          "OpenID provider {} has the redirect URI of other providers of its realm, and does not announce that it names itself in its "
              + "answers (RFC 9207): each of the others could obtain its codes; give it an alias, and register the redirect URI that it "
              + "then has",
          issuer);
    }
    isMixUpWarned = isPossible;
  }

  private void failed(String problem) {
    switch (state) {
      case ProviderState.Usable(var metadata, var keys, var fetchedAt, var before) -> {
        if (before.isEmpty()) {
          LOG.warn("OpenID provider {}: {}; the last known state remains in use", issuer, problem);
        }
        state = new ProviderState.Usable(metadata, keys, fetchedAt, Optional.of(problem));
      }
      case ProviderState.Unusable(String before) -> {
        if (!before.equals(problem)) {
          LOG.warn("OpenID provider {}: {}", issuer, problem);
        }
        state = new ProviderState.Unusable(problem);
      }
    }
  }

  private Result<ProviderState.Usable, String> fetched() {
    return get(ProviderMetadata.wellKnown(issuer), "its metadata")
        .then(json -> ProviderMetadata.read(json, issuer))
        .then(
            metadata ->
                get(metadata.jwksUri(), "its keys")
                    .then(this::keys)
                    .then(
                        keys ->
                            Result.accepted(
                                new ProviderState.Usable(metadata, keys, means.time().instant(), Optional.empty()))));
  }

  private Result<PublicKeys, String> keys(byte[] json) {
    if (state instanceof ProviderState.Usable known && Arrays.equals(json, keysText)) {
      return Result.accepted(known.keys());
    }
    return PublicKeys.read(new String(json, StandardCharsets.UTF_8))
        .then(
            keys -> {
              keysText = json;
              return Result.accepted(keys);
            });
  }

  private Result<byte[], String> get(URI url, String what) {
    return switch (means.http().get(url, "application/json")) {
      case Answer.Received(int status, byte[] body, var location) ->
          status != 200
              ? Result.refused(what + " were answered with status " + status)
              : body.length > MAX_BYTES ? Result.refused(what + " are larger than 1 MB") : Result.accepted(body);
      case Answer.Failed(var cause, String problem) -> Result.refused(what + " cannot be fetched: " + problem);
    };
  }
}
