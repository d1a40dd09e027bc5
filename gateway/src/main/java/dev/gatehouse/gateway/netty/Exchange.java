package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.gateway.cache.CacheScope;
import dev.gatehouse.gateway.filter.HeaderEdits;
import dev.gatehouse.gateway.filter.PerRequestIdentity;
import dev.gatehouse.gateway.inject.IdentityTokens;
import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.Malformation;
import dev.gatehouse.gateway.message.ParsedRequest;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.netty.ServiceProviderEndpoints.Served;
import dev.gatehouse.gateway.policy.Reason;
import dev.gatehouse.gateway.route.AddressedHost;
import dev.gatehouse.gateway.route.Addressing;
import dev.gatehouse.gateway.route.ClientConnection;
import dev.gatehouse.gateway.route.PathRoutes.Match;
import dev.gatehouse.gateway.route.RequestPath;
import dev.gatehouse.gateway.route.Route;
import dev.gatehouse.gateway.websocket.Handshake;
import dev.gatehouse.sp.ServiceProvider;
import dev.gatehouse.sp.login.RouteLogin;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way: route, session, policy, and then the app (a {@link Relay}), the service provider or a
 * refusal.
 * Lives on the client's event loop; whatever blocks comes back to it, and finds out there whether the client is still
 * waiting.
 */
final class Exchange {

  private final ExchangeServices services;
  private final GatewayEventLoop loop;
  private final ClientStream client;
  private final ClientConnection arrival;
  private final DecisionMemo memo;

  private RequestHead head;

  private byte @Nullable [] keptBody;
  private @Nullable BodyCollector collector;
  private Runnable collected = () -> {};
  private Runnable overflow = () -> {};
  private @Nullable Relay relay;
  private long bodyLeft = Long.MAX_VALUE;
  private @Nullable ForwardAuth asked;
  private @Nullable CacheStep cacheStep;
  private boolean over;
  private boolean closed;

  Exchange(ExchangeServices services, GatewayEventLoop loop, ClientStream client, ClientConnection arrival, DecisionMemo memo, RequestHead head) {
    this.services = services;
    this.loop = loop;
    this.client = client;
    this.arrival = arrival;
    this.memo = memo;
    this.head = head;
  }

  void begin() {
    if (asked == null && ForwardAuthRequest.is(head)) {
      switch (ForwardAuthRequest.read(head, arrival, services.requests())) {
        case ForwardAuthRequest.Asked(RequestHead described, ForwardAuth forwardAuth) -> {
          head = described;
          asked = forwardAuth;
        }
        case ForwardAuthRequest.Refused(Refusal refusal) -> {
          services.meters().count(GatewayMetrics.Outcome.DENIED);
          refuse(EdgeRequests.unreadable(arrival.scheme(), arrival.peer()), Optional.empty(), refusal, "-");
          return;
        }
      }
    }
    switch (arrival.address(services.routes().table(), head)) {
      case Addressing.To(AddressedHost addressed) -> {
        client.entry().client(addressed.client());
        route(addressed);
      }
      case Addressing.Unknown(var origin, var from) -> {
        client.entry().client(from);
        refuse(
            EdgeRequests.of(head, origin, from, "/", new byte[0]),
            Optional.empty(),
            Refusal.of(Reason.HOST_UNKNOWN, "-"),
            "-");
      }
      case Addressing.Malformed(Malformation malformation) ->
          refuse(
              EdgeRequests.unreadable(arrival.scheme(), arrival.peer()),
              Optional.empty(),
              Refusal.of(malformation),
              "-");
    }
  }

  private void route(AddressedHost to) {
    Optional<RequestPath> normalised = RequestPath.of(head.fields().bytes(), head.pathStart(), head.pathEnd());
    if (normalised.isEmpty() || asked != null && !ForwardAuth.isPlain(head, normalised.get())) {
      deny(to, "/", Reason.PATH_AMBIGUOUS, "-", "-");
      return;
    }
    String path = normalised.get().value();
    String seen = normalised.get().withoutParameters();
    if (ServiceProviderEndpoints.isOwn(path) || seen != path && ServiceProviderEndpoints.isOwn(seen)) {
      if (asked == null) {
        endpoint(to, path);
      } else {
        deny(to, path, Reason.ROUTE_NOT_FOUND, "-", "-");
      }
      return;
    }
    switch (to.site().find(to.origin(), normalised.get(), head.method())) {
      case Match.Ambiguous two -> deny(to, path, Reason.PATH_AMBIGUOUS, "-", "-");
      case Match.None none -> deny(to, path, Reason.ROUTE_NOT_FOUND, "-", "-");
      case Match.Found(Route route) when asked == null && route.isForeign() ->
          deny(to, path, Reason.ROUTE_NOT_FOUND, route.name(), "-");
      case Match.NoMethod(List<Route> there) when asked == null && there.getFirst().isForeign() ->
          deny(to, path, Reason.ROUTE_NOT_FOUND, there.getFirst().name(), "-");
      case Match.Found(Route route) -> signOn(to, path, route, List.of());
      case Match.NoMethod(List<Route> there) -> signOn(to, path, there.getFirst(), there);
    }
  }

