package dev.gatehouse.common.backchannel;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Artifact;
import dev.gatehouse.common.saml.message.WrittenMessage;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.LimitedStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.common.throttle.FairQuota;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Stores the messages to which artifacts refer: each for one partner, given out once, within a minute (SAML Core 3.5.3 asks for the
 * shortest practical time). A message is found by a digest of the whole artifact, so that the store contains no usable artifact, and an
 * artifact of another entity or another endpoint of ours is not found here.
 *
 * <p>A partner that requests another partner's message gets nothing (SAML Core 3.5.3), and the message stays stored: an artifact is
 * used up only when its message is given out. Destroying the message would protect nobody, since a party with a stolen artifact does not
 * get the message either way. But it would let any partner that sees an artifact (in a log, in a Referer) end another partner's login.
 * The refusal is audited under that partner's name and shows that the artifact leaked.
 */
public final class ArtifactMap {

  public static final Duration LIFE = Duration.ofSeconds(60);

  private record Held(String partner, String xml) {}

  /** Of unauthenticated clients within a minute: a thousand of one network, because a school may log in at once. */
  private static final FairQuota.Limits LIMITS = new FairQuota.Limits(1000, 20_000);

  /** The outcome of {@link #holdFor}. */
  public sealed interface Holding {
    record Held(Artifact artifact) implements Holding {}

    record Full(Duration retryAfter) implements Holding {}
  }

  private final LimitedStore<Held> store;
  private final InstantSource clock;
  private final RandomGenerator random;

  /** @param name of the key space, which is claimed */
  public ArtifactMap(Stores stores, String name, InstantSource clock, RandomGenerator random) {
    // Whoever is logged in goes on while space is low, so their messages are stored then; those for strangers are not.
    this.store = stores.ends().limited(name, new JsonCodec<>(Held.class), LIMITS, clock);
    this.clock = clock;
    this.random = random;
  }

  /**
   * Stores a message.
   *
   * @param entityId ours, the message's Issuer
   * @param endpointIndex of the ArtifactResolutionService of this node
   * @param partner entity ID of the only partner that may get it
   */
  public Artifact hold(String entityId, int endpointIndex, String partner, WrittenMessage message) {
    Artifact artifact = Artifact.create(endpointIndex, entityId, random);
    store.put(key(artifact), new Held(partner, message.xml()), clock.instant().plus(LIFE));
    return artifact;
  }

  /** As {@link #hold}, within bounds, for a client that is not authenticated. */
  public Holding holdFor(
      InetAddress client, String entityId, int endpointIndex, String partner, WrittenMessage message) {
    Artifact artifact = Artifact.create(endpointIndex, entityId, random);
    return store
        .putWithin(key(artifact), new FairQuota.Claim(client, 1), new Held(partner, message.xml()), clock.instant().plus(LIFE))
        .<Holding>map(Holding.Full::new)
        .orElseGet(() -> new Holding.Held(artifact));
  }

  /**
   * Gives the message to its partner, and to one caller only; otherwise refuses with ARTIFACT_UNRESOLVED, ARTIFACT_OTHER_PARTNER or
   * REPLAYED.
   */
  public Result<WrittenMessage, SamlRefusal> take(Artifact artifact, String partner) {
    String key = key(artifact);
    Optional<Held> seen = store.peek(key);
    if (seen.isPresent() && !seen.get().partner().equals(partner)) {
      return refused(Reason.ARTIFACT_OTHER_PARTNER, "the artifact is held for another partner");
    }
    return switch (store.take(key)) {
      case TakeResult.First<Held>(Held held) -> new Result.Accepted<>(new WrittenMessage(held.xml()));
      case TakeResult.Replayed<Held>(var at) -> refused(Reason.REPLAYED, "the artifact was resolved at " + at);
      case TakeResult.Absent<Held>() -> refused(Reason.ARTIFACT_UNRESOLVED, "no such artifact is held, or no longer");
    };
  }

  private static Result<WrittenMessage, SamlRefusal> refused(Reason reason, String detail) {
    return new Result.Refused<>(new SamlRefusal(reason, detail));
  }

  static String key(Artifact artifact) {
    return Sha256.hex(artifact.value());
  }
}
