package dev.gatehouse.gateway.netty;

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
import dev.gatehouse.gateway.cache.RequestCoalescing.Boarding;
import dev.gatehouse.gateway.cache.RequestCoalescing.Flight;
import dev.gatehouse.gateway.cache.RequestCoalescing.Outcome;
import dev.gatehouse.gateway.cache.ResponseCache;
import dev.gatehouse.gateway.cache.RoleKey;
import dev.gatehouse.gateway.cache.StoredResponse;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.sp.session.AppSession;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A permitted request at a route that keeps responses: answered from memory, or carried to the app so that its answer fills
 * the cache. Who asks for what is already on its way waits for that, but not for long.
 */
final class CacheStep {

  /** For a response that somebody else has asked for. */
  private static final long WAIT_SECONDS = 5;

  private final ExchangeServices services;
  private final GatewayEventLoop loop;
  private final ClientStream client;
  private final Exchange exchange;
  private final PermittedRequest request;
  private final CacheScope scope;
  private final CacheRequest asked;
  private final RoleKey roles;
  private final CacheKey key;
  private @Nullable StoringSink filling;
  private @Nullable ScheduledFuture<?> patience;
  private boolean waiting;

  private CacheStep(
      ExchangeServices services,
      GatewayEventLoop loop,
      ClientStream client,
      Exchange exchange,
      PermittedRequest request,
      CacheScope scope,
      RoleKey roles) {
    this.services = services;
    this.loop = loop;
    this.client = client;
    this.exchange = exchange;
    this.request = request;
    this.scope = scope;
    this.roles = roles;
    this.asked = CacheRequest.of(request.head());
    this.key = CacheKey.of(request.to().origin(), request.path(), asked.query(scope));
  }

  /** Takes the request up where the cache has anything to do with it; null where it was carried to the app. */
  static @Nullable CacheStep begin(
      ExchangeServices services, GatewayEventLoop loop, ClientStream client, Exchange exchange, PermittedRequest request, CacheScope scope) {
    RequestHead head = request.head();
    if (!CacheRequest.concerns(head)) {
      exchange.carry(request, InvalidatingSink.where(request, services.cache(), client));
      return null;
    }
    if (request.identified() && !scope.sharesIdentified()) {
      exchange.carry(request, client);
      return null;
    }
    CacheStep step = new CacheStep(services, loop, client, exchange, request, scope, roles(request, scope));
    step.start();
    return step;
  }

  private static RoleKey roles(PermittedRequest request, CacheScope scope) {
    return switch (request.permit().subject()) {
      case Subject.Anonymous nobody -> RoleKey.NONE;
      case Subject.Person(AppSession session) -> scope.roles(session.roles());
      case Subject.Holder(TokenHolder token) -> scope.roles(token.roles());
    };
  }

  private ResponseCache cache() {
    return services.cache();
  }

  private void start() {
    if (asked.isForTheAppOnly()) {
      pass(Forward.REQUEST);
      return;
    }
    switch (cache().find(scope, roles, key, asked, loop.second())) {
      case CacheLookup.Fresh(StoredResponse kept) -> answer(kept, "HIT");
      case CacheLookup.Tolerable(StoredResponse kept) -> {
        answer(kept, "STALE");
        askBeside(kept);
      }
      case CacheLookup.Stale(StoredResponse kept) -> ask(Forward.STALE, Optional.of(kept));
      case CacheLookup.Miss(Forward why) -> ask(why, Optional.empty());
    }
  }

  private void answer(StoredResponse kept, String how) {
    client.entry().cache(how);
    services.meters().count(GatewayMetrics.Outcome.CACHED);
    exchange.done();
    send(client, kept, asked, request, loop.second());
  }

