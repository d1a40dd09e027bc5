package dev.gatehouse.gateway.exchange;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.gateway.authn.AuthnResult;
import dev.gatehouse.gateway.authn.DecisionMemo;
import dev.gatehouse.gateway.cache.CacheScope;
import dev.gatehouse.gateway.exchange.ServiceProviderEndpoints.Served;
import dev.gatehouse.gateway.exchange.cache.CacheStep;
import dev.gatehouse.gateway.exchange.cache.InvalidatingSink;
import dev.gatehouse.gateway.exchange.fill.FormFill;
import dev.gatehouse.gateway.filter.HeaderEdits;
import dev.gatehouse.gateway.filter.PerRequestIdentity;
import dev.gatehouse.gateway.forwardauth.ForwardAuth;
import dev.gatehouse.gateway.forwardauth.ForwardAuthRequest;
import dev.gatehouse.gateway.inject.IdentityTokens;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.Malformation;
import dev.gatehouse.gateway.message.ParsedRequest;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.Reason;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.refusal.RefusalContext;
import dev.gatehouse.gateway.refusal.Refusals;
import dev.gatehouse.gateway.route.AddressedHost;
import dev.gatehouse.gateway.route.ClientConnection;
import dev.gatehouse.gateway.route.PermittedRequest;
import dev.gatehouse.gateway.route.Route;
import dev.gatehouse.gateway.stream.ClientStream;
import dev.gatehouse.gateway.traffic.GatewayMetrics;
import dev.gatehouse.gateway.websocket.Handshake;
import dev.gatehouse.sp.ServiceProvider;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.login.RouteLogin;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of a client's request, by its steps in their order: address and route ({@link RoutingStep}),
 * authentication and the route's rule ({@link SignOn}), the decision, the identity fields, and then the app: through a
 * WebSocket, a form fill ({@link FormFill}), the cache ({@link CacheStep}) or plainly. Each step passes its result on to
 * the next one, or ends the exchange with an answer of the service provider or a refusal.
 */
public final class Exchange extends AppExchange {

  private final DecisionMemo memo;
  private @Nullable ForwardAuth forwardAuth;
  private @Nullable CacheStep cacheStep;

  Exchange(Exchanges exchanges, ClientStream client, ClientConnection connection, DecisionMemo memo, RequestHead head) {
    super(exchanges, client, connection, head);
    this.memo = memo;
  }

  public void begin() {
    if (forwardAuth != null || !ForwardAuthRequest.is(head)) {
      route();
      return;
    }
    switch (ForwardAuthRequest.read(head, connection, services().requests())) {
      case ForwardAuthRequest.Asked(RequestHead described, ForwardAuth asked) -> {
        head = described;
        forwardAuth = asked;
        route();
      }
      case ForwardAuthRequest.Refused(Refusal refusal) -> {
        services().metrics().count(GatewayMetrics.Outcome.DENIED);
        refuse(EdgeRequests.unreadable(connection), Optional.empty(), refusal, Refusals.NOBODY);
      }
    }
  }

  private void route() {
    switch (RoutingStep.route(services(), connection, head, forwardAuth != null, client.entry())) {
      case RoutedRequest request -> signOn(request);
      case RoutingStep.Endpoint(AddressedHost to, String path) -> endpoint(to, path);
      case RoutingStep.NotRouted(AddressedHost to, String path, Refusal refusal) ->
          deny(to, path, refusal, Refusals.NOBODY);
      case RoutingStep.NotAddressed(EdgeRequest request, Refusal refusal) ->
          refuse(request, Optional.empty(), refusal, Refusals.NOBODY);
    }
  }

  private void signOn(RoutedRequest request) {
    client.entry().route(request.route().name(), request.route().timer());
    client.entry().tracedRoute(request.route().config().match().path());
    Optional<Refusal> tooMuch = services().traffic().arrived(request.to(), request.route());
    if (tooMuch.isPresent()) {
      deny(request, tooMuch.get(), Refusals.NOBODY);
      return;
    }
    signedOn(
        request, SignOn.enter(request, services().traffic(), memo, client.entry(), certificates()));
  }

  /**
   * The client's own certificates. A proxy's certificate identifies the proxy, so it does not count for those behind it, even if the
   * proxy hides their addresses.
   */
  private List<X509Certificate> certificates() {
    Fields fields = head.fields();
    boolean isForwarded =
        fields.next(FieldName.X_FORWARDED_FOR, 0) >= 0 || fields.next(FieldName.FORWARDED, 0) >= 0;
    return forwardAuth != null || connection.isPeerTrusted() && isForwarded ? List.of() : connection.certificates();
  }

