package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Take;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Requests of one protocol that wait, for an hour, so that a person may take their time and reload: for a login, for consent,
 * or (parked) only for the browser to come back with its cookies. Each is taken up by its own browser, and answered once.
 *
 * @param <W> what waits
 */
public final class WaitingRoom<W extends WaitingRoom.Waits> {

  /** Something that waits. */
  public interface Waits {
    String realm();

    /** Hash of the {@link BrowserBinding}; empty while parked. */
    Optional<String> browser();
  }

  private final SingleUseStore<W> store;
  private final PendingLimit limit;
  private final BrowserBinding browsers;
  private final Refusals refusals;
  private final InstantSource clock;
  private final RandomGenerator random;

  public WaitingRoom(
      SingleUseStore<W> store,
      PendingLimit limit,
      BrowserBinding browsers,
      Refusals refusals,
      InstantSource clock,
      RandomGenerator random) {
    this.store = store;
    this.limit = limit;
    this.browsers = browsers;
    this.refusals = refusals;
    this.clock = clock;
    this.random = random;
  }

  /**
   * To a page of ours, at which it waits from now on.
   *
   * @param waits makes what waits of the browser's hash
   * @param page makes the page's address of the key
   */
  public EdgeReply at(RealmRequest request, Function<String, W> waits, UnaryOperator<String> page) {
    SessionToken browser = browsers.findOrCreate(request);
    return put(request, waits.apply(BrowserBinding.hash(browser)))
        .map(key -> browsers.keep(request, browser, EdgeReply.seeOther(page.apply(key))))
        .orElseGet(() -> tooMany(request));
  }

  /** Until the browser comes back with its cookies, to an address that is made of the key. */
  public EdgeReply park(RealmRequest request, W parked, UnaryOperator<String> address) {
    return put(request, parked)
        .map(key -> EdgeReply.seeOther(address.apply(key)))
        .orElseGet(() -> tooMany(request));
  }

  private Optional<String> put(RealmRequest request, W waits) {
    String key = SessionToken.create(random).value();
    if (!limit.admit(key, request.http().client())) {
      return Optional.empty();
    }
    store.put(key, waits, clock.instant().plus(PendingLimit.LIFE));
    return Optional.of(key);
  }

  /** Looks without taking, whose browser's ever it is; never a parked one. */
  public Optional<W> find(RealmRequest request, String key) {
    return peek(request, key).filter(waits -> waits.browser().isPresent());
  }

  /** Looks without taking; empty where it expired, was answered, or is another browser's. */
  public Optional<W> own(RealmRequest request, String key) {
    return peek(request, key)
        .filter(waits -> waits.browser().filter(hash -> browsers.matches(request, hash)).isPresent());
  }

  private Optional<W> peek(RealmRequest request, String key) {
    return store.peek(key).filter(waits -> waits.realm().equals(request.realm().name()));
  }

  /** Goes on with a parked one, once. */
  public EdgeReply unpark(RealmRequest request, String key, Function<W, EdgeReply> go) {
    if (peek(request, key).filter(parked -> parked.browser().isEmpty()).isEmpty()) {
      return gone(request, "NO_SUCH_PARKED_REQUEST");
    }
    return switch (take(key)) {
      case Take.First<W>(var parked) -> go.apply(parked);
      case Take.Replayed<W> replayed -> gone(request, "PARKED_REQUEST_REPLAYED");
      case Take.Absent<W> absent -> gone(request, "NO_SUCH_PARKED_REQUEST");
    };
  }

  /** Makes the answer ours alone to give; the reply where somebody has given it already. */
  public Optional<EdgeReply> claim(RealmRequest request, String key) {
    return switch (take(key)) {
      case Take.First<W> first -> Optional.empty();
      case Take.Replayed<W> replayed -> Optional.of(gone(request, "PENDING_LOGIN_REPLAYED"));
      case Take.Absent<W> absent -> Optional.of(gone(request, "NO_SUCH_PENDING_LOGIN"));
    };
  }

  private Take<W> take(String key) {
    Take<W> taken = store.take(key);
    limit.release(key);
    return taken;
  }

  public EdgeReply gone(RealmRequest request, String reason) {
    return refusals.page(request, 400, "expired", reason);
  }

  private EdgeReply tooMany(RealmRequest request) {
    return refusals.page(request, 429, "too-many-tries", "TOO_MANY_PENDING");
  }
}
