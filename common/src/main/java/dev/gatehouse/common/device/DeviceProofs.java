package dev.gatehouse.common.device;

import dev.gatehouse.common.device.DeviceBinding.Kind;
import dev.gatehouse.common.device.DeviceBinding.State.Bound;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.jose.PublicJwk;
import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.common.jose.ReceivedJwt.OwnKey;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.session.SessionId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks that the sender of a request holds a key: a DBSC proof (Device Bound Session Credentials, "DBSC Proof JWT Syntax"). The
 * challenge is used up last, so that nothing is stored for a proof that fails otherwise. Blocks.
 */
public final class DeviceProofs {

  /** The field of the proof. */
  static final String FIELD = "Secure-Session-Response";

  private static final String TYPE = "dbsc+jwt";

  private final DeviceChallenges challenges;

  public DeviceProofs(DeviceChallenges challenges) {
    this.challenges = challenges;
  }

  /** Returns whether the request has a proof, whatever it is worth. */
  static boolean isIn(EdgeRequest request) {
    return request.headers().first(FIELD).isPresent();
  }

  /** Reads the proof of a new key, which it names itself; empty if there is none, or not exactly one. Nothing of it is checked. */
  static Optional<ReceivedJwt> newKey(EdgeRequest request) {
    return read(request, OwnKey.REQUIRED);
  }

  /**
   * Returns the token for which the challenge of the proof was made. Only the receiver of the token got that challenge, so that it
   * stands for the cookie, which browsers do not send where another site began the login (SameSite=Lax).
   */
  Optional<SessionId> challenged(String realm, ReceivedJwt proof) {
    return proof.claims().id().flatMap(jti -> challenges.token(realm, jti));
  }

  /** Returns whether the proof answers an invitation, if its challenge is one of ours. */
  static boolean isInvited(ReceivedJwt proof) {
    return proof.claims().id().filter(DeviceChallenges::isInvitation).isPresent();
  }

  /**
   * Checks the proof of a new key, which it names itself, and returns the key. The proof of a key that the browser itself keeps does not
   * use its challenge up: a token takes one such key in its life, by compare-and-set, and no renewal takes a proof that names its key. A
   * page of ours may renew with such a proof.
   */
  Result<Bound, ProofRefusal> ofNewKey(String realm, EdgeRequest request, ReceivedJwt proof, SessionId token, Kind kind) {
    PublicJwk key = proof.key().orElseThrow();
    return check(request, token, proof, key)
        .or(() -> unusable(used(realm, token, challenge(proof), kind)))
        .<Result<Bound, ProofRefusal>>map(Result::refused)
        .orElseGet(() -> Result.accepted(new Bound(kind, jwk(key, proof, kind), key.thumbprint())));
  }

  private static String jwk(PublicJwk key, ReceivedJwt proof, Kind kind) {
    Map<String, Object> members = key.jwk().toPublicJWK().toJSONObject();
    return StrictJson.write(kind == Kind.WEB_CRYPTO ? PageTraits.of(proof.claims()).with(members) : members);
  }

  /**
   * Checks the proof of a known key; empty if it is good.
   *
   * @param login the fingerprint of the session's login
   */
  Optional<ProofRefusal> ofKey(String realm, EdgeRequest request, SessionId token, Bound bound, Optional<Fingerprint> login) {
    Optional<ReceivedJwt> jwt = read(request, OwnKey.REFUSED).or(() -> ofTwoPages(request, bound));
    if (jwt.isEmpty()) {
      return Optional.of(ProofRefusal.UNREADABLE);
    }
    Map<String, Object> members = StrictJson.object(bound.jwk().getBytes(StandardCharsets.UTF_8)).orElseThrow();
    PublicJwk key =
        switch (PublicJwk.read(members)) {
          case Result.Accepted(PublicJwk read) -> read;
          case Result.Refused(String problem) -> throw new IllegalStateException("A stored key: " + problem);
        };
    return check(request, token, jwt.get(), key)
        .or(() -> bound.kind() == Kind.WEB_CRYPTO ? ofOtherDevice(request, jwt.get(), PageTraits.of(members), login) : Optional.empty())
        .or(() -> unusable(challenges.use(realm, token, challenge(jwt.get()))));
  }

  /** Browsers keep the keys of scripts in files, which can be copied. */
  private static Optional<ProofRefusal> ofOtherDevice(
      EdgeRequest request, ReceivedJwt jwt, PageTraits registered, Optional<Fingerprint> login) {
    int fields = login.map(then -> then.difference(Fingerprint.of(request), false)).orElse(0);
    return fields + registered.difference(PageTraits.of(jwt.claims())) < Fingerprint.DIFFERENT
        ? Optional.empty()
        : Optional.of(ProofRefusal.OTHER_DEVICE);
  }

  /** Two pages of one browser register the same key; the second one finds it registered. */
  private static Optional<ReceivedJwt> ofTwoPages(EdgeRequest request, Bound bound) {
    return bound.kind() == Kind.WEB_CRYPTO
        ? read(request, OwnKey.REQUIRED).filter(jwt -> jwt.key().orElseThrow().thumbprint().equals(bound.thumbprint()))
        : Optional.empty();
  }

  private static Optional<ProofRefusal> check(EdgeRequest request, SessionId token, ReceivedJwt jwt, PublicJwk key) {
    boolean algorithm = jwt.algorithm() == JwsName.ES256 || jwt.algorithm() == JwsName.RS256;
    if (!jwt.type().equals(Optional.of(TYPE)) || !algorithm) {
      return Optional.of(ProofRefusal.OTHER_TYPE);
    }
    if (!jwt.isSignedBy(key)) {
      return Optional.of(ProofRefusal.NOT_SIGNED_BY_KEY);
    }
    // Chromium 156 sends neither aud nor sub; the challenge names origin and session, because it is made for one token.
    String here = request.origin() + request.path();
    List<String> audience = jwt.claims().audience();
    if (!audience.isEmpty() && !audience.equals(List.of(here))
        || jwt.claims().subject().filter(subject -> !subject.equals(token.value())).isPresent()) {
      return Optional.of(ProofRefusal.OTHER_ADDRESSEE);
    }
    return Optional.empty();
  }

  private DeviceChallenges.Use used(String realm, SessionId token, String challenge, Kind kind) {
    return kind == Kind.DBSC ? challenges.look(realm, token, challenge) : challenges.use(realm, token, challenge);
  }

  private static String challenge(ReceivedJwt jwt) {
    return jwt.claims().id().orElse("");
  }

  private static Optional<ProofRefusal> unusable(DeviceChallenges.Use use) {
    return switch (use) {
      case FIRST -> Optional.empty();
      case FOREIGN -> Optional.of(ProofRefusal.FOREIGN_CHALLENGE);
      case EXPIRED -> Optional.of(ProofRefusal.CHALLENGE_EXPIRED);
      case REPLAYED -> Optional.of(ProofRefusal.CHALLENGE_REPLAYED);
    };
  }

  /** The draft says a string in quotes; Chromium 156 sends it without. */
  private static Optional<ReceivedJwt> read(EdgeRequest request, OwnKey ownKey) {
    List<String> values = request.headers().all(FIELD);
    if (values.size() != 1) {
      return Optional.empty();
    }
    String value = values.getFirst();
    boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
    return switch (ReceivedJwt.read(quoted ? value.substring(1, value.length() - 1) : value, ownKey)) {
      case Result.Accepted(ReceivedJwt jwt) -> Optional.of(jwt);
      case Result.Refused(String problem) -> Optional.empty();
    };
  }
}
