package dev.gatehouse.gateway.admin.decision;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.gateway.admin.decision.DecisionEndpoint.DecisionRequest;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.filter.HeaderEdits;
import dev.gatehouse.gateway.policy.AuthnRequirement;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.Explanation;
import dev.gatehouse.gateway.policy.Explanation.RuleResult;
import dev.gatehouse.gateway.policy.Reason;
import dev.gatehouse.gateway.policy.RequestAttributes;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.policy.TokenRule;
import dev.gatehouse.gateway.policy.Trace;
import dev.gatehouse.gateway.route.PathRoutes.Match;
import dev.gatehouse.gateway.route.RequestPath;
import dev.gatehouse.gateway.route.Route;
import dev.gatehouse.gateway.route.RouteTable;
import dev.gatehouse.gateway.route.VirtualHost;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.session.AppSession;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Finds the route of a question and evaluates its rule, as for a request. */
final class DecisionQuestion {

  /**
   * The result.
   *
   * @param decision {@code permit}, {@code challenge} or {@code deny}
   * @param trace empty if no route was found
   */
  record Answer(
      String decision,
      List<String> reasons,
      List<String> authnContext,
      Optional<Trace> trace,
      List<RuleResult> rules,
      List<String> headers) {

    private static Answer denied(Reason reason) {
      return new Answer("deny", List.of(reason.name()), List.of(), Optional.empty(), List.of(), List.of());
    }
  }

  /** The attributes of the request in question. */
  private record DescribedRequest(String method, String host, String path, InetAddress client, Instant now, Route route)
      implements RequestAttributes {
    @Override
    public Optional<String> variable(String name) {
      return route.variable(name, path);
    }

    /** The session in question counts as in use. */
    @Override
    public Instant lastUse(dev.gatehouse.common.session.SessionId session) {
      return now;
    }
  }

  private final Realm realm;
  private final DecisionSubjects people;
  private final InstantSource time;

  DecisionQuestion(Realm realm, DecisionSubjects people, InstantSource time) {
    this.realm = realm;
    this.people = people;
    this.time = time;
  }

  Answer answer(DecisionRequest request) {
    URI url = url(request.url());
    Origin origin = Origin.of(url);
    String raw = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    byte[] bytes = raw.getBytes(StandardCharsets.UTF_8);
    Optional<RequestPath> path = RequestPath.of(bytes, 0, bytes.length);
    Optional<VirtualHost> site = RouteTable.of(List.of(realm), true).site(origin.host()).filter(s -> s.answersTo(origin));
    if (site.isEmpty()) {
      return Answer.denied(Reason.HOST_UNKNOWN);
    }
    if (path.isEmpty()) {
      return Answer.denied(Reason.PATH_AMBIGUOUS);
    }
    if ((path.get().withoutParameters() + "/").startsWith(SpPaths.PREFIX)) {
      throw new BadRequest("Gatehouse answers there itself: no route decides.");
    }
    String method = request.method().orElse("GET");
    return switch (site.get().find(origin, path.get(), method)) {
      case Match.None none -> Answer.denied(Reason.ROUTE_NOT_FOUND);
      case Match.Ambiguous two -> Answer.denied(Reason.PATH_AMBIGUOUS);
      case Match.Found(Route route) -> decided(request, route, attributes(request, origin, path.get(), method, route));
      case Match.NoMethod(List<Route> there) -> withoutMethod(request, there.getFirst(), origin, path.get());
    };
  }

  private Answer withoutMethod(DecisionRequest request, Route route, Origin origin, RequestPath path) {
    String other = route.config().match().methods().iterator().next();
    Answer answer = decided(request, route, attributes(request, origin, path, other, route));
    return answer.decision().equals("permit")
        ? new Answer(
            "deny", List.of(Reason.METHOD_NOT_ALLOWED.name()), List.of(), answer.trace(), answer.rules(), List.of())
        : answer;
  }

  private DescribedRequest attributes(DecisionRequest request, Origin origin, RequestPath path, String method, Route route) {
    return new DescribedRequest(
        method, origin.host(), path.value(), client(request), request.time().orElseGet(time::instant), route);
  }

  private Answer decided(DecisionRequest request, Route route, RequestAttributes attributes) {
    Optional<AppSession> session = people.session(realm, request);
    Subject subject =
        session
            .map(s -> route.rule() instanceof TokenRule ? people.holder(s, request) : new Subject.Person(s))
            .orElse(Subject.ANONYMOUS);
    Explanation explanation = route.rule().explain(subject, attributes);
    List<RuleResult> rules = explanation.rules();
    return switch (explanation.decision()) {
      case Decision.Permit(Subject who, HeaderEdits edits, Trace trace) ->
          new Answer(
              "permit", List.of(), List.of(), Optional.of(trace), rules,
              edits.edits().stream().map(HeaderEdits.Edit::name).toList());
      case Decision.Challenge(AuthnRequirement need, Trace trace) ->
          new Answer("challenge", List.of(reason(need)), contexts(need), Optional.of(trace), rules, List.of());
      case Decision.Deny(var reasons, Trace trace) ->
          new Answer(
              "deny", reasons.stream().map(Reason::name).sorted().toList(), List.of(), Optional.of(trace), rules, List.of());
    };
  }

  private static String reason(AuthnRequirement need) {
    return switch (need) {
      case AuthnRequirement.Login login -> "login";
      case AuthnRequirement.LoginAt elsewhere -> "login at " + elsewhere.identityProvider();
      case AuthnRequirement.LoginAnew anew -> "login-anew";
      case AuthnRequirement.StepUp stepUp -> "step-up";
    };
  }

  private static List<String> contexts(AuthnRequirement need) {
    return need instanceof AuthnRequirement.StepUp(List<String> authnContext) ? authnContext : List.of();
  }

  private static URI url(String text) {
    try {
      URI url = new URI(text);
      if (url.getHost() != null && (text.startsWith("http://") || text.startsWith("https://"))) {
        return url;
      }
    } catch (URISyntaxException e) {
      // Falls through to the same message.
    }
    throw new BadRequest("`url` is not an absolute http or https URL.");
  }

  private static InetAddress client(DecisionRequest request) {
    try {
      return InetAddress.ofLiteral(request.client().orElse("127.0.0.1"));
    } catch (IllegalArgumentException e) {
      throw new BadRequest("`client` is not an IP address.");
    }
  }
}
