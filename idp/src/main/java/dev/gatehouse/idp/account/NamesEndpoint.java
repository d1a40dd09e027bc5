package dev.gatehouse.idp.account;

import dev.gatehouse.common.federation.PersistentNameId;
import dev.gatehouse.common.federation.PersistentNameIds;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.nameid.ManageNameIdSender.Browser;
import dev.gatehouse.common.nameid.ManageNameIdSender.Sending;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.authn.AuthenticatedPerson;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.saml.SpPartners;
import dev.gatehouse.idp.saml.nameid.NameIdChanges;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSessions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The part of the account page that lists the apps that know the person by a persistent NameID. The person can
 * terminate or renew each.
 */
public final class NamesEndpoint implements Endpoint {

  static final String PATH = "account/names";
  private static final Set<String> DONE = Set.of("ended-delivered", "ended-not-delivered", "renewed-delivered", "renewed-not-delivered");

  /** One app. */
  private record Line(String partner, String name, Instant since) {}

  private final PersistentNameIds nameIds;
  private final NameIdChanges changes;
  private final IdpSessions sessions;
  private final SpPartners partners;
  private final Pages pages;
  private final Refusals refusals;

  public NamesEndpoint(
      PersistentNameIds nameIds,
      NameIdChanges changes,
      IdpSessions sessions,
      SpPartners partners,
      Pages pages,
      Refusals refusals) {
    this.nameIds = nameIds;
    this.changes = changes;
    this.sessions = sessions;
    this.partners = partners;
    this.pages = pages;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    return AuthenticatedPerson.onPage(
        sessions,
        refusals,
        request,
        PATH,
        me -> show(request, me.session(), me.token()),
        me -> change(request, me.session()));
  }

  private EdgeReply change(RealmRequest request, IdpSession session) {
    Parameters fields = request.http().formParameters();
    Optional<PersistentNameId> name =
        fields.one("partner").flatMap(partner -> nameIds.find(session.realm(), partner, session.person()));
    if (name.isEmpty()) {
      return EdgeReply.seeOther(request.here(PATH));
    }
    return switch (fields.one("action").orElse("")) {
      case "end" -> {
        Browser browser = browser(request, "ended-");
        yield after(
            browser,
            changes.terminate(
                request.context(), request.realm(), request.idp(), name.get(), "person", Optional.of(browser)));
      }
      case "renew" -> {
        Browser browser = browser(request, "renewed-");
        yield after(
            browser,
            changes.renew(
                request.context(), request.realm(), request.idp(), name.get(), "person", Optional.of(browser)));
      }
      default -> refusals.page(request, 400, "bad-request", "NO_SUCH_ACTION");
    };
  }

  /** Answers that a browser carries arrive at the origin that messages name, which may differ from this one. */
  private static Browser browser(RealmRequest request, String outcome) {
    return new Browser(request.http(), request.http().origin() + request.here(PATH) + "?done=" + outcome);
  }

  private static EdgeReply after(Browser browser, Sending sending) {
    return switch (sending) {
      case Sending.ByBrowser(EdgeReply reply) -> reply;
      case Sending.Answered(SamlStatus status) ->
          EdgeReply.seeOther(browser.back() + (status.isSuccess() ? "delivered" : "not-delivered"));
      case Sending.NotDelivered(String problem) -> EdgeReply.seeOther(browser.back() + "not-delivered");
    };
  }

  private EdgeReply show(RealmRequest request, IdpSession session, SessionToken token) {
    List<Line> lines =
        nameIds.ofPerson(session.realm(), session.person()).stream()
            .map(
                name ->
                    new Line(name.partner(), partners.displayName(session.realm(), name.partner()), name.since()))
            .toList();
    Map<String, Object> model = new HashMap<>();
    model.put("lines", lines);
    model.put("csrf", CsrfToken.of(token, PATH));
    model.put("action", request.here(PATH));
    model.put("account", request.here("account"));
    model.put("done", request.http().queryParameters().one("done").filter(DONE::contains));
    return pages.render(request.http(), Optional.of(request.realm()), Page.of(200, "names", model));
  }
}