  private void signedOn(RoutedRequest request, AuthnResult result) {
    switch (result) {
      case AuthnResult.Decided decided -> decided(request, decided);
      case AuthnResult.Challenged(EdgeReply reply) -> {
        services().metrics().count(GatewayMetrics.Outcome.CHALLENGED);
        reply(reply);
      }
      case AuthnResult.Refused(Refusal refusal, String person) -> deny(request, refusal, person);
      case AuthnResult.Blocked<?> blocked -> run(request, blocked);
    }
  }

  private <T> void run(RoutedRequest request, AuthnResult.Blocked<T> blocked) {
    runBlocking(
        request.to(),
        request.path(),
        request.route().name(),
        blocked.work(),
        result -> signedOn(request, blocked.then().apply(result)));
  }

  private void decided(RoutedRequest request, AuthnResult.Decided decided) {
    AddressedHost to = request.to();
    Route route = request.route();
    String person = decided.person();
    Optional<Refusal> maintained = services().traffic().maintained(to, route, decided.decision());
    if (maintained.isPresent()) {
      deny(request, maintained.get(), person);
      return;
    }
    switch (decided.decision()) {
      case Decision.Permit permit when !request.withoutMethod().isEmpty() ->
          deny(request, AllowedMethods.refusal(request, permit.subject()), person);
      case Decision.Permit permit ->
          permitted(new PermittedRequest(head, to, route, request.path(), permit, decided.cookies()), person);
      case Decision.Challenge challenge -> challenge(to, request.path(), route, challenge.need().of(route.name()));
      case Decision.Deny deny -> {
        RefusalContext context = RefusalContext.denied(deny, memo.subject(person), route, request);
        deny(to, request.path(), Refusal.of(deny.reasons().iterator().next(), route.name()), person, context);
      }
    }
  }

  /**
   * Completes the header edits that the decision left open, such as an identity token that must be signed, and
   * continues.
   */
  private void permitted(PermittedRequest request, String person) {
    Optional<Refusal> tooMuch = services().traffic().permitted(request.to(), request.route(), head, person);
    if (tooMuch.isPresent()) {
      deny(request.to(), request.path(), tooMuch.get(), Refusals.NOBODY);
      return;
    }
    limitBody(services().traffic().maxBody(request.route()));
    HeaderEdits edits = request.permit().edits();
    if (edits.late().isEmpty()) {
      complete(request, person);
      return;
    }
    IdentityTokens tokens = services().authn().identityTokens();
    PerRequestIdentity late = edits.late().get();
    InetAddress from = request.to().client();
    Optional<HeaderEdits> known = tokens.peek(late, from);
    if (known.isPresent()) {
      complete(request.with(known.get()), person);
      return;
    }
    Realm realm = request.to().site().realm();
    runBlocking(
        request.to(),
        request.path(),
        request.route().name(),
        () -> tokens.make(realm, late, from),
        made -> complete(request.with(made), person));
  }

  private void complete(PermittedRequest request, String person) {
    ForwardAuth by = forwardAuth;
    if (by == null) {
      enter(request, person);
      return;
    }
    Optional<EdgeReply> answer = by.permit(request);
    if (answer.isPresent()) {
      services().metrics().count(GatewayMetrics.Outcome.ENDPOINT);
      reply(answer.get());
    } else {
      Refusal refusal = Refusal.of(Reason.IDENTITY_NOT_SENDABLE, request.route().name());
      deny(request.to(), request.path(), refusal, person);
    }
  }

  private void enter(PermittedRequest request, String person) {
    switch (WebSocketHandshakeCheck.enter(request, client.canTunnel())) {
      case WebSocketHandshakeCheck.Refused(Refusal refusal) -> deny(request.to(), request.path(), refusal, person);
      case WebSocketHandshakeCheck.Open(Handshake.Asked handshake) -> {
        services().metrics().count(GatewayMetrics.Outcome.PROXIED);
        start(request, new Relay(exchanges, client, client, this, request).upgrading(handshake));
      }
      case WebSocketHandshakeCheck.Ordinary ordinary -> answer(request);
    }
  }

  private void answer(PermittedRequest request) {
    Optional<FormFill> fill =
        FormFill.of(services().fills(), services().requests(), exchanges.loop(), client, this, request);
    if (fill.isPresent()) {
      forward(fill.get().request(), fill.get());
      return;
    }
    Optional<CacheScope> scope = request.route().cache();
    if (scope.isEmpty()) {
      // Another route may cache the same address for another method.
      forward(request, InvalidatingSink.where(request, services().cache(), client));
      return;
    }
    cacheStep = CacheStep.begin(exchanges.caching(), client, this, request, scope.get());
  }