  /** Sends what is kept; the exchange must be done with. */
  static void send(ClientStream client, StoredResponse kept, CacheRequest asked, PermittedRequest request, long now) {
    switch (CachedAnswer.of(kept, asked, now)) {
      case CachedAnswer.Whole(var response) -> client.stored(response, request.edits());
      case CachedAnswer.Part(var head, var body) -> {
        client.head(head, request.edits());
        if (body.hasRemaining()) {
          client.data(Unpooled.wrappedBuffer(body));
        }
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
    if (cache().passes(scope, roles, key, peculiar, loop.second())) {
      pass(Forward.BYPASS);
      return;
    }
    if (asked.isHead() && stale.isEmpty()) {
      pass(why);
      return;
    }
    Boarding boarding = cache().flights().board(cache(), key, scope, roles, peculiar);
    if (!boarding.leads()) {
      await(boarding.flight(), stale);
    } else if (asked.isSpecial() || asked.isHead()) {
      await(boarding.flight(), stale);
      beside(boarding.flight(), stale);
    } else {
      fill(boarding.flight(), why, stale);
    }
  }

  /** The answer goes to the client as it comes, and into the cache. */
  private void fill(Flight flight, Forward why, Optional<StoredResponse> stale) {
    client.entry().cache(stale.isPresent() ? "EXPIRED" : "MISS");
    CacheFillRequest fill = CacheFillRequest.of(scope, asked, request.path(), request.identified(), stale);
    StoringSink sink = new StoringSink(services, loop, client, request, asked, fill, roles, flight, why, stale);
    filling = sink;
    exchange.carry(request.with(fill.head()), sink);
  }

  /** Asks the app without anybody's waiting for it. */
  private void askBeside(StoredResponse kept) {
    boolean peculiar = CacheFillRequest.isPeculiar(scope, asked);
    Boarding boarding = cache().flights().board(cache(), key, scope, roles, peculiar);
    if (boarding.leads()) {
      beside(boarding.flight(), Optional.of(kept));
    }
  }

  private void beside(Flight flight, Optional<StoredResponse> stale) {
    CacheFillRequest fill = CacheFillRequest.of(scope, asked, request.path(), request.identified(), stale);
    BackgroundClient nobody = new BackgroundClient();
    StoringSink sink =
        new StoringSink(services, loop, nobody, request, asked, fill, roles, flight, Forward.REQUEST, stale);
    Exchange other = exchange.beside(nobody, fill.head());
    nobody.leaving(() -> loop.executor().execute(other::closed));
    other.carry(request.with(fill.head()), sink);
  }

  private void await(Flight flight, Optional<StoredResponse> stale) {
    waiting = true;
    patience =
        loop.executor().schedule(() -> resume(new Outcome.Lost(), stale), WAIT_SECONDS, TimeUnit.SECONDS);
    if (!flight.join(outcome -> comeBack(outcome, stale))) {
      loop.executor().execute(() -> resume(new Outcome.Lost(), stale));
    }
  }

  /** Called on the loop that has brought the answer. */
  private void comeBack(Outcome outcome, Optional<StoredResponse> stale) {
    try {
      loop.executor().execute(() -> resume(outcome, stale));
    } catch (RejectedExecutionException e) {
      // The server has stopped and the client is gone with it.
      return;
    }
  }

  private void resume(Outcome outcome, Optional<StoredResponse> stale) {
    if (!waiting) {
      return;
    }
    stopWaiting();
    long now = loop.second();
    switch (outcome) {
      case Outcome.Kept(StoredResponse kept) -> {
        // What must be confirmed for every request answers none but the one that it came for.
        if (kept.answers(scope, roles, asked) && kept.freshness().lifetime() > 0) {
          answer(kept, "HIT");
        } else {
          alone();
        }
      }
      case Outcome.Failed failed -> {
        if (stale.isPresent() && stale.get().mayServeOnError(now)) {
          answer(stale.get(), "STALE");
        } else {
          alone();
        }
      }
      case Outcome.NotKept notKept -> pass(Forward.BYPASS);
      case Outcome.Lost lost -> alone();
    }
  }

  /** Once more, waiting for nobody; the answer may be kept all the same. */
  private void alone() {
    if (cache().find(scope, roles, key, asked, loop.second()) instanceof CacheLookup.Fresh(StoredResponse kept)) {
      answer(kept, "HIT");
    } else if (asked.isSpecial() || asked.isHead()) {
      pass(Forward.REQUEST);
    } else {
      fill(cache().flights().unshared(cache(), key, scope, roles), Forward.URI_MISS, Optional.empty());
    }
  }

  /** The request goes to the app with its conditions, and its answer only to the client. */
  private void pass(Forward why) {
    client.entry().cache(why == Forward.BYPASS ? "BYPASS" : "MISS");
    exchange.carry(
        request.with(asked.passing(scope)),
        new FieldAddingSink(client, CacheStatus.forwarded(why, Optional.of(NotStored.NOT_ASKED))));
  }

  /** The client is gone. */
  void closed() {
    stopWaiting();
    StoringSink sink = filling;
    filling = null;
    if (sink != null) {
      sink.abandon();
    }
  }

  private void stopWaiting() {
    waiting = false;
    ScheduledFuture<?> timer = patience;
    patience = null;
    if (timer != null) {
      timer.cancel(false);
    }
  }
}
