package dev.gatehouse.gateway.exchange.cache;

import dev.gatehouse.gateway.bearer.TokenHolder;
import dev.gatehouse.gateway.cache.CacheFillRequest;
import dev.gatehouse.gateway.cache.CacheKey;
import dev.gatehouse.gateway.cache.CacheLookup;
import dev.gatehouse.gateway.cache.CacheRequest;
import dev.gatehouse.gateway.cache.CacheScope;
import dev.gatehouse.gateway.cache.CacheStatus;
import dev.gatehouse.gateway.cache.CacheStatus.Forward;
import dev.gatehouse.gateway.cache.CachedAnswer;
import dev.gatehouse.gateway.cache.NotStored;
import dev.gatehouse.gateway.cache.RequestCoalescing.JoinedFill;
import dev.gatehouse.gateway.cache.RequestCoalescing.Outcome;
import dev.gatehouse.gateway.cache.RequestCoalescing.PendingFill;
import dev.gatehouse.gateway.cache.ResponseCache;
import dev.gatehouse.gateway.cache.RoleKey;
import dev.gatehouse.gateway.cache.StoredResponse;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.route.PermittedRequest;
import dev.gatehouse.gateway.stream.ClientStream;
import dev.gatehouse.gateway.stream.Forwarding;
import dev.gatehouse.gateway.traffic.GatewayMetrics;
import dev.gatehouse.sp.session.AppSession;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Handles a permitted request at a route with a cache: answers it from memory, or forwards it to the app so that the
 * response fills the cache. A request for a response that is already being fetched waits for it, for a limited time.
 */
public final class CacheStep {

  /** Seconds that a request waits for a response that another request is fetching. */
  private static final long WAIT_SECONDS = 5;

  /** The services that the cache's part in all exchanges of an event loop uses. */
  public record Services(ResponseCache cache, GatewayMetrics metrics, GatewayEventLoop loop) {}

  private final Services services;
  private final ClientStream client;
  private final Forwarding exchange;
  private final PermittedRequest request;
  private final CacheScope scope;
  private final CacheRequest asked;
  private final RoleKey roles;
  private final CacheKey key;
  private @Nullable StoringSink filling;
  private @Nullable ScheduledFuture<?> waitTimer;
  private boolean waiting;

  private CacheStep(
      Services services,
      ClientStream client,
      Forwarding exchange,
      PermittedRequest request,
      CacheScope scope,
      CacheRequest asked,
      RoleKey roles,
      CacheKey key) {
    this.services = services;
    this.client = client;
    this.exchange = exchange;
    this.request = request;
    this.scope = scope;
    this.asked = asked;
    this.roles = roles;
    this.key = key;
  }

  /**
   * Begins the cache's part in the request; returns null if that has ended: a fresh response was sent, or the cache does
   * not take part and the request was forwarded to the app.
   */
  public static @Nullable CacheStep begin(
      Services services, ClientStream client, Forwarding exchange, PermittedRequest request, CacheScope scope) {
    RequestHead head = request.head();
    if (!CacheRequest.concerns(head)) {
      exchange.forward(request, InvalidatingSink.where(request, services.cache(), client));
      return null;
    }
    if (request.identified() && !scope.sharesIdentified()) {
      exchange.forward(request, client);
      return null;
    }
    CacheRequest asked = CacheRequest.of(head);
    RoleKey roles = roles(request, scope);
    CacheKey key = CacheKey.of(request.to().origin(), request.path(), asked.query(scope));
    if (asked.isForTheAppOnly()) {
      CacheStep step = new CacheStep(services, client, exchange, request, scope, asked, roles, key);
      step.pass(Forward.REQUEST);
      return step;
    }
    CacheLookup found = services.cache().find(scope, roles, key, asked, services.loop().second());
    if (found instanceof CacheLookup.Fresh(StoredResponse stored)) {
      // Nothing is left to do, so the most frequent requests need no step.
      reply(services, client, exchange, request, asked, stored, "HIT");
      return null;
    }
    CacheStep step = new CacheStep(services, client, exchange, request, scope, asked, roles, key);
    step.start(found);
    return step;
  }

