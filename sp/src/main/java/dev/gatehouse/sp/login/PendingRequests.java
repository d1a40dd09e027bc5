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
 * The requests that wait for an answer, for as long as somebody may sit before a login page. Each is carried by the browser that began it, sealed
 * for that browser: nothing is stored when a login begins. When one is answered a mark is written, so that the browser cannot bring it again.
 */
public final class PendingRequests {

  /** How long a login may take. */
  public static final Duration LIFE = Duration.ofHours(1);

  /** How much longer a mark is kept than its request: the clocks of nodes that share the marks may differ. */
  private static final Duration MARK_MARGIN = Duration.ofMinutes(1);

  /** Issuer of the marks; no entity ID, which is a URI. */
  private static final String ANSWERED = "answered request";

  private final PendingCookies cookies;
  private final RequestIds ids;
  private final ReplayCache marks;
  private final Refusals refusals;
  private final InstantSource time;

  public PendingRequests(
      SealingKey sealing, ReplayCache marks, Refusals refusals, InstantSource time, RandomGenerator random) {
    SealedState sealed = new SealedState(sealing, "sp login", 1, time, random);
    this.cookies = new PendingCookies(sealed, "sp", new PendingOverflow(time), time, random);
    this.ids = new RequestIds(sealing, time, random);
    this.marks = marks;
    this.refusals = refusals;
    this.time = time;
  }

  /** What is known of a request by its ID. */
  public sealed interface Found {
    /** This browser sent it. That it was answered meanwhile, {@link #answer} tells. */
    record Waiting(PendingRequest request) implements Found {}

    record Answered() implements Found {}

    /** We sent it for another browser, or this one has begun too many others since. */
    record OtherBrowser() implements Found {}

    /** This browser sent it, and it was too large to be carried: a restart, or others, took it from our memory. */
    record Lost() implements Found {}

    /** We never sent it, or more than an hour ago. */
    record Unknown() implements Found {}
  }

  /** For a new request of that realm. */
  public String newId(SpRealm realm) {
    return ids.create(realm.name());
  }

  /** Whether we sent it and it may still be answered. */
  public boolean isOpen(SpRealm realm, String id) {
    return ids.issuedAt(realm.name(), id).filter(at -> time.instant().isBefore(at.plus(LIFE))).isPresent();
  }

  /** What {@code then} replies, with the cookies that keep the request with its browser; or why it cannot be kept. */
  public EdgeReply keep(
      SpRealm realm, EdgeRequest request, BrowserKey browser, PendingRequest pending, Supplier<EdgeReply> then) {
    byte[] payload = PendingRequest.codec(realm.name(), pending.id()).encode(pending);
    return switch (cookies.keep(request, realm.name(), browser.token(), pending.id(), payload, LIFE)) {
      case Keeping.Kept kept -> kept.in(browser.rememberedBy(then.get(), request));
      case Keeping.Full(Duration retryAfter) -> refusals.tooManyWaiting(realm, request, 503, retryAfter);
      case Keeping.TooLarge tooLarge -> refusals.page(realm, request, 414, "too-large");
    };
  }

  /** Looks without consuming. */
  public Found find(SpRealm realm, EdgeRequest request, String id) {
    UnsealResult opening =
        BrowserKey.of(realm, request)
            .map(browser -> cookies.open(request, realm.name(), browser.token(), id))
            .orElseGet(UnsealResult.Absent::new);
    Optional<PendingRequest> carried =
        opening instanceof UnsealResult.Opened(byte[] payload, Instant end)
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
    return opening instanceof UnsealResult.Lost ? new Found.Lost() : new Found.OtherBrowser();
  }

  /** Consumes it: true for one caller alone. The mark outlives whatever could still be taken for the request. */
  public boolean answer(PendingRequest pending) {
    return marks.firstSeen(
        mark(pending.realm(), pending.id()), pending.createdAt().plus(LIFE).plus(MARK_MARGIN));
  }

  /** The reply, and the browser forgets the request. */
  public EdgeReply forgottenBy(EdgeReply reply, SpRealm realm, EdgeRequest request, String id) {
    return BrowserKey.of(realm, request)
        .map(browser -> cookies.forgottenBy(reply, request, realm.name(), browser.token(), id))
        .orElse(reply);
  }

  /** What this browser wanted when it sent that request; empty for any other browser. */
  Optional<LoginRequest> wishOf(SpRealm realm, EdgeRequest request, String id) {
    return find(realm, request, id) instanceof Found.Waiting(PendingRequest pending)
        ? Optional.of(pending.wish())
        : Optional.empty();
  }

  private static Optional<PendingRequest> decoded(SpRealm realm, String id, byte[] payload) {
    try {
      return Optional.of(PendingRequest.codec(realm.name(), id).decode(payload));
    } catch (IllegalArgumentException e) {
      // Sealed by us in a format that this version does not read: such a login begins again.
      return Optional.empty();
    }
  }

  /**
   * By its own age, whenever it was sealed, since its mark ends by that too. And where marks were lost, an answered request
   * would look as if it waited.
   */
  private boolean isOpen(PendingRequest pending) {
    return time.instant().isBefore(pending.createdAt().plus(LIFE))
        && !pending.createdAt().isBefore(marks.completeSince());
  }

  private static ReplayKey mark(String realm, String id) {
    return new ReplayKey(realm, ANSWERED, id);
  }
}
