package dev.gatehouse.idp.oauth.proof;

import dev.gatehouse.common.jose.Checked;
import dev.gatehouse.common.jose.PublicJwk;
import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Confirmation;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.Outcome;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Checks the proof in the header {@code DPoP} (RFC 9449, section 4.3): that whoever sends this very request holds a key. We give
 * out no nonces; a proof counts for a minute, once.
 */
public final class DpopProofs {

  /** Before and after our own clock. */
  private static final Duration FRESH = Duration.ofSeconds(60);

  private static final int MOST_ID_CHARACTERS = 256;

  private final ReplayCache replay;
  private final InstantSource clock;

  public DpopProofs(ReplayCache replay, InstantSource clock) {
    this.replay = replay;
    this.clock = clock;
  }

  /**
   * The key that was proved; empty where there is no such header. Refused with {@code invalid_dpop_proof}.
   *
   * @param path of the endpoint below the realm, for {@code htu}
   * @param accessToken that it must be for, by {@code ath}, at a resource
   */
  public Outcome<Optional<Confirmation.Dpop>> check(RealmRequest request, String path, Optional<String> accessToken) {
    List<String> headers = request.http().headers().all("DPoP");
    if (headers.isEmpty()) {
      return Outcome.passed(Optional.empty());
    }
    if (headers.size() > 1) {
      return refused("there are two DPoP headers");
    }
    return switch (ReceivedJwt.read(headers.getFirst(), ReceivedJwt.OwnKey.REQUIRED)) {
      case Checked.Passed<ReceivedJwt>(ReceivedJwt jwt) -> check(request, path, accessToken, jwt);
      case Checked.Failed<ReceivedJwt>(String problem) -> refused(problem);
    };
  }

  private Outcome<Optional<Confirmation.Dpop>> check(
      RealmRequest request, String path, Optional<String> accessToken, ReceivedJwt jwt) {
    PublicJwk key = jwt.key().orElseThrow();
    if (!jwt.type().equals(Optional.of("dpop+jwt"))) {
      return refused("typ is not dpop+jwt");
    }
    if (!jwt.isSignedBy(key)) {
      return refused("it is not signed with the key that it names");
    }
    if (!jwt.claims().text("htm").equals(Optional.of(request.http().method()))) {
      return refused("htm is not the method of this request");
    }
    if (jwt.claims().text("htu").filter(htu -> isThis(request, path, htu)).isEmpty()) {
      return refused("htu is not the address of this request");
    }
    Instant now = clock.instant();
    Optional<Instant> issuedAt = jwt.claims().issuedAt();
    if (issuedAt.filter(at -> !at.isBefore(now.minus(FRESH)) && !at.isAfter(now.plus(FRESH))).isEmpty()) {
      return refused("iat is not within a minute of now");
    }
    if (accessToken.isPresent() && !jwt.claims().text("ath").equals(accessToken.map(DpopProofs::hash))) {
      return refused("ath is not of this access token");
    }
    Optional<String> id = jwt.claims().id().filter(jti -> !jti.isEmpty() && jti.length() <= MOST_ID_CHARACTERS);
    if (id.isEmpty()) {
      return refused("there is no jti of 1 to 256 characters");
    }
    String thumbprint = key.thumbprint();
    ReplayKey seen = new ReplayKey(request.realm().name(), "dpop " + thumbprint, id.get());
    return replay.firstSeen(seen, issuedAt.orElseThrow().plus(FRESH).plusSeconds(1))
        ? Outcome.passed(Optional.of(new Confirmation.Dpop(thumbprint)))
        : refused("it was used before");
  }

  /** At our issuer's origin, or at the one that was asked; without query and fragment (section 4.3, number 9). */
  private static boolean isThis(RealmRequest request, String path, String htu) {
    Optional<String> shown = normalised(htu);
    return shown.equals(normalised(request.location(path)))
        || shown.equals(normalised(request.origin() + request.here(path)));
  }

  /** RFC 3986, sections 6.2.2 and 6.2.3, as far as our addresses need it; empty where it is no http address. */
  private static Optional<String> normalised(String address) {
    try {
      URI uri = new URI(address);
      if (uri.getRawUserInfo() != null) {
        return Optional.empty();
      }
      return Optional.of(dev.gatehouse.common.http.Origin.of(uri) + uri.normalize().getRawPath());
    } catch (URISyntaxException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** {@code ath}: base64url of the SHA-256 of the token (section 4.2). */
  public static String hash(String accessToken) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(accessToken.getBytes(StandardCharsets.US_ASCII));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static <T> Outcome<T> refused(String why) {
    return Outcome.refused(Code.INVALID_DPOP_PROOF, "DPoP: " + why);
  }
}
