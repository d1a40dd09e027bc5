package dev.gatehouse.sp.login;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.sealed.PendingCookies;
import dev.gatehouse.common.sealed.PendingCookies.Keeping;
import dev.gatehouse.common.sealed.PendingOverflow;
import dev.gatehouse.common.sealed.SealedState;
import dev.gatehouse.common.sealed.UnsealResult;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.sp.edge.BrowserKey;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The requests that wait for an answer, for as long as a person may take on a login page. The browser that began a
 * login carries the request, sealed for that browser: beginning a login stores nothing. Answering a request writes a
 * mark, so that the browser cannot present it again.
 */
public final class PendingRequests {

  /** The longest time that a login may take. */
  public static final Duration LIFE = Duration.ofHours(1);

  /** The time that a mark outlives its request: the clocks of nodes that share the marks may differ. */
  private static final Duration MARK_MARGIN = Duration.ofMinutes(1);

  /** Issuer of the marks. It is not a URI and so cannot collide with an entity ID. */
  private static final String ANSWERED = "answered request";

  private final PendingCookies cookies;
  private final RequestIds ids;
  private final ReplayCache marks;
  private final Refusals refusals;
  private final InstantSource time;

  public PendingRequests(
      SealingKey sealing, ReplayCache marks, Stores stores, Refusals refusals, InstantSource time, RandomGenerator random) {
    SealedState sealed = new SealedState(sealing, "sp login", 1, time, random);
    this.cookies = new PendingCookies(sealed, "sp", new PendingOverflow(time, stores, "sp-pending-overflow"), time, random);
    this.ids = new RequestIds(sealing, time, random);
    this.marks = marks;
    this.refusals = refusals;
    this.time = time;
  }

  /** The state of a request, found by its ID. */
  public sealed interface Found {
    /** This browser sent the request. {@link #answer} tells whether it was answered meanwhile. */
    record Waiting(PendingRequest request) implements Found {}

    record Answered() implements Found {}

    /** We sent the request for another browser, or this browser has begun too many others since. */
    record OtherBrowser() implements Found {}

    /**
     * This browser sent the request, but it was too large for a cookie, and a restart or other requests removed it from
     * memory.
     */
    record Lost() implements Found {}

    /** We never sent the request, or sent it more than an hour ago. */
    record Unknown() implements Found {}
  }

  /** The ID for a new request of the realm. */
  public String newId(SpRealm realm) {
    return ids.create(realm.name());
  }

  /** Returns whether we sent the request and it may still be answered. */
  public boolean isOpen(SpRealm realm, String id) {
    return ids.issuedAt(realm.name(), id).filter(at -> time.instant().isBefore(at.plus(LIFE))).isPresent();
  }

  /**
   * Stores the request with its browser.
   *
   * @return the reply of {@code then} with the cookies that hold the request, or a refusal if the request cannot be
   *     stored
   */
  public EdgeReply keep(
      SpRealm realm, EdgeRequest request, BrowserKey browser, PendingRequest pending, Supplier<EdgeReply> then) {
    byte[] payload = PendingRequest.codec(realm.name(), pending.id()).encode(pending);
    return switch (cookies.keep(request, realm.name(), browser.token(), pending.id(), payload, LIFE)) {
      case Keeping.Kept kept -> kept.in(browser.rememberedBy(then.get(), request));
      case Keeping.Full(Duration retryAfter) -> refusals.tooManyWaiting(realm, request, 503, retryAfter);
      case Keeping.TooLarge tooLarge -> refusals.page(realm, request, 414, "too-large");
    };
  }

  /** Looks the request up without consuming it. */
  public Found find(SpRealm realm, EdgeRequest request, String id) {
    UnsealResult unsealed =
        BrowserKey.of(realm, request)
            .map(browser -> cookies.open(request, realm.name(), browser.token(), id))
            .orElseGet(UnsealResult.Absent::new);
    Optional<PendingRequest> carried =
        unsealed instanceof UnsealResult.Opened(byte[] payload, Instant end)
            ? decoded(realm, id, payload).filter(this::isOpen)
            : Optional.empty();
    if (carried.isPresent()) {
      return new Found.Waiting(carried.get());
    }
    if (!isOpen(realm, id)) {
      return new Found.Unknown();
    }
    if (marks.isMarked(mark(realm.name(), id))) {
      return new Found.Answered();
    }
    return unsealed instanceof UnsealResult.Lost ? new Found.Lost() : new Found.OtherBrowser();
  }

  /**
   * Consumes the request. Returns true to exactly one caller. The mark outlives every answer that could still be
   * accepted for the request.
   */
  public boolean answer(PendingRequest pending) {
    return marks.firstSeen(
        mark(pending.realm(), pending.id()), pending.createdAt().plus(LIFE).plus(MARK_MARGIN));
  }

  /** Adds to the reply the removal of the request's cookie. */
  public EdgeReply forgottenBy(EdgeReply reply, SpRealm realm, EdgeRequest request, String id) {
    return BrowserKey.of(realm, request)
        .map(browser -> cookies.forgottenBy(reply, request, realm.name(), browser.token(), id))
        .orElse(reply);
  }

  /** The login request of this browser when it sent the pending request; empty for any other browser. */
  Optional<LoginRequest> loginRequestOf(SpRealm realm, EdgeRequest request, String id) {
    return find(realm, request, id) instanceof Found.Waiting(PendingRequest pending)
        ? Optional.of(pending.loginRequest())
        : Optional.empty();
  }

  private static Optional<PendingRequest> decoded(SpRealm realm, String id, byte[] payload) {
    try {
      return Optional.of(PendingRequest.codec(realm.name(), id).decode(payload));
    } catch (IllegalArgumentException e) {
      // We sealed it in a format that this version does not read: the person begins such a login again.
      return Optional.empty();
    }
  }

  /**
   * Decides by the request's own age, not by the time of sealing, because its mark also ends by that age. If marks were
   * lost, an answered request would look open; requests older than the loss are therefore refused.
   */
  private boolean isOpen(PendingRequest pending) {
    return time.instant().isBefore(pending.createdAt().plus(LIFE))
        && !pending.createdAt().isBefore(marks.completeSince());
  }

  private static ReplayKey mark(String realm, String id) {
    return new ReplayKey(realm, ANSWERED, id);
  }
}
