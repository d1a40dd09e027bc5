package dev.gatehouse.common.jose;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.Binding;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Checks a DPoP proof (RFC 9449, section 4.3): that the sender of this very request holds a key. A proof is valid for a minute,
 * once, and with a nonce of ours if the client is configured for nonces. Blocks.
 */
public final class DpopProofs {

  /** Tolerance before and after our own clock. */
  private static final Duration FRESH = Duration.ofSeconds(60);

  private static final int MAX_ID_CHARACTERS = 256;

  /**
   * The request that a proof must match.
   *
   * @param addresses equivalent addresses of the request, without query and fragment
   * @param accessToken the token that the proof must name by {@code ath}, at a resource
   * @param demands of its client
   */
  public record Request(
      String realm, String method, List<String> addresses, Optional<String> accessToken, Demands demands) {
    public Request {
      addresses = List.copyOf(addresses);
    }
  }

  /**
   * Requirements on proofs for a client's tokens beyond RFC 9449.
   *
   * @param nonce one of ours (sections 8 and 9)
   * @param fapi2 PS256, ES256 or EdDSA as algorithm (FAPI 2.0 Security Profile, section 5.4.1)
   */
  public record Demands(boolean nonce, boolean fapi2) {
    public static final Demands NONE = new Demands(false, false);

    public static Demands of(ClientConfig client) {
      return new Demands(client.tokens().binding() == Binding.DPOP_NONCE, client.followsFapi2());
    }
  }

  /**
   * A proof that holds, whether or not it was used before.
   *
   * @param thumbprint of the key, {@code jkt} (section 6.1)
   * @param mark remembers that it was used
   * @param until the time until which it is valid, and the mark is needed
   */
  public record Proof(String thumbprint, ReplayKey mark, Instant until) {}

  /** The outcome of a check. */
  public sealed interface Outcome {
    record Proved(Proof proof) implements Outcome {}

    record Refused(String problem) implements Outcome {}

    /** {@code use_dpop_nonce}: the client must create another proof with {@link DpopNonces#current}. */
    record NonceWanted() implements Outcome {
      public static final String PROBLEM = "nonce is missing, or not one of the last five minutes";
    }
  }

  private final ReplayCache replay;
  private final DpopNonces nonces;
  private final InstantSource clock;

  public DpopProofs(ReplayCache replay, DpopNonces nonces, InstantSource clock) {
    this.replay = replay;
    this.nonces = nonces;
    this.clock = clock;
  }

  public DpopNonces nonces() {
    return nonces;
  }

  /**
   * Verifies a proof and uses it.
   *
   * @param headers all with the name {@code DPoP}
   */
  public Outcome check(List<String> headers, Request request) {
    Outcome outcome = verify(headers, request);
    return outcome instanceof Outcome.Proved(Proof proof) ? use(proof).<Outcome>map(used -> used).orElse(outcome) : outcome;
  }

  /** Marks the proof as used (section 11.1). Empty for exactly one caller; the mark is durable then. */
  public Optional<Outcome.Refused> use(Proof proof) {
    return replay.firstSeen(proof.mark(), proof.until())
        ? Optional.empty()
        : Optional.of(new Outcome.Refused("it was used before"));
  }

  /**
   * Like {@link #check}, but writes nothing. Anybody can make proofs, so a caller that has to find out first whether the sender has
   * anything else calls this, and {@link #use} before it issues or stores something.
   */
  public Outcome verify(List<String> headers, Request request) {
    if (headers.size() != 1) {
      return new Outcome.Refused(headers.isEmpty() ? "there is no DPoP header" : "there are two DPoP headers");
    }
    return switch (ReceivedJwt.read(headers.getFirst(), ReceivedJwt.OwnKey.REQUIRED)) {
      case Result.Refused(String problem) -> noProof(request, problem);
      case Result.Accepted(ReceivedJwt jwt) when request.demands().nonce() && !hasNonce(jwt, request) ->
          new Outcome.NonceWanted();
      case Result.Accepted(ReceivedJwt jwt) ->
          switch (verify(jwt, request)) {
            case Result.Accepted(Proof proof) -> new Outcome.Proved(proof);
            case Result.Refused(String problem) -> new Outcome.Refused(problem);
          };
    };
  }

  /** Returns the outcome for an unreadable proof, which has no nonce. */
  private static Outcome noProof(Request request, String problem) {
    return request.demands().nonce() ? new Outcome.NonceWanted() : new Outcome.Refused(problem);
  }

  /** Checks the nonce before the signature, which is checked afterwards and covers the same claim. */
  private boolean hasNonce(ReceivedJwt jwt, Request request) {
    return jwt.claims().text("nonce").filter(nonce -> nonces.isValid(request.realm(), nonce)).isPresent();
  }

  private Result<Proof, String> verify(ReceivedJwt jwt, Request request) {
    PublicJwk key = jwt.key().orElseThrow();
    if (!jwt.type().equals(Optional.of("dpop+jwt"))) {
      return Result.refused("typ is not dpop+jwt");
    }
    if (request.demands().fapi2() && jwt.algorithm() == JwsName.RS256) {
      return Result.refused("alg is RS256, but the FAPI 2.0 Security Profile allows PS256, ES256 and EdDSA");
    }
    if (!jwt.isSignedBy(key)) {
      return Result.refused("it is not signed with the key that it names");
    }
    if (!jwt.claims().text("htm").equals(Optional.of(request.method()))) {
      return Result.refused("htm is not the method of this request");
    }
    if (jwt.claims().text("htu").filter(htu -> isOneOf(request.addresses(), htu)).isEmpty()) {
      return Result.refused("htu is not the address of this request");
    }
    Instant now = clock.instant();
    Optional<Instant> issuedAt = jwt.claims().issuedAt();
    if (issuedAt.filter(at -> !at.isBefore(now.minus(FRESH)) && !at.isAfter(now.plus(FRESH))).isEmpty()) {
      return Result.refused("iat is not within a minute of now");
    }
    Optional<String> token = request.accessToken();
    if (token.isPresent() && !jwt.claims().text("ath").equals(token.map(DpopProofs::hash))) {
      return Result.refused("ath is not of this access token");
    }
    Optional<String> id = jwt.claims().id().filter(jti -> !jti.isEmpty() && jti.length() <= MAX_ID_CHARACTERS);
    if (id.isEmpty()) {
      return Result.refused("there is no jti of 1 to 256 characters");
    }
    String thumbprint = key.thumbprint();
    ReplayKey mark = new ReplayKey(request.realm(), "dpop " + thumbprint, id.get());
    return Result.accepted(new Proof(thumbprint, mark, issuedAt.orElseThrow().plus(FRESH).plusSeconds(1)));
  }

  private static boolean isOneOf(List<String> addresses, String htu) {
    Optional<String> shown = normalised(htu);
    return shown.isPresent() && addresses.stream().anyMatch(address -> shown.equals(normalised(address)));
  }

  /** Normalises by RFC 3986, sections 6.2.2 and 6.2.3, as far as our addresses need it; empty if it is not an http address. */
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

  /** Returns {@code ath}: base64url of the SHA-256 of the token (section 4.2). */
  public static String hash(String accessToken) {
    return Sha256.base64Url(accessToken);
  }
}
