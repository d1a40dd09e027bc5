package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.sealed.PendingCookies.Keeping;
import dev.gatehouse.common.sealed.PendingCookies;
import dev.gatehouse.common.sealed.SealedState;
import dev.gatehouse.common.sealed.UnsealResult;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Waiting requests of one protocol. They wait for an hour, so that a person has time and may reload: for a login, for
 * consent, or (saved) only for the browser to return with its cookies. Nobody has authenticated yet, so the browser
 * carries them, sealed; the only thing that is ever stored is the mark of an answered request.
 *
 * @param <A> the type of the requests
 */
public final class PendingRequests<A> {

  /** The time that a request may wait. */
  public static final Duration LIFE = Duration.ofHours(1);

  /** The time that a saved request has to come back: its browser is being redirected, and may reload there. */
  public static final Duration RESUME_LIFE = Duration.ofMinutes(10);

  /** The lifetime of a mark: until no earlier sealed text can be opened any more. */
  public static final Duration MARK_LIFE = LIFE.plus(RESUME_LIFE).plusSeconds(1);

  /** Longer addresses break in some servers and proxies. */
  private static final int LONGEST_ADDRESS = 2_000;

  /**
   * A saved request that came back.
   *
   * @param id for {@link #claim}
   */
  public record Resumed<A>(String id, A asked) {}

  private final PendingRequestsFactory factory;
  private final String family;
  private final PackedCodec<A> codec;
  private final PendingCookies waiting;
  private final PendingCookies savedCookies;
  private final SealedState address;

  /**
   * @param waiting bound to the {@link BrowserBinding}
   * @param savedCookies bound to a secret in the address, like {@code address}: a POST from another site comes without
   *     cookies, and a new BrowserBinding would break requests that wait in other tabs
   */
  PendingRequests(
      PendingRequestsFactory factory,
      String family,
      PackedCodec<A> codec,
      PendingCookies waiting,
      PendingCookies savedCookies,
      SealedState address) {
    this.factory = factory;
    this.family = family;
    this.codec = codec;
    this.waiting = waiting;
    this.savedCookies = savedCookies;
    this.address = address;
  }

  /**
   * Redirects to one of our pages, at which the request waits.
   *
   * @param key under which it waits already; empty if it waits from now on
   * @param page creates the page's address from the key
   */
  public EdgeReply at(RealmRequest request, A asked, Optional<String> key, UnaryOperator<String> page) {
    return key.isPresent()
        ? EdgeReply.seeOther(page.apply(key.get()))
        : show(request, asked, (browser, fresh) -> EdgeReply.seeOther(page.apply(fresh)));
  }

  /**
   * Responds with one of our pages, at which the request waits from now on.
   *
   * @param page creates the page from the browser's value and the key
   */
  public EdgeReply show(RealmRequest request, A asked, BiFunction<SessionToken, String, EdgeReply> page) {
    SessionToken browser = factory.browsers().findOrCreate(request);
    String key = SessionToken.create(factory.random()).value();
    Keeping keeping =
        waiting.keep(request.http(), request.realm().name(), browser, key, codec.encode(asked), LIFE);
    return kept(request, keeping, () -> factory.browsers().keep(request, browser, page.apply(browser, key)));
  }

  /**
   * Saves the request until the browser returns with its cookies. {@code comeBack} creates the address from a text that
   * needs no escaping. The text is the sealed request; a request that is too long for an address waits in a cookie of
   * its own.
   */
  public EdgeReply saveAndRedirect(RealmRequest request, A asked, UnaryOperator<String> comeBack) {
    String realm = request.realm().name();
    SessionToken secret = SessionToken.create(factory.random());
    byte[] payload = codec.encode(asked);
    if (2 * payload.length < LONGEST_ADDRESS) {
      String sealed =
          address.seal(realm, secret, family, payload, factory.clock().instant().plus(RESUME_LIFE));
      return EdgeReply.seeOther(comeBack.apply(secret.value() + "." + sealed));
    }
    Keeping keeping = savedCookies.keep(request.http(), realm, secret, secret.value(), payload, RESUME_LIFE);
    return kept(request, keeping, () -> EdgeReply.seeOther(comeBack.apply(secret.value())));
  }

