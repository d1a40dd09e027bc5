package dev.gatehouse.common.jose;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
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
 * Checks a DPoP proof (RFC 9449, section 4.3): that whoever sends this very request holds a key. We give out no nonces;
 * a proof counts for a minute, once. Blocks.
 */
public final class DpopProofs {

  /** Before and after our own clock. */
  private static final Duration FRESH = Duration.ofSeconds(60);

  private static final int MOST_ID_CHARACTERS = 256;

  /**
   * What a proof must be for.
   *
   * @param addresses each of which is the request's, without query and fragment
   * @param accessToken that it must name by {@code ath}, at a resource
   */
  public record Request(String realm, String method, List<String> addresses, Optional<String> accessToken) {
    public Request {
      addresses = List.copyOf(addresses);
    }
  }

  private final ReplayCache replay;
  private final InstantSource clock;

  public DpopProofs(ReplayCache replay, InstantSource clock) {
    this.replay = replay;
    this.clock = clock;
  }

  /** The thumbprint of the key that was proved, {@code jkt} (section 6.1). @param headers all with the name {@code DPoP} */
  public Checked<String> check(List<String> headers, Request request) {
    if (headers.size() != 1) {
      return Checked.failed(headers.isEmpty() ? "there is no DPoP header" : "there are two DPoP headers");
    }
    return ReceivedJwt.read(headers.getFirst(), ReceivedJwt.OwnKey.REQUIRED).then(jwt -> check(jwt, request));
  }

  private Checked<String> check(ReceivedJwt jwt, Request request) {
    PublicJwk key = jwt.key().orElseThrow();
    if (!jwt.type().equals(Optional.of("dpop+jwt"))) {
      return Checked.failed("typ is not dpop+jwt");
    }
    if (!jwt.isSignedBy(key)) {
      return Checked.failed("it is not signed with the key that it names");
    }
    if (!jwt.claims().text("htm").equals(Optional.of(request.method()))) {
      return Checked.failed("htm is not the method of this request");
    }
    if (jwt.claims().text("htu").filter(htu -> isOneOf(request.addresses(), htu)).isEmpty()) {
      return Checked.failed("htu is not the address of this request");
    }
    Instant now = clock.instant();
    Optional<Instant> issuedAt = jwt.claims().issuedAt();
    if (issuedAt.filter(at -> !at.isBefore(now.minus(FRESH)) && !at.isAfter(now.plus(FRESH))).isEmpty()) {
      return Checked.failed("iat is not within a minute of now");
    }
    Optional<String> token = request.accessToken();
    if (token.isPresent() && !jwt.claims().text("ath").equals(token.map(DpopProofs::hash))) {
      return Checked.failed("ath is not of this access token");
    }
    Optional<String> id = jwt.claims().id().filter(jti -> !jti.isEmpty() && jti.length() <= MOST_ID_CHARACTERS);
    if (id.isEmpty()) {
      return Checked.failed("there is no jti of 1 to 256 characters");
    }
    String thumbprint = key.thumbprint();
    ReplayKey seen = new ReplayKey(request.realm(), "dpop " + thumbprint, id.get());
    return replay.firstSeen(seen, issuedAt.orElseThrow().plus(FRESH).plusSeconds(1))
        ? Checked.passed(thumbprint)
        : Checked.failed("it was used before");
  }

  private static boolean isOneOf(List<String> addresses, String htu) {
    Optional<String> shown = normalised(htu);
    return shown.isPresent() && addresses.stream().anyMatch(address -> shown.equals(normalised(address)));
  }

  /** RFC 3986, sections 6.2.2 and 6.2.3, as far as our addresses need it; empty where it is no http address. */
  private static Optional<String> normalised(String address) {
    try {
      URI uri = new URI(address);
      if (uri.getRawUserInfo() != null) {
        return Optional.empty();
      }
      String path = uri.normalize().getRawPath();
      return Optional.of(Origin.of(uri) + (path.isEmpty() ? "/" : path));
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
}