  /** Redirects to the login. A POST that may be replayed after the login is read first, if it is small enough. */
  private void challenge(AddressedHost to, String path, Route route, RouteLogin login) {
    Optional<Refusal> full = services().traffic().newcomer(route.name());
    if (full.isPresent()) {
      deny(to, path, full.get(), Refusals.NOBODY);
      return;
    }
    services().metrics().count(GatewayMetrics.Outcome.CHALLENGED);
    ForwardAuth by = forwardAuth;
    if (by != null) {
      EdgeRequest request = EdgeRequests.withoutBody(head, to, path);
      Realm realm = to.site().realm();
      runBlocking(
          to, path, route.name(), () -> by.challenge(services().serviceProvider(), realm, request, login), this::reply);
      return;
    }
    boolean keep = route.replayPosts() && head.method().equals("POST");
    if (!keep || !head.hasBody()) {
      answerChallenge(to, path, login, new byte[0], keep);
      return;
    }
    collect(
        services().limits().messages().replayBody(),
        body -> answerChallenge(to, path, login, body, true),
        () -> answerChallenge(to, path, login, new byte[0], false));
  }

  private void answerChallenge(AddressedHost to, String path, RouteLogin login, byte[] body, boolean keep) {
    EdgeRequest request = EdgeRequests.of(head, to.origin(), to.client(), path, body).withClientHello(connection.clientHello());
    Realm realm = to.site().realm();
    runBlocking(
        to, path, login.route(), () -> services().serviceProvider().challenge(realm, request, login, keep), this::reply);
  }

  private void endpoint(AddressedHost to, String path) {
    Realm realm = to.site().realm();
    if (!path.startsWith(SpPaths.PREFIX) || realm.sp().isEmpty()) {
      deny(to, path, Refusal.of(Reason.ROUTE_NOT_FOUND, "-"), Refusals.NOBODY);
      return;
    }
    Optional<Refusal> full =
        ServiceProviderEndpoints.opensSession(path) ? services().traffic().newcomer("-") : Optional.empty();
    if (full.isPresent()) {
      deny(to, path, full.get(), Refusals.NOBODY);
      return;
    }
    services().metrics().count(GatewayMetrics.Outcome.ENDPOINT);
    collect(
        services().limits().messages().endpointBody(),
        body -> {
          EdgeRequest request =
              EdgeRequests.of(head, to.origin(), to.client(), path, body).withClientHello(connection.clientHello());
          ServiceProvider sp = services().serviceProvider();
          runBlocking(
              to, path, "-", () -> ServiceProviderEndpoints.serve(sp, realm, request), served -> served(path, served));
        },
        () -> refuse(EdgeRequests.withoutBody(head, to, path), Optional.of(realm), Refusal.bodyTooLarge("-"), "-"));
  }

  private void served(String path, Served served) {
    switch (served) {
      case Served.Answer(EdgeReply reply) -> {
        if (reply.status() != 404) {
          // One of ours: a client cannot invent it.
          client.entry().tracedRoute(path);
        }
        reply(reply);
      }
      case Served.Again(EdgeRequest kept) -> replay(kept);
    }
  }

  /** Serves the saved request as if it had just arrived: it is parsed as strictly, routed and decided anew. */
  private void replay(EdgeRequest kept) {
    switch (services().requests().parse(EdgeRequests.encode(kept))) {
      case RequestHead parsed -> {
        head = parsed;
        useBody(kept.body());
        begin();
      }
      case ParsedRequest.Malformed(Malformation malformation) ->
          refuse(kept, Optional.empty(), Refusal.of(malformation), "-");
    }
  }

  private void deny(RoutedRequest request, Refusal refusal, String person) {
    deny(request.to(), request.path(), refusal, person);
  }

  private void deny(AddressedHost to, String path, Refusal refusal, String person) {
    deny(to, path, refusal, person, RefusalContext.NONE);
  }

  private void deny(AddressedHost to, String path, Refusal refusal, String person, RefusalContext context) {
    services().metrics().count(GatewayMetrics.Outcome.DENIED);
    refuse(EdgeRequests.withoutBody(head, to, path), Optional.of(to.site().realm()), refusal, person, context);
  }

  /** Another proxy gets refusals in the form that it understands. */
  @Override
  EdgeReply refused(EdgeReply page, Refusal refusal) {
    ForwardAuth by = forwardAuth;
    return by == null ? page : by.refused(page, refusal);
  }

  @Override
  public void closed() {
    CacheStep step = cacheStep;
    cacheStep = null;
    if (step != null) {
      step.closed();
    }
    super.closed();
  }
}