  private EdgeReply kept(RealmRequest request, Keeping keeping, Supplier<EdgeReply> reply) {
    return switch (keeping) {
      case Keeping.Kept kept -> kept.in(reply.get());
      case Keeping.Full(Duration retryAfter) ->
          factory
              .refusals()
              .page(request, 503, "too-many-waiting", "TOO_MANY_PENDING")
              .with("Retry-After", Long.toString(Math.max(1, retryAfter.toSeconds())));
      case Keeping.TooLarge tooLarge -> factory.refusals().page(request, 413, "too-large", "TOO_LARGE_TO_WAIT");
    };
  }

  /**
   * Looks without taking; empty if the request expired, was displaced by newer ones, was answered, or belongs to
   * another browser.
   */
  public Optional<A> own(RealmRequest request, String key) {
    return factory
        .browsers()
        .find(request)
        .map(browser -> waiting.open(request.http(), request.realm().name(), browser, key))
        .flatMap(opening -> read(opening, LIFE));
  }

  /** Looks without taking: the person may reload. */
  public Optional<Resumed<A>> resumed(RealmRequest request, String text) {
    int dot = text.indexOf('.');
    String realm = request.realm().name();
    return SessionToken.parse(dot < 0 ? text : text.substring(0, dot))
        .flatMap(
            secret ->
                read(
                        dot < 0
                            ? savedCookies.open(request.http(), realm, secret, secret.value())
                            : address.open(realm, secret, family, text.substring(dot + 1)),
                        RESUME_LIFE)
                    .map(asked -> new Resumed<>(secret.id().value(), asked)));
  }

  /**
   * Ignores requests sealed before a time for which marks may have been lost (a restore, {@code recover --accept-loss},
   * loss of power): a request that was answered then would look open.
   */
  private Optional<A> read(UnsealResult opening, Duration life) {
    if (!(opening instanceof UnsealResult.Opened(byte[] payload, Instant expiresAt))
        || expiresAt.minus(life).isBefore(factory.marks().completeSince())) {
      return Optional.empty();
    }
    try {
      return Optional.of(codec.decode(payload));
    } catch (IllegalArgumentException e) {
      // We sealed it in a version with other rules: the person begins again.
      return Optional.empty();
    }
  }

  /** Continues with a saved request. */
  public EdgeReply resume(RealmRequest request, String text, Function<Resumed<A>, EdgeReply> go) {
    return resumed(request, text).map(go).orElseGet(() -> gone(request, "PENDING_REQUEST_UNKNOWN"));
  }

  /**
   * Claims the right to answer, by a mark that survives a restart.
   *
   * @param id the key, or a saved request's id
   * @return the error reply if the request was answered before
   */
  public Optional<EdgeReply> claim(RealmRequest request, String id) {
    ReplayKey mark = new ReplayKey(request.realm().name(), "waiting " + family, id);
    return factory.marks().firstSeen(mark, factory.clock().instant().plus(MARK_LIFE))
        ? Optional.empty()
        : Optional.of(used(request, "PENDING_LOGIN_REPLAYED"));
  }

  /** Adds to the reply the removal of the answered request from the browser. */
  public EdgeReply forgottenBy(EdgeReply reply, RealmRequest request, Optional<String> key) {
    Optional<SessionToken> browser = factory.browsers().find(request);
    return key.isPresent() && browser.isPresent()
        ? waiting.forgottenBy(reply, request.http(), request.realm().name(), browser.get(), key.get())
        : reply;
  }

  public EdgeReply gone(RealmRequest request, String reason) {
    return factory.refusals().page(request, 400, "expired", reason);
  }

  /** Refuses a request that was answered before. The person need not have seen the answer: a node may die before it is sent. */
  public EdgeReply used(RealmRequest request, String reason) {
    return factory.refusals().page(request, 400, "already-used", reason);
  }

  /** The hash of the browser that sent the request; all requests that it {@link #own}s belong to it. */
  public Optional<String> browser(RealmRequest request) {
    return factory.browsers().find(request).map(BrowserBinding::hash);
  }
}