  /** @param withoutMethod the routes of the path, where none of them has the request's method */
  private void signOn(AddressedHost to, String path, Route route, List<Route> withoutMethod) {
    client.entry().route(route.name());
    Optional<Refusal> tooMuch = services.traffic().arrived(to, route);
    if (tooMuch.isPresent()) {
      deny(to, path, tooMuch.get(), Refusals.NOBODY);
      return;
    }
    new SignOn(this, services, client, memo, head, to, path, route, withoutMethod).enter(certificates(to));
  }

  /** The client's own. What a proxy has shown in its place says who the proxy is. */
  private List<X509Certificate> certificates(AddressedHost to) {
    return asked == null && to.client().equals(arrival.peer()) ? arrival.certificates() : List.of();
  }

  /** Completes what the app is told where that could not be decided: a token may have to be signed for it. */
  void permitted(PermittedRequest request, String person) {
    Optional<Refusal> tooMuch = services.traffic().permitted(request.to(), request.route(), head, person);
    if (tooMuch.isPresent()) {
      deny(request.to(), request.path(), tooMuch.get(), Refusals.NOBODY);
      return;
    }
    bodyLeft = services.traffic().mostBody(request.route());
    HeaderEdits edits = request.permit().edits();
    if (edits.late().isEmpty()) {
      complete(request, person);
      return;
    }
    IdentityTokens tokens = services.identityTokens();
    PerRequestIdentity late = edits.late().get();
    InetAddress from = request.to().client();
    Optional<HeaderEdits> known = tokens.peek(late, from);
    if (known.isPresent()) {
      complete(request.with(known.get()), person);
      return;
    }
    Realm realm = request.to().site().realm();
    block(
        request.to(),
        request.path(),
        request.route().name(),
        () -> tokens.make(realm, late, from),
        made -> complete(request.with(made), person));
  }

  private void complete(PermittedRequest request, String person) {
    ForwardAuth by = asked;
    if (by == null) {
      enter(request, person);
      return;
    }
    Optional<EdgeReply> answer = by.permit(request);
    if (answer.isPresent()) {
      services.meters().count(GatewayMetrics.Outcome.ENDPOINT);
      reply(answer.get());
    } else {
      deny(request.to(), request.path(), Reason.IDENTITY_NOT_SENDABLE, request.route().name(), person);
    }
  }

  private void enter(PermittedRequest request, String person) {
    switch (WebSocketHandshakeCheck.enter(request, client.canTunnel())) {
      case WebSocketHandshakeCheck.Refused(Refusal refusal) -> deny(request.to(), request.path(), refusal, person);
      case WebSocketHandshakeCheck.Open(Handshake.Asked handshake) -> {
        services.meters().count(GatewayMetrics.Outcome.PROXIED);
        begin(new Relay(services, loop, client, client, this, request).upgrading(handshake));
      }
      case WebSocketHandshakeCheck.Ordinary ordinary -> forward(request);
    }
  }

  private void forward(PermittedRequest request) {
    Optional<FormFill> fill = FormFill.of(services, loop, client, this, request);
    if (fill.isPresent()) {
      carry(fill.get().request(), fill.get());
      return;
    }
    Optional<CacheScope> scope = request.route().cache();
    if (scope.isEmpty()) {
      // Another route may keep what is at the same address, for another method.
      carry(request, InvalidatingSink.where(request, services.cache(), client));
      return;
    }
    cacheStep = CacheStep.begin(services, loop, client, this, request, scope.get());
  }

  /** To the app, and what it answers to that sink. */
  void carry(PermittedRequest request, ResponseSink sink) {
    if (over) {
      return;
    }
    services.meters().count(GatewayMetrics.Outcome.PROXIED);
    begin(new Relay(services, loop, client, sink, this, request));
  }

  /** Another one, which this one's request has given rise to, and which does not end with it. */
  Exchange beside(ClientStream nobody, RequestHead other) {
    return new Exchange(services, loop, nobody, arrival, memo, other);
  }

