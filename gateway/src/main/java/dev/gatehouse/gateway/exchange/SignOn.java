package dev.gatehouse.gateway.exchange;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.SignOnContract;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.authn.BasicAuthenticator;
import dev.gatehouse.gateway.authn.BearerTokenAuthenticator;
import dev.gatehouse.gateway.authn.CertificateAuthenticator;
import dev.gatehouse.gateway.authn.DecisionMemo;
import dev.gatehouse.gateway.authn.SessionCookie;
import dev.gatehouse.gateway.bearer.TokenLookup;
import dev.gatehouse.gateway.filter.HeaderEdits;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.policy.AccessRule;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.Reason;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.policy.TokenRule;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.refusal.Refusals;
import dev.gatehouse.gateway.route.AddressedHost;
import dev.gatehouse.gateway.route.PermittedRequest;
import dev.gatehouse.gateway.route.Route;
import dev.gatehouse.gateway.stream.ClientStream;
import dev.gatehouse.gateway.traffic.GatewayMetrics;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessionCache.Peek;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Authenticates a request as its route requires, and decides the route's rule. The {@link Exchange} carries out the
 * decision. Used on the exchange's event loop.
 */
final class SignOn {

  private final Exchange exchange;
  private final ExchangeServices services;
  private final ClientStream client;
  private final DecisionMemo memo;
  private final RequestHead head;
  private final AddressedHost to;
  private final String path;
  private final Route route;
  private final List<Route> withoutMethod;

  /** The cookies for the response. */
  private List<HeaderEdits.Edit> cookies = List.of();

  /** @param withoutMethod the routes of the path, if none of them has the request's method */
  SignOn(
      Exchange exchange,
      ExchangeServices services,
      ClientStream client,
      DecisionMemo memo,
      RequestHead head,
      AddressedHost to,
      String path,
      Route route,
      List<Route> withoutMethod) {
    this.exchange = exchange;
    this.services = services;
    this.client = client;
    this.memo = memo;
    this.head = head;
    this.to = to;
    this.path = path;
    this.route = route;
    this.withoutMethod = withoutMethod;
  }

  /** @param certificates the client's certificates on this connection */
  void enter(List<X509Certificate> certificates) {
    switch (route.rule()) {
      case AccessRule.Open open -> anonymous();
      case AccessRule.Known known -> {
        switch (route.config().contract()) {
          case SignOnContract.Form form -> session();
          case SignOnContract.Basic basic -> basic(basic);
          case SignOnContract.Certificate certificate ->
              new CertificateAuthenticator(services.authn(), to, route.name(), next()).enter(certificates);
        }
      }
      case TokenRule rule -> token(rule);
    }
  }

  private void session() {
    Optional<SessionToken> token = SessionCookie.of(head.fields(), to.origin().isSecure());
    if (token.isEmpty()) {
      anonymous();
      return;
    }
    String realm = to.site().realm().name();
    SessionId id = memo.id(token.get());
    switch (services.authn().sessions().peek(realm, id)) {
      case Peek.Hit(AppSession session) -> known(session);
      case Peek.None none -> anonymous();
      case Peek.Miss miss ->
          exchange.runBlocking(
              to,
              path,
              route.name(),
              () -> services.authn().sessions().load(realm, id),
              session -> session.ifPresentOrElse(this::known, this::anonymous));
    }
  }

  private void basic(SignOnContract.Basic contract) {
    Optional<SessionToken> cookie = SessionCookie.of(head.fields(), to.origin().isSecure());
    new BasicAuthenticator(services.authn(), services.traffic(), memo.issuedCookie(), to, route.name(), contract, cookie, next()).enter(head);
  }

  /** The continuation for requests that the gateway itself authenticates. */
  private BasicAuthenticator.Next next() {
    return new BasicAuthenticator.Next() {
      @Override
      public Decision decide(AppSession session) {
        return SignOn.this.decide(session);
      }

      @Override
      public void challenge(EdgeReply reply) {
        services.metrics().count(GatewayMetrics.Outcome.CHALLENGED);
        exchange.reply(reply);
      }

      @Override
      public void deny(Refusal refusal, String person) {
        exchange.deny(to, path, refusal, person);
      }

      @Override
      public void apply(Decision decision, String person, List<HeaderEdits.Edit> added) {
        cookies = added;
        SignOn.this.apply(decision, person);
      }

      @Override
      public <T> void runBlocking(Callable<T> work, Consumer<T> then) {
        exchange.runBlocking(to, path, route.name(), work, then);
      }
    };
  }

  private void token(TokenRule rule) {
    BearerTokenAuthenticator.Next next =
        new BearerTokenAuthenticator.Next() {
          @Override
          public void challenge(EdgeReply reply) {
            services.metrics().count(GatewayMetrics.Outcome.CHALLENGED);
            exchange.reply(reply);
          }

          @Override
          public void deny(Refusal refusal, String person) {
            logPerson(person);
            exchange.deny(to, path, refusal, person);
          }

          @Override
          public void permit(Decision.Permit permit, String person) {
            logPerson(person);
            apply(permit, person);
          }

          @Override
          public void runBlocking(Callable<TokenLookup> work, Consumer<TokenLookup> then) {
            exchange.runBlocking(to, path, route.name(), work, then);
          }
        };
    new BearerTokenAuthenticator(services.authn().tokens(), to, rule, attributes(), next).enter(head, path);
  }

  private void logPerson(String person) {
    if (!person.equals(Refusals.NOBODY)) {
      client.entry().user(person);
    }
  }

  private void anonymous() {
    apply(route.rule().decide(Subject.ANONYMOUS, attributes()), "-");
  }

  private void known(AppSession session) {
    apply(decide(session), session.person().value());
  }

  private Decision decide(AppSession session) {
    client.entry().user(session.user());
    Decision decision = memo.decide(route, session, attributes());
    if (decision instanceof Decision.Permit && route.config().session().idle().isPresent()) {
      services.authn().uses().used(session.id(), services.authn().time().instant());
    }
    return decision;
  }

  private ExchangeAttributes attributes() {
    String asked = AllowedMethods.asked(head, route, withoutMethod);
    return new ExchangeAttributes(head, to, path, route, asked, services.authn().uses(), services.authn().time());
  }

  private void apply(Decision decision, String person) {
    Optional<Refusal> maintained = services.traffic().maintained(to, route, decision);
    if (maintained.isPresent()) {
      exchange.deny(to, path, maintained.get(), person);
      return;
    }
    switch (decision) {
      case Decision.Permit permit when !withoutMethod.isEmpty() -> noMethod(permit, person);
      case Decision.Permit permit -> exchange.permitted(new PermittedRequest(head, to, route, path, permit, cookies), person);
      case Decision.Challenge challenge -> exchange.challenge(to, path, route, challenge.need().of(route.name()));
      case Decision.Deny deny -> exchange.deny(to, path, deny.reasons().iterator().next(), route.name(), person);
    }
  }

  /** Refuses the method. Only a subject that may use another method learns that the path exists. */
  private void noMethod(Decision.Permit permit, String person) {
    String allow = AllowedMethods.of(withoutMethod, permit.subject(), attributes());
    Refusal refusal = Refusal.of(Reason.METHOD_NOT_ALLOWED, withoutMethod.getFirst().name());
    exchange.deny(to, path, refusal.with("Allow", allow), person);
  }
}
