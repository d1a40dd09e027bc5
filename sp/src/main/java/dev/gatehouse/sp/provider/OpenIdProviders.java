package dev.gatehouse.sp.provider;

import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.jose.PublicKeys;
import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** The OpenID providers that the realms configure, followed in the background. Reading a state takes no lock. */
public final class OpenIdProviders implements AutoCloseable {

  private static final ProviderState NOT_OURS = new ProviderState.Unusable("no realm configures it");

  private final FollowedProvider.Means means;
  private volatile Map<String, FollowedProvider> byIssuer = Map.of();
  private volatile Set<String> sharingRedirectUri = Set.of();
  private volatile boolean closed;

  /**
   * @param fetchAfter counted down when this node's own listeners are ready, because our own identity provider may be
   *     among the providers
   */
  public OpenIdProviders(
      Realms realms, OutboundHttp http, InstantSource time, RandomGenerator random, CountDownLatch fetchAfter) {
    this.means = new FollowedProvider.Means(http, time, random, fetchAfter, issuer -> sharingRedirectUri.contains(issuer));
    realms.onChange(this::follow);
  }

  /**
   * Returns a sentence for administrators about providers that could obtain each other's codes (RFC 9700, section 4.4), as far as the
   * configuration alone can tell; empty if no two have the same redirect URI.
   */
  public static Optional<String> note(Realm realm) {
    List<ProviderConfig> sharing = realm.sharingRedirectUri();
    return sharing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "realm " + realm.name() + ": people log in by one redirect URI at "
                + sharing.stream().map(ProviderConfig::issuer).collect(Collectors.joining(", "))
                + "; each could obtain the codes of those whose discovery document has no "
                + "authorization_response_iss_parameter_supported: give these an alias, and register the redirect URI that they then have");
  }

  /** The current state of the provider. */
  public ProviderState state(String issuer) {
    return Optional.ofNullable(byIssuer.get(issuer)).map(FollowedProvider::state).orElse(NOT_OURS);
  }

  /**
   * Checks whether a key of the issuer made the signature. If the key is unknown, the keys are fetched again, at most
   * every few seconds. Blocks.
   */
  public SignatureVerdict signatureOf(String issuer, ReceivedJwt jwt) {
    ProviderState state = state(issuer);
    SignatureVerdict verdict = verdict(state, jwt);
    boolean isKnownKey =
        state instanceof ProviderState.Usable known
            && jwt.keyId().isPresent()
            && known.keys().all().stream().anyMatch(key -> key.id().equals(jwt.keyId()));
    if (verdict == SignatureVerdict.OF_ISSUER || isKnownKey) {
      return verdict;
    }
    return Optional.ofNullable(byIssuer.get(issuer))
        .map(FollowedProvider::lookAgain)
        .map(seen -> verdict(seen, jwt))
        .orElse(verdict);
  }

  private static SignatureVerdict verdict(ProviderState state, ReceivedJwt jwt) {
    return switch (state) {
      case ProviderState.Usable(var metadata, PublicKeys keys, var at, var problem) ->
          keys.verify(jwt) ? SignatureVerdict.OF_ISSUER : SignatureVerdict.OF_NOBODY_KNOWN;
      case ProviderState.Unusable unusable -> SignatureVerdict.KEYS_UNKNOWN;
    };
  }

  /** Returns whether each provider was fetched once, with or without success. */
  public boolean wereAsked() {
    return byIssuer.values().stream().noneMatch(followed -> followed.state().equals(ProviderState.Unusable.NOT_ASKED_YET));
  }

  private synchronized void follow(Collection<Realm> realms) {
    if (closed) {
      return;
    }
    Map<String, FollowedProvider> before = byIssuer;
    Map<String, FollowedProvider> next = new HashMap<>();
    Set<FollowedProvider> begun = new HashSet<>();
    for (Realm realm : realms) {
      for (ProviderConfig provider : realm.parties().providers()) {
        next.computeIfAbsent(
            provider.issuer(),
            issuer ->
                Optional.ofNullable(before.get(issuer))
                    .orElseGet(
                        () -> {
                          FollowedProvider followed = new FollowedProvider(issuer, means);
                          begun.add(followed);
                          return followed;
                        }));
      }
    }
    sharingRedirectUri =
        realms.stream()
            .flatMap(realm -> realm.sharingRedirectUri().stream())
            .map(ProviderConfig::issuer)
            .collect(Collectors.toUnmodifiableSet());
    byIssuer = Map.copyOf(next);
    begun.forEach(FollowedProvider::start);
    before.values().stream().filter(followed -> !next.containsValue(followed)).forEach(FollowedProvider::stop);
  }

  /** Ends all threads. The known states remain readable. */
  @Override
  public synchronized void close() {
    closed = true;
    byIssuer.values().forEach(FollowedProvider::stop);
  }
}
