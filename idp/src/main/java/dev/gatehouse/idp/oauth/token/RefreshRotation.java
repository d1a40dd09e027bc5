package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.Authorization.Refresh;
import dev.gatehouse.idp.oauth.client.Client;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Replaces a used refresh token by its successor, atomically. If the client has a grace period, a used token returns
 * the same successor again during that period, until the successor is used: this covers answers that were lost on the
 * way.
 *
 * <p>The refresh token of a sender-constrained authorization (RFC 9449, RFC 8705) does not rotate: a thief lacks the
 * key, and rotation would cost a client its authorization whenever an answer is lost (FAPI 2.0 Security Profile,
 * section 5.3.2.1).
 */
final class RefreshRotation {

  /** The result of using a token. */
  sealed interface Result {
    /**
     * @param token the successor, new or, within the grace period, the same again; the used token itself if it does not
     *     rotate
     */
    record Next(Authorization authorization, String token) implements Result {}

    /** The token was used before. The caller ends the family. */
    record Replayed() implements Result {}

    record Ended() implements Result {}
  }

  private final Authorizations authorizations;
  private final RefreshTokens tokens;
  private final InstantSource clock;

  RefreshRotation(Authorizations authorizations, RefreshTokens tokens, InstantSource clock) {
    this.authorizations = authorizations;
    this.tokens = tokens;
    this.clock = clock;
  }

  /** A refresh token with its stored data. */
  record Made(String token, Refresh kept) {}

  /** Creates the first token of a family. */
  Made first(String realm, SessionId authorization) {
    String token = tokens.create(realm, authorization);
    return new Made(
        token, new Refresh(RefreshTokens.hash(token), Optional.empty(), Optional.empty(), Optional.empty()));
  }

  /** The time at which an authorization ends if it is not used any more. */
  Instant end(RealmRequest request, Client client, boolean isRefreshed) {
    Duration access = AccessTokenIssuer.life(request, client).plusSeconds(1);
    Duration refresh = client.config().tokens().refreshTokenLife().orElse(request.idp().oauth().refreshTokenLife());
    return clock.instant().plus(isRefreshed && refresh.compareTo(access) > 0 ? refresh : access);
  }

  Result rotate(RealmRequest request, Client client, RefreshTokens.Genuine used) {
    Turn turn = new Turn(request, client, used);
    Optional<Authorization> stored = authorizations.update(used.authorization(), turn::take);
    return stored.isEmpty() ? new Result.Ended() : turn.result(stored.get());
  }

  /** One use of a token. Its changes are made while other uses of the same authorization wait. */
  private final class Turn {
    private final RealmRequest request;
    private final Client client;
    private final RefreshTokens.Genuine used;
    private Optional<String> successor = Optional.empty();

    Turn(RealmRequest request, Client client, RefreshTokens.Genuine used) {
      this.request = request;
      this.client = client;
      this.used = used;
    }

    Authorization take(Authorization before) {
      // Perhaps this is the second try, after another node's change.
      successor = Optional.empty();
      Optional<Refresh> known = before.tokens().refresh();
      if (known.isEmpty()) {
        return before;
      }
      if (known.get().current().equals(used.hash())) {
        return before.tokens().confirmation().isPresent() ? same(before, known.get()) : next(before);
      }
      successor = again(before, known.get());
      return before;
    }

    /** The token remains valid, for another full lifetime. */
    private Authorization same(Authorization before, Refresh known) {
      successor = Optional.of(used.token());
      return before.rotated(known, end(request, client, true));
    }

    private Authorization next(Authorization before) {
      String token = tokens.create(before.realm(), before.id());
      successor = Optional.of(token);
      Duration grace = client.config().tokens().refreshGrace();
      Refresh next =
          grace.isZero()
              ? new Refresh(RefreshTokens.hash(token), Optional.empty(), Optional.empty(), Optional.empty())
              : new Refresh(
                  RefreshTokens.hash(token),
                  Optional.of(used.hash()),
                  Optional.of(clock.instant().plus(grace)),
                  Optional.of(tokens.seal(before.realm(), before.id(), token)));
      return before.rotated(next, end(request, client, true));
    }

    private Optional<String> again(Authorization before, Refresh known) {
      boolean isInGrace =
          known.used().filter(used.hash()::equals).isPresent()
              && known.graceUntil().filter(until -> clock.instant().isBefore(until)).isPresent();
      return isInGrace
          ? known.sealed().map(sealed -> tokens.open(before.realm(), before.id(), sealed))
          : Optional.empty();
    }

    Result result(Authorization stored) {
      return successor.<Result>map(token -> new Result.Next(stored, token)).orElseGet(Result.Replayed::new);
    }
  }
}
