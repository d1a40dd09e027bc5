package dev.gatehouse.gateway.effect;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.gateway.policy.AuthnRequirement;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.Reason;
import dev.gatehouse.gateway.policy.RequestAttributes;
import dev.gatehouse.gateway.policy.Trace;
import dev.gatehouse.gateway.route.PathRoutes.Match;
import dev.gatehouse.gateway.route.RequestPath;
import dev.gatehouse.gateway.route.Route;
import dev.gatehouse.gateway.route.RouteTable;
import dev.gatehouse.gateway.route.VirtualHost;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/** What routes answer to a recorded request. The session's ages and the client's address are those of that request. */
record Answer(boolean permitted, String reason) {

  /** The attributes of the recorded request. */
  private record Described(String method, String host, String path, InetAddress client, Instant now, Instant lastUse, Route route)
      implements RequestAttributes {
    @Override
    public Optional<String> variable(String name) {
      return route.variable(name, path);
    }

    @Override
    public Instant lastUse(SessionId session) {
      return lastUse;
    }
  }

  static Answer of(RouteTable table, RecordedDecision recorded) {
    RecordedDecision.Asked asked = recorded.asked();
    Origin origin = Origin.of(URI.create(asked.origin()));
    Optional<VirtualHost> site = table.site(origin.host()).filter(s -> s.answersTo(origin));
    if (site.isEmpty()) {
      return denied(Reason.HOST_UNKNOWN);
    }
    if (!site.get().realm().name().equals(recorded.asker().realm())) {
      return new Answer(false, "the realm " + site.get().realm().name() + " has the host");
    }
    byte[] bytes = asked.path().getBytes(StandardCharsets.UTF_8);
    Optional<RequestPath> path = RequestPath.of(bytes, 0, bytes.length);
    return path.isEmpty()
        ? denied(Reason.PATH_AMBIGUOUS)
        : switch (site.get().find(origin, path.get(), asked.method())) {
          case Match.None none -> denied(Reason.ROUTE_NOT_FOUND);
          case Match.Ambiguous two -> denied(Reason.PATH_AMBIGUOUS);
          case Match.NoMethod other -> denied(Reason.METHOD_NOT_ALLOWED);
          case Match.Found(Route route) -> of(route, origin, path.get(), recorded);
        };
  }

  private static Answer of(Route route, Origin origin, RequestPath path, RecordedDecision recorded) {
    Instant at = Instant.ofEpochMilli(recorded.at());
    Described request =
        new Described(
            recorded.asked().method(), origin.host(), path.value(), InetAddress.ofLiteral(recorded.asked().client()), at,
            Instant.ofEpochMilli(recorded.asker().lastUse()), route);
    return switch (route.rule().decide(recorded.asker().subject(at), request)) {
      case Decision.Permit permit -> new Answer(true, text(permit.trace()));
      case Decision.Challenge(AuthnRequirement need, Trace trace) -> new Answer(false, text(need) + ", " + text(trace));
      case Decision.Deny(var reasons, Trace trace) ->
          new Answer(false, reasons.stream().map(Reason::name).sorted().collect(Collectors.joining(", ")) + ", " + text(trace));
    };
  }

  private static Answer denied(Reason reason) {
    return new Answer(false, reason.name());
  }

  private static String text(Trace trace) {
    return "route " + trace.route() + (trace.policy().equals("-") ? "" : ", policy " + trace.policy()) + ": " + trace.rule();
  }

  private static String text(AuthnRequirement need) {
    return switch (need) {
      case AuthnRequirement.Login login -> "asks for a login";
      case AuthnRequirement.LoginAt elsewhere -> "asks for a login at " + elsewhere.identityProvider();
      case AuthnRequirement.LoginAnew anew -> "asks for a new login";
      case AuthnRequirement.StepUp stepUp -> "asks for a login with " + String.join(" or ", stepUp.authnContext());
    };
  }
}
