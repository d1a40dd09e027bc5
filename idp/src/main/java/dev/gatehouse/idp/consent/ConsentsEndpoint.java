package dev.gatehouse.idp.consent;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.Consents;
import dev.gatehouse.common.db.Consents.Consent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.authn.AuthenticatedPerson;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSessions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The part of the account page that lists the person's consents and revokes them. */
public final class ConsentsEndpoint implements Endpoint {

  private static final String FORM = "account/consents";

  /** One consent, as the page shows it. */
  private record Line(String partner, String name, List<ConsentPartners.ItemDescription> released, Instant since) {}

  private final Consents consents;
  private final IdpSessions sessions;
  private final ConsentPartners partners;
  private final AuditLog audit;
  private final Pages pages;
  private final Refusals refusals;

  public ConsentsEndpoint(
      Consents consents,
      IdpSessions sessions,
      ConsentPartners partners,
      AuditLog audit,
      Pages pages,
      Refusals refusals) {
    this.consents = consents;
    this.sessions = sessions;
    this.partners = partners;
    this.audit = audit;
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
        me -> revoke(request, me.session()));
  }

  private EdgeReply revoke(RealmRequest request, IdpSession session) {
    Parameters fields = request.http().formParameters();
    String partner = fields.one("partner").orElse("");
    // First what acts in the person's name: it ends also while the database of the consents is away.
    boolean isActive = partners.activeConsents(request, session.person()).stream().anyMatch(consent -> consent.partner().equals(partner));
    partners.end(request, session.person(), partner);
    if (consents.revoke(session.realm(), partner, session.person()) || isActive) {
      audit.record(
          new AuditEvent.ConsentChanged(request.context(), session.person().value(), partner, false, ""));
    }
    return EdgeReply.seeOther(request.here("account/consents") + "?done=revoked");
  }

  private EdgeReply show(RealmRequest request, IdpSession session, SessionToken token) {
    List<Line> lines = activeConsents(request, session).stream().map(consent -> line(request, consent)).toList();
    Map<String, Object> model = new HashMap<>();
    model.put("lines", lines);
    model.put("csrf", CsrfToken.of(token, FORM));
    model.put("action", request.here("account/consents"));
    model.put("account", request.here("account"));
    model.put("done", request.http().queryParameters().one("done").filter("revoked"::equals).isPresent());
    return pages.render(request.http(), Optional.of(request.realm()), Page.of(200, "consents", model));
  }

  /** The person's consents, and further partners that may act in the person's name. */
  private List<Consent> activeConsents(RealmRequest request, IdpSession session) {
    Map<String, Consent> all = new TreeMap<>();
    partners.activeConsents(request, session.person()).forEach(consent -> all.put(consent.partner(), consent));
    consents.ofPerson(session.realm(), session.person()).forEach(consent -> all.put(consent.partner(), consent));
    return List.copyOf(all.values());
  }

  private Line line(RealmRequest request, Consent consent) {
    String partner = consent.partner();
    return new Line(
        partner,
        partners.displayName(request, partner),
        consent.attributes().stream().sorted().map(name -> partners.describe(partner, name)).toList(),
        consent.since());
  }

}