  private static RoleKey roles(PermittedRequest request, CacheScope scope) {
    return switch (request.permit().subject()) {
      case Subject.Anonymous anonymous -> RoleKey.NONE;
      case Subject.Person(AppSession session) -> scope.roles(session.account().roles());
      case Subject.Holder(TokenHolder token) -> scope.roles(token.account().roles());
    };
  }

  ResponseCache cache() {
    return services.cache();
  }

  GatewayEventLoop loop() {
    return services.loop();
  }

  PermittedRequest request() {
    return request;
  }

  /** The request as the cache sees it. */
  CacheRequest asked() {
    return asked;
  }

  /** The roles that the cache tells apart. */
  RoleKey roles() {
    return roles;
  }

  private void start(CacheLookup found) {
    switch (found) {
      case CacheLookup.Fresh(StoredResponse stored) -> reply(stored, "HIT");
      case CacheLookup.Tolerable(StoredResponse stored) -> {
        reply(stored, "STALE");
        refreshInBackground(stored);
      }
      case CacheLookup.Stale(StoredResponse stored) -> ask(Forward.STALE, Optional.of(stored));
      case CacheLookup.Miss(Forward why) -> ask(why, Optional.empty());
    }
  }

  private void reply(StoredResponse stored, String how) {
    reply(services, client, exchange, request, asked, stored, how);
  }

  private static void reply(
      Services services, ClientStream client, Forwarding exchange, PermittedRequest request, CacheRequest asked,
      StoredResponse stored, String how) {
    client.entry().cache(how);
    services.metrics().count(GatewayMetrics.Outcome.CACHED);
    exchange.done();
    send(client, stored, asked, request, services.loop().second());
  }

  /** Sends a stored response; the exchange must be done before. */
  static void send(ClientStream client, StoredResponse stored, CacheRequest asked, PermittedRequest request, long now) {
    switch (CachedAnswer.of(stored, asked, now)) {
      case CachedAnswer.Whole(var response) -> client.stored(response, request.edits());
      case CachedAnswer.Head(var head) -> {
        client.head(head, request.edits());
        client.end();
      }
      case CachedAnswer.Part(var head, var body, var whole) -> {
        client.head(head, request.edits());
        client.shares(whole);
        client.data(Unpooled.wrappedBuffer(body));
        client.end();
      }
    }
  }

  private void ask(Forward why, Optional<StoredResponse> stale) {
    if (asked.hasControl() && asked.control().onlyIfCached()) {
      exchange.refuse(request.to(), request.path(), Refusal.notKept(request.route().name()));
      return;
    }
    boolean peculiar = CacheFillRequest.isPeculiar(scope, asked);
    if (cache().passes(scope, roles, key, peculiar, loop().second())) {
      pass(Forward.BYPASS);
      return;
    }
    if (asked.isHead() && stale.isEmpty()) {
      pass(why);
      return;
    }
    JoinedFill joined = cache().coalescing().joinOrBegin(cache(), key, scope, roles, peculiar);
    if (!joined.isFirst()) {
      await(joined.pending(), stale);
    } else if (asked.isSpecial() || asked.isHead()) {
      await(joined.pending(), stale);
      fillInBackground(joined.pending(), stale);
    } else {
      fill(joined.pending(), why, stale);
    }
  }

  /** Forwards the request; the response goes to the client as it arrives, and into the cache. */
  private void fill(PendingFill pending, Forward why, Optional<StoredResponse> stale) {
    client.entry().cache(stale.isPresent() ? "EXPIRED" : "MISS");
    CacheFillRequest fill = CacheFillRequest.of(scope, asked, request.path(), request.identified(), stale);
    StoringSink sink = new StoringSink(this, client, fill, pending, why, stale);
    filling = sink;
    exchange.forward(request.with(fill.head()), sink);
  }