  /** Sends another request on behalf of the client, which has got nothing yet, and gives the response to that sink. */
  void send(PermittedRequest request, byte[] body, ResponseSink sink) {
    over = false;
    head = request.head();
    keptBody = body;
    begin(new Relay(services, loop, client, sink, this, request));
  }

  /** Whether the client is gone. */
  boolean isClosed() {
    return closed;
  }

  /** Something of ours failed after the app's response was read. */
  void fault(AddressedHost to, String path, String route, Throwable fault) {
    if (!closed) {
      over = false;
      failed(to, path, route, fault);
    }
  }

  private void begin(Relay begun) {
    relay = begun;
    begun.start();
  }

  /** Sends to the login; a POST that may be repeated afterwards is read first, if it is small enough. */
  void challenge(AddressedHost to, String path, Route route, RouteLogin login) {
    Optional<Refusal> full = services.traffic().newcomer(route.name());
    if (full.isPresent()) {
      deny(to, path, full.get(), Refusals.NOBODY);
      return;
    }
    services.meters().count(GatewayMetrics.Outcome.CHALLENGED);
    ForwardAuth by = asked;
    if (by != null) {
      EdgeRequest request = EdgeRequests.withoutBody(head, to, path);
      Realm realm = to.site().realm();
      block(
          to, path, route.name(), () -> by.challenge(services.serviceProvider(), realm, request, login), this::reply);
      return;
    }
    boolean keep = route.replayPosts() && head.method().equals("POST");
    if (!keep || !head.hasBody()) {
      answerChallenge(to, path, login, new byte[0], keep);
      return;
    }
    collect(
        services.limits().replayBody(),
        body -> answerChallenge(to, path, login, body, true),
        () -> answerChallenge(to, path, login, new byte[0], false));
  }

  private void answerChallenge(AddressedHost to, String path, RouteLogin login, byte[] body, boolean keep) {
    EdgeRequest request = EdgeRequests.of(head, to.origin(), to.client(), path, body);
    Realm realm = to.site().realm();
    block(to, path, login.route(), () -> services.serviceProvider().challenge(realm, request, login, keep), this::reply);
  }

  private void endpoint(AddressedHost to, String path) {
    Realm realm = to.site().realm();
    if (!path.startsWith(ServiceProvider.PREFIX) || realm.sp().isEmpty()) {
      deny(to, path, Reason.ROUTE_NOT_FOUND, "-", "-");
      return;
    }
    Optional<Refusal> full =
        ServiceProviderEndpoints.opensSession(path) ? services.traffic().newcomer("-") : Optional.empty();
    if (full.isPresent()) {
      deny(to, path, full.get(), Refusals.NOBODY);
      return;
    }
    services.meters().count(GatewayMetrics.Outcome.ENDPOINT);
    collect(
        services.limits().endpointBody(),
        body -> {
          EdgeRequest request = EdgeRequests.of(head, to.origin(), to.client(), path, body);
          ServiceProvider sp = services.serviceProvider();
          block(to, path, "-", () -> ServiceProviderEndpoints.serve(sp, realm, request), this::served);
        },
        () -> refuse(EdgeRequests.withoutBody(head, to, path), Optional.of(realm), Refusal.bodyTooLarge("-"), "-"));
  }

  private void served(Served served) {
    switch (served) {
      case Served.Answer(EdgeReply reply) -> reply(reply);
      case Served.Again(EdgeRequest kept) -> again(kept);
    }
  }

  /** Serves the kept request as if it had just arrived: parsed as strictly, routed and decided anew. */
  private void again(EdgeRequest kept) {
    switch (services.requests().parse(EdgeRequests.encode(kept))) {
      case RequestHead parsed -> {
        head = parsed;
        keptBody = kept.body();
        collector = null;
        begin();
      }
      case ParsedRequest.Malformed(Malformation malformation) ->
          refuse(kept, Optional.empty(), Refusal.of(malformation), "-");
    }
  }

  void deny(AddressedHost to, String path, Reason reason, String route, String person) {
    deny(to, path, Refusal.of(reason, route), person);
  }

  void deny(AddressedHost to, String path, Refusal refusal, String person) {
    services.meters().count(GatewayMetrics.Outcome.DENIED);
    refuse(EdgeRequests.withoutBody(head, to, path), Optional.of(to.site().realm()), refusal, person);
  }

