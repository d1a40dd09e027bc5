package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.logout.LogoutDelivery;
import dev.gatehouse.common.logout.LogoutNotice;
import dev.gatehouse.common.logout.LogoutNotices;
import dev.gatehouse.common.logout.WaitingLogouts;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.saml.SamlReader;
import dev.gatehouse.common.saml.SamlWriter;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.idp.authn.EndNotices;
import dev.gatehouse.idp.authn.IdpSessions;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.saml.SpPartners;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Assembles the Single Logout profile. Sessions are opened and ended elsewhere, which calls {@link #endNotices}.
 * {@link #tend} handles expired sessions, and participants that have not been notified yet.
 */
public final class SingleLogout {

  /** The batch size for expired sessions: their notices are sent before the next batch is read. */
  private static final int EXPIRED_AT_ONCE = 256;

  private final SpPartners partners;
  private final LogoutNotices notices;
  private final ParticipantNotices participants;
  private final Logouts logouts;
  private final InstantSource clock;
  private final RandomGenerator random;

  public SingleLogout(
      Stores stores,
      SpPartners partners,
      ClientParticipants clients,
      LogoutDelivery delivery,
      AuditLog audit,
      InstantSource clock,
      RandomGenerator random) {
    this.partners = partners;
    this.clock = clock;
    this.random = random;
    ParticipantStatuses outcomes = new ParticipantStatuses(stores, clock);
    this.notices =
        new LogoutNotices(
            stores.due("idp-logout-notices", new JsonCodec<>(LogoutNotice.class)),
            delivery,
            outcomes::heard,
            audit,
            clock);
    this.participants = new ParticipantNotices(notices, partners, clients, audit, clock);
    this.logouts = new Logouts(stores, outcomes, participants, audit, clock, random);
  }

  /** The notices that sessions send when they end. */
  public EndNotices endNotices() {
    return participants;
  }

  /** For pages that end sessions. */
  public Logouts logouts() {
    return logouts;
  }

  /** For administrators. */
  public AdminResource.Logouts waiting() {
    return new WaitingLogouts("idp", notices);
  }

  /** The routes {@code saml/slo}, {@code saml/slo/soap}, {@code logout} and those of the receipt. */
  public List<Route> routes(
      IdpSessions sessions,
      ReplayCache replay,
      KeyRings keys,
      SamlReader reader,
      SamlWriter writer,
      Pages pages,
      Refusals refusals) {
    LogoutMessages messages = new LogoutMessages(partners, keys, writer, pages, clock, random);
    LogoutRequestRules rules = new LogoutRequestRules(sessions, replay, clock);
    return List.of(
        Route.message(
            "saml/slo", new SloEndpoint(reader, partners, sessions, logouts, messages, rules, pages, refusals)),
        Route.soap(SoapSloEndpoint.PATH, new SoapSloEndpoint(reader, rules, logouts, messages, refusals)),
        Route.form("logout", new LogoutEndpoint(sessions, logouts, pages)),
        Route.get("logout/receipt", new ReceiptEndpoint(logouts, messages, pages, refusals, clock)),
        Route.get("logout/frame", new FrameEndpoint(logouts, messages, refusals)));
  }

  /** Ends expired sessions and sends the notices that are due. */
  public void tend(IdpSessions sessions) {
    int expired;
    do {
      expired = sessions.endExpired(EXPIRED_AT_ONCE);
      notices.deliverDue();
    } while (expired == EXPIRED_AT_ONCE && !Thread.currentThread().isInterrupted());
  }

  /** Aborts the notices that are being sent; they remain stored. */
  public void close() {
    notices.close();
  }
}
