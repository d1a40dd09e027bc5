package dev.gatehouse.idp.account;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.passkey.Passkeys;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.authn.AuthenticatedPerson;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.oidc.OidcClients;
import dev.gatehouse.idp.saml.SpPartners;
import dev.gatehouse.idp.saml.slo.Logouts;
import dev.gatehouse.idp.session.EndCause;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSession.Participant;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.session.LoginContracts;
import dev.gatehouse.idp.session.StateCookie;
import dev.gatehouse.idp.session.UserAgentName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The account page: the person's data and sessions. The person can end one session or all of them. */
public final class AccountEndpoint implements Endpoint {

  private static final String FORM = "account";
  private static final Duration NEWS = Duration.ofDays(30);
  private static final Set<String> DONE = Set.of("password", "ended");

  /** One session, as the page shows it. */
  private record Line(String id, boolean mine, Instant started, String address, String agent, String apps) {}

  /** Attributes that have a label in the message bundle; others are shown under their own name. */
  private static final Set<String> NAMED = Set.of("cn", "displayName", "givenName", "sn", "mail");

  /** One attribute. */
  private record Fact(String name, boolean named, String text) {}

  private final IdpSessions sessions;
  private final Logouts logouts;
  private final OidcClients clients;
  private final SpPartners partners;
  private final Passkeys passkeys;
  private final InstantSource clock;
  private final Pages pages;
  private final Refusals refusals;

  public AccountEndpoint(
      IdpSessions sessions,
      Logouts logouts,
      OidcClients clients,
      SpPartners partners,
      Passkeys passkeys,
      InstantSource clock,
      Pages pages,
      Refusals refusals) {
    this.sessions = sessions;
    this.logouts = logouts;
    this.clients = clients;
    this.partners = partners;
    this.passkeys = passkeys;
    this.clock = clock;
    this.pages = pages;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    return AuthenticatedPerson.onPage(
        sessions,
        refusals,
        request,
        FORM,
        me -> show(request, me.session(), me.token()),
        me -> change(request, me.session()));
  }

  private EdgeReply change(RealmRequest request, IdpSession mine) {
    Parameters fields = request.http().formParameters();
    return switch (fields.one("action").orElse("")) {
      case "end" -> endOne(request, mine, new SessionId(fields.one("session").orElse("")));
      case "end-all" -> endThese(request, sessions.ofPerson(mine.realm(), mine.person()));
      default -> refusals.page(request, 400, "bad-request", "NO_SUCH_ACTION");
    };
  }

  private EdgeReply endOne(RealmRequest request, IdpSession mine, SessionId id) {
    if (id.equals(mine.id())) {
      return endThese(request, List.of(mine));
    }
    // Only a session of this person: the id comes from the browser.
    sessions.ofPerson(mine.realm(), mine.person()).stream()
        .filter(other -> other.id().equals(id))
        .forEach(other -> sessions.endAndNotify(request.context(), mine.realm(), other.id(), EndCause.ACCOUNT));
    return EdgeReply.seeOther(request.here("account") + "?done=ended");
  }

  /**
   * Ends sessions that include this browser's own. Their apps are notified as in a logout, through this browser,
   * including those of sessions in other browsers: an app knows a session by NameID and SessionIndex, and a person who
   * lost a computer wants its apps to be logged out.
   */
  private EdgeReply endThese(RealmRequest request, List<IdpSession> those) {
    List<IdpSession> ended =
        those.stream()
            .flatMap(s -> sessions.end(request.context(), s.realm(), s.id(), EndCause.ACCOUNT).stream())
            .toList();
    String receipt = logouts.begin(request, ended).orElse(request.here("logout"));
    EdgeReply reply = EdgeReply.seeOther(receipt).with("Set-Cookie", sessions.removeCookie(request));
    return StateCookie.remove(request, reply);
  }

  private EdgeReply show(RealmRequest request, IdpSession mine, SessionToken token) {
    Map<String, Object> model = new HashMap<>();
    model.put("name", mine.snapshot().details().name());
    model.put("facts", facts(mine));
    model.put("roles", mine.snapshot().details().roles().stream().sorted().collect(Collectors.joining(", ")));
    model.put("sessions", lines(mine));
    model.put("csrf", CsrfToken.of(token, FORM));
    model.put("action", request.here("account"));
    model.put("logoutAddress", request.here("logout"));
    model.put("passwordAddress", request.here("password"));
    model.put("consentsAddress", request.here("account/consents"));
    model.put("dataAddress", request.here(DataEndpoint.PATH));
    model.put("namesAddress", request.here(NamesEndpoint.PATH));
    model.put(
        "secondFactorAddress",
        request.idp().contracts().secondFactor() == SecondFactor.OFF
            ? Optional.empty()
            : Optional.of(request.here(SecondFactorEndpoint.PATH)));
    model.put(
        "passkeysAddress",
        request.idp().contracts().passkeys().map(config -> request.here(PasskeysEndpoint.PATH)));
    model.put("passkeyAdded", request.idp().contracts().passkeys().flatMap(config -> lastPasskey(mine)));
    model.put(
        "tokensAddress", LoginContracts.offersToken(request) ? Optional.of(request.here(TokensEndpoint.PATH)) : Optional.empty());
    model.put("done", request.http().queryParameters().one("done").filter(DONE::contains));
    return pages.render(request.http(), Optional.of(request.realm()), Page.of(200, "account", model));
  }

  /** When a passkey was added in the last weeks; nobody can put the notice away, because somebody else might. */
  private Optional<Instant> lastPasskey(IdpSession mine) {
    Instant since = clock.instant().minus(NEWS);
    return passkeys.of(mine.realm(), mine.person()).stream()
        .map(Passkeys.Passkey::createdAt)
        .filter(at -> at.isAfter(since))
        .max(Comparator.naturalOrder());
  }

  private static List<Fact> facts(IdpSession session) {
    return new TreeMap<>(session.snapshot().details().attributes())
        .entrySet().stream()
            .filter(entry -> !entry.getValue().isEmpty() && !entry.getValue().equals(List.of(session.snapshot().details().name())))
            .map(entry -> new Fact(entry.getKey(), NAMED.contains(entry.getKey()), String.join(", ", entry.getValue())))
            .toList();
  }

  private List<Line> lines(IdpSession mine) {
    return sessions.ofPerson(mine.realm(), mine.person()).stream()
        .sorted(
            Comparator.comparing((IdpSession s) -> !s.id().equals(mine.id()))
                .thenComparing(IdpSession::createdAt, Comparator.reverseOrder()))
        .map(
            s ->
                new Line(
                    s.id().value(),
                    s.id().equals(mine.id()),
                    s.createdAt(),
                    s.browser().address(),
                    UserAgentName.of(s.browser().userAgent()),
                    s.participants().stream()
                        .map(participant -> name(s.realm(), participant))
                        .distinct()
                        .collect(Collectors.joining(", "))))
        .toList();
  }

  private String name(String realm, Participant participant) {
    return participant.isClient()
        ? clients.displayName(realm, participant)
        : partners.displayName(realm, participant.entityId());
  }
}
