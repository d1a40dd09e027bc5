package dev.gatehouse.idp.authn;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.certificate.CertificateTicket;
import dev.gatehouse.idp.certificate.CertificateTickets;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.session.EnabledPeople;
import dev.gatehouse.idp.session.LoginContract;
import java.util.Optional;

/**
 * The address to which a login by certificate returns with its ticket: only in the browser that began it, and only
 * once.
 */
public final class CertificateEndpoint implements Endpoint {

  private final CertificateTickets tickets;
  private final LoginSteps steps;
  private final BrowserBinding browsers;
  private final PendingSignOns waiting;
  private final EnabledPeople people;
  private final Refusals refusals;

  public CertificateEndpoint(
      CertificateTickets tickets,
      LoginSteps steps,
      BrowserBinding browsers,
      PendingSignOns waiting,
      EnabledPeople people,
      Refusals refusals) {
    this.tickets = tickets;
    this.steps = steps;
    this.browsers = browsers;
    this.waiting = waiting;
    this.people = people;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    String key = request.http().queryParameters().one("ticket").orElse("");
    Optional<CertificateTicket> ticket =
        tickets.find(key).filter(t -> t.realm().equals(request.realm().name()));
    if (ticket.isEmpty() || request.idp().contracts().certificate().isEmpty()) {
      return refusals.page(request, 400, "expired", "NO_SUCH_TICKET");
    }
    Optional<SessionToken> browser =
        browsers.find(request).filter(token -> BrowserBinding.hash(token).equals(ticket.get().browser()));
    if (browser.isEmpty()) {
      return refusals.page(request, 400, "expired", "TICKET_OF_ANOTHER_BROWSER");
    }
    if (!tickets.take(key)) {
      return refusals.page(request, 400, "expired", "TICKET_REPLAYED");
    }
    Optional<Person> person = people.find(request, ticket.get().person(), LoginContract.CERTIFICATE);
    Optional<String> pending = ticket.get().pending();
    Optional<PendingSignOn> sought =
        pending.flatMap(p -> waiting.find(request, p)).filter(w -> browsers.matches(request, w.browser()));
    if (person.isEmpty() || (pending.isPresent() && sought.isEmpty())) {
      return refusals.page(request, 400, "expired", "NO_SUCH_PENDING_LOGIN");
    }
    return steps.passed(request, person.get(), LoginContract.CERTIFICATE, browser.get(), sought);
  }
}