  /** Refreshes a stored response in the background, while no client waits for it. */
  private void refreshInBackground(StoredResponse stored) {
    boolean peculiar = CacheFillRequest.isPeculiar(scope, asked);
    JoinedFill joined = cache().coalescing().joinOrBegin(cache(), key, scope, roles, peculiar);
    if (joined.isFirst()) {
      fillInBackground(joined.pending(), Optional.of(stored));
    }
  }

  private void fillInBackground(PendingFill pending, Optional<StoredResponse> stale) {
    CacheFillRequest fill = CacheFillRequest.of(scope, asked, request.path(), request.identified(), stale);
    BackgroundClient background = new BackgroundClient();
    StoringSink sink = new StoringSink(this, background, fill, pending, Forward.REQUEST, stale);
    Forwarding other = exchange.inBackground(background, fill.head());
    background.onCancel(() -> loop().executor().execute(other::closed));
    other.forward(request.with(fill.head()), sink);
  }

  private void await(PendingFill pending, Optional<StoredResponse> stale) {
    waiting = true;
    waitTimer =
        loop().executor().schedule(() -> resume(new Outcome.Lost(), stale), WAIT_SECONDS, TimeUnit.SECONDS);
    if (!pending.join(outcome -> resumeOnLoop(outcome, stale))) {
      loop().executor().execute(() -> resume(new Outcome.Lost(), stale));
    }
  }

  /** Called on the event loop that received the response. */
  private void resumeOnLoop(Outcome outcome, Optional<StoredResponse> stale) {
    try {
      loop().executor().execute(() -> resume(outcome, stale));
    } catch (RejectedExecutionException e) {
      // The server has stopped, and the client's connection is closed.
      return;
    }
  }

  private void resume(Outcome outcome, Optional<StoredResponse> stale) {
    if (!waiting) {
      return;
    }
    stopWaiting();
    long now = loop().second();
    switch (outcome) {
      case Outcome.Stored(StoredResponse stored) -> {
        // A response that must be revalidated for each request answers only the request that fetched it.
        if (stored.answers(scope, roles, asked) && stored.freshness().lifetime() > 0) {
          reply(stored, "HIT");
        } else {
          alone();
        }
      }
      case Outcome.Failed failed -> {
        if (stale.isPresent() && stale.get().mayServeOnError(now)) {
          reply(stale.get(), "STALE");
        } else {
          alone();
        }
      }
      case Outcome.NotStorable notKept -> pass(Forward.BYPASS);
      case Outcome.Lost lost -> alone();
    }
  }

  /** Tries again without waiting for another request; the response may still be stored. */
  private void alone() {
    if (cache().find(scope, roles, key, asked, loop().second()) instanceof CacheLookup.Fresh(StoredResponse stored)) {
      reply(stored, "HIT");
    } else if (asked.isSpecial() || asked.isHead()) {
      pass(Forward.REQUEST);
    } else {
      fill(cache().coalescing().unshared(cache(), key, scope, roles), Forward.URI_MISS, Optional.empty());
    }
  }

  /** Forwards the request with its conditions; the response goes only to the client. */
  private void pass(Forward why) {
    client.entry().cache(why == Forward.BYPASS ? "BYPASS" : "MISS");
    exchange.forward(
        request.with(asked.passing(scope)),
        new FieldAddingSink(client, CacheStatus.forwarded(why, Optional.of(NotStored.NOT_ASKED))));
  }

  /** Called when the client's connection has closed. */
  public void closed() {
    stopWaiting();
    StoringSink sink = filling;
    filling = null;
    if (sink != null) {
      sink.abandon();
    }
  }

  private void stopWaiting() {
    waiting = false;
    ScheduledFuture<?> timer = waitTimer;
    waitTimer = null;
    if (timer != null) {
      timer.cancel(false);
    }
  }
}
