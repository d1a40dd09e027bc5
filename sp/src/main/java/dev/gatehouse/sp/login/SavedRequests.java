package dev.gatehouse.sp.login;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.http.SameOrigin;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.LimitedStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.common.throttle.FairQuota;
import dev.gatehouse.sp.edge.BrowserKey;
import dev.gatehouse.common.crypto.Digests;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * POSTs that were interrupted by a login and wait for their senders, for one hour at most. The senders have no session:
 * if a client network sends too many, its oldest POST is dropped; if the store is full, the oldest of the network with
 * the most POSTs is dropped.
 */
public final class SavedRequests {

  private static final String FORM = "replay";
  private static final int LARGEST_BODY = 64 * 1024;
  private static final FairQuota.Limits LIMITS = new FairQuota.Limits(20, 1000);

  /** Fields that describe the body and page of the confirmation itself. */
  private static final Set<String> NOT_OF_CONFIRMATION =
      Set.of("content-type", "content-length", "content-encoding", "transfer-encoding", "trailer", "expect", "referer");

  private final LimitedStore<SavedRequest> store;
  private final InstantSource time;
  private final RandomGenerator random;

  public SavedRequests(Stores stores, InstantSource time, RandomGenerator random) {
    this.store = stores.limited("sp-post", SavedRequest.CODEC, LIMITS, time);
    this.time = time;
    this.random = random;
  }

  /**
   * Saves the request if the origin's own page sent it and the store has room.
   *
   * @return the key that names it
   */
  Optional<String> keep(SpRealm realm, EdgeRequest request, BrowserKey browser) {
    ReturnTarget target = ReturnTarget.of(request);
    boolean whole = target.url().equals(request.origin() + pathAndQuery(request));
    boolean encoded = request.headers().first("Content-Encoding").isPresent();
    if (!whole || encoded || request.body().length > LARGEST_BODY || !SameOrigin.sent(request)) {
      return Optional.empty();
    }
    String key = SessionToken.create(random).value();
    byte[] sealed = BrowserSeal.seal(browser, request.body(), random);
    Optional<String> type = request.headers().first("Content-Type");
    SavedRequest saved = new SavedRequest(realm.name(), target, browser.hash(), type, sealed);
    Instant end = time.instant().plus(PendingRequests.LIFE);
    return store.putWithin(key, new FairQuota.Claim(request.client(), 1), saved, end).isEmpty() ? Optional.of(key) : Optional.empty();
  }

  /** The path of the page that asks whether to repeat the request. */
  static String page(String key) {
    return SpPaths.REPLAY + "?post=" + key;
  }

  /** The data of the confirmation page. */
  record Question(String path, String csrf) {}

  Optional<Question> question(SpRealm realm, EdgeRequest request, String key) {
    Optional<BrowserKey> browser = BrowserKey.of(realm, request);
    return browser.flatMap(
        own ->
            find(realm, request, own, key).map(post -> new Question(post.target().path(), CsrfToken.of(own.token(), FORM, key))));
  }

  /** Like {@code ServiceProvider.takeReplay}. */
  public Optional<EdgeRequest> take(SpRealm realm, EdgeRequest confirmation) {
    Parameters form = confirmation.formParameters();
    Optional<String> key = form.one("post");
    Optional<BrowserKey> browser = BrowserKey.of(realm, confirmation);
    if (key.isEmpty() || browser.isEmpty() || find(realm, confirmation, browser.get(), key.get()).isEmpty()) {
      return Optional.empty();
    }
    boolean confirmed = CsrfToken.isIn(confirmation, browser.get().token(), FORM, key.get());
    if (!confirmed || !(store.take(key.get()) instanceof TakeResult.First<SavedRequest>(SavedRequest post))) {
      return Optional.empty();
    }
    return BrowserSeal.open(browser.get(), post.sealedBody()).map(body -> repeated(confirmation, post, body));
  }

  private Optional<SavedRequest> find(SpRealm realm, EdgeRequest request, BrowserKey browser, String key) {
    return store
        .peek(key)
        .filter(post -> post.realm().equals(realm.name()))
        .filter(post -> post.target().origin().equals(request.origin()))
        .filter(post -> Digests.equal(post.browser(), browser.hash()));
  }

  private static EdgeRequest repeated(EdgeRequest confirmation, SavedRequest post, byte[] body) {
    List<Headers.Field> fields = new ArrayList<>(post.headers().fields());
    for (Headers.Field field : confirmation.headers().fields()) {
      if (!NOT_OF_CONFIRMATION.contains(field.name().toLowerCase(Locale.ROOT))) {
        fields.add(field);
      }
    }
    String path = post.target().path();
    int question = path.indexOf('?');
    return new EdgeRequest(
        "POST",
        confirmation.origin(),
        question < 0 ? path : path.substring(0, question),
        question < 0 ? "" : path.substring(question + 1),
        Headers.of(fields),
        body,
        confirmation.client());
  }

  private static String pathAndQuery(EdgeRequest request) {
    return request.query().isEmpty() ? request.path() : request.path() + "?" + request.query();
  }
}