  /** The app failed before its response began. */
  void refuse(AddressedHost to, String path, Refusal refusal) {
    relay = null;
    services.meters().count(GatewayMetrics.Outcome.FAILED);
    refuse(EdgeRequests.withoutBody(head, to, path), Optional.of(to.site().realm()), refusal, "-");
  }

  private void refuse(EdgeRequest request, Optional<Realm> realm, Refusal refusal, String person) {
    ForwardAuth by = asked;
    BlockingTasks.call(
        loop.executor(),
        () -> services.refusals().reply(request, realm, refusal, person, client.entry()),
        page -> reply(by == null ? page : by.refused(page, refusal)),
        fault -> stop());
  }

  /** Does what blocks, and comes back unless the exchange is over meanwhile; a fault becomes a page. */
  <T> void block(AddressedHost to, String path, String route, Callable<T> work, Consumer<T> then) {
    BlockingTasks.call(
        loop.executor(),
        work,
        result -> {
          if (!over) {
            then.accept(result);
          }
        },
        fault -> failed(to, path, route, fault));
  }

  private void failed(AddressedHost to, String path, String route, Throwable fault) {
    EdgeRequest request = EdgeRequests.withoutBody(head, to, path);
    Optional<Realm> realm = Optional.of(to.site().realm());
    services.meters().count(GatewayMetrics.Outcome.FAILED);
    BlockingTasks.call(
        loop.executor(),
        () -> services.refusals().fault(request, realm, route, fault, client.entry()),
        this::reply,
        again -> stop());
  }

  void reply(EdgeReply reply) {
    if (!over) {
      over = true;
      client.reply(reply);
    }
  }

  /** Not even a page can be made. */
  private void stop() {
    if (!over) {
      over = true;
      client.abort();
    }
  }

  private void collect(int limit, Consumer<byte[]> then, Runnable tooMuch) {
    BodyCollector parts = new BodyCollector(limit);
    collector = parts;
    collected = () -> then.accept(parts.toBytes());
    if (head.framing() instanceof BodyFraming.Length(long bytes) && bytes > limit) {
      collector = null;
      tooMuch.run();
      return;
    }
    overflow = tooMuch;
    receiveBody();
  }

  /** Lets the body come: from the client, or from where it was kept. */
  void receiveBody() {
    byte[] kept = keptBody;
    if (kept != null) {
      keptBody = null;
      data(Unpooled.wrappedBuffer(kept));
      bodyEnd();
    } else if (head.hasBody()) {
      client.receiveBody();
    } else {
      bodyEnd();
    }
  }

  /** A part of the request's body. */
  void data(ByteBuf data) {
    Relay to = relay;
    BodyCollector parts = collector;
    if (over || to == null && parts == null) {
      data.release();
    } else if (to != null) {
      bodyLeft -= data.readableBytes();
      if (bodyLeft < 0) {
        data.release();
        bodyFailed(Refusal.bodyTooLarge("-"));
        return;
      }
      to.requestData(data);
    } else if (parts != null && !parts.add(data)) {
      collector = null;
      overflow.run();
    }
  }

  /** The fields behind the request's body, before its end. */
  void trailers(Fields trailers) {
    if (relay != null) {
      relay.requestTrailers(trailers);
    }
  }

  void bodyEnd() {
    Relay to = relay;
    if (over) {
      return;
    }
    if (to != null) {
      to.requestEnd();
    } else if (collector != null) {
      collected.run();
    }
  }

  /** The client's connection has no more to read at the moment. */
  void readComplete() {
    if (relay != null) {
      relay.flushRequest();
    }
  }

  /** The request's body cannot be read, or does not come. */
  void bodyFailed(Refusal refusal) {
    Relay to = relay;
    relay = null;
    collector = null;
    boolean begun = to != null && to.cancel();
    if (over) {
      return;
    }
    if (begun) {
      over = true;
      client.abort();
    } else {
      services.meters().count(GatewayMetrics.Outcome.MALFORMED);
      refuse(EdgeRequests.unreadable(arrival.scheme(), arrival.peer()), Optional.empty(), refusal, "-");
    }
  }

  /** The client takes more of the response. */
  void writable() {
    if (relay != null) {
      relay.clientWritable();
    }
  }

  /** The app's response was sent to its end, or broken off. */
  void done() {
    over = true;
    relay = null;
  }

  /** The client is gone. */
  void closed() {
    over = true;
    closed = true;
    CacheStep step = cacheStep;
    cacheStep = null;
    if (step != null) {
      step.closed();
    }
    Relay to = relay;
    relay = null;
    if (to != null) {
      to.cancel();
    }
  }
}
