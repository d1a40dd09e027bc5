package dev.gatehouse.idp;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.backchannel.ArtifactResolution;
import dev.gatehouse.common.backchannel.ArtifactResolver;
import dev.gatehouse.common.backchannel.HeldArtifacts;
import dev.gatehouse.common.backchannel.SoapCall;
import dev.gatehouse.common.db.Consents;
import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.federation.PersistentNameIds;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.nameid.NameIdReception;
import dev.gatehouse.common.nameid.NameIdSending;
import dev.gatehouse.common.nameid.SentChange;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.MetadataCodec;
import dev.gatehouse.common.saml.SamlReader;
import dev.gatehouse.common.saml.SamlWriter;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.idp.account.AccountEndpoint;
import dev.gatehouse.idp.account.NamesEndpoint;
import dev.gatehouse.idp.admin.IdpSessionsResource;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.IdpSessionCodec;
import dev.gatehouse.idp.authn.IdpSessions;
import dev.gatehouse.idp.consent.ConsentsEndpoint;
import dev.gatehouse.idp.certificate.CertificateLogins;
import dev.gatehouse.idp.certificate.CertificateTickets;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.saml.SpPartners;
import dev.gatehouse.idp.saml.artifact.ArtifactEndpoint;
import dev.gatehouse.idp.saml.artifact.ArtifactNode;
import dev.gatehouse.idp.saml.artifact.ArtifactStore;
import dev.gatehouse.idp.saml.metadata.MetadataEndpoint;
import dev.gatehouse.idp.saml.nameid.NameIdChanges;
import dev.gatehouse.idp.saml.nameid.NameIdConfig;
import dev.gatehouse.idp.saml.nameid.NameIds;
import dev.gatehouse.idp.saml.slo.Logouts;
import dev.gatehouse.idp.saml.slo.SloConfig;
import dev.gatehouse.idp.saml.sso.PendingLimit;
import dev.gatehouse.idp.saml.sso.PendingSignOn;
import dev.gatehouse.idp.saml.sso.PendingSignOns;
import dev.gatehouse.idp.saml.sso.SsoConfig;
import dev.gatehouse.idp.saml.sso.SsoPartners;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** The identity provider put together: all that its edge serves, without a web framework. */
public final class IdentityProvider {

  private final List<Route> routes;
  private final AdminResource.Sessions sessions;
  private final CertificateLogins certificateLogins;

  public IdentityProvider(
      KeyRings keys,
      Directories directories,
      Stores stores,
      PersistentNameIds persistentNameIds,
      PartnerRegistry registry,
      SamlReader reader,
      SamlWriter writer,
      MetadataCodec metadata,
      Pages pages,
      GuessThrottle throttle,
      Consents consents,
      SoapCall calls,
      ArtifactNode node,
      SecondFactors secondFactors,
      SealingKey sealing,
      AuditLog audit,
      InstantSource clock,
      RandomGenerator random) {
    Refusals refusals = new Refusals(pages, audit, random);
    BrowserBinding browsers = new BrowserBinding(random);
    SpPartners partners = new SpPartners(registry);
    SsoPartners ssoPartners = new SsoPartners(partners);
    ReplayCache replay = stores.replayCache();
    HeldArtifacts held = new HeldArtifacts(stores, ArtifactStore.STORE, clock, random);
    IdpSessions sessions =
        new IdpSessions(
            stores.sessions(IdpSessions.STORE, new IdpSessionCodec()), directories, audit, clock, random);
    PendingSignOns pending =
        new PendingSignOns(
            stores.singleUse(PendingSignOns.STORE, new JsonCodec<>(PendingSignOn.class)),
            new PendingLimit(clock),
            ssoPartners,
            clock,
            random);
    CertificateTickets tickets = new CertificateTickets(stores, clock, random);
    LoginRoutes logins =
        new LoginRoutes(
            sessions, browsers, pending, directories, stores, throttle, secondFactors, sealing, tickets, pages, refusals,
            audit, clock, random);

    List<Route> all = new ArrayList<>(logins.routes());
    Logouts logouts = new Logouts(stores, partners, audit, clock, random);
    all.add(Route.get("", request -> EdgeReply.seeOther(request.here("account"))));
    all.add(Route.form("account", new AccountEndpoint(sessions, logouts, partners, pages, refusals)));
    all.addAll(
        SloConfig.routes(
            sessions, logouts, partners, replay, keys, reader, writer, pages, refusals, clock, random));
    all.add(
        Route.form(
            "account/consents",
            new ConsentsEndpoint(consents, sessions, partners::displayName, audit, pages, refusals)));
    all.add(
        new Route(
            ArtifactNode.PATH,
            Set.of("POST"),
            Route.MESSAGE_BYTES,
            new ArtifactEndpoint(
                new ArtifactResolution(reader, writer, held, clock, random), node, partners, keys, refusals)));
    var sentChanges = SentChange.store(stores, "idp-nameid");
    NameIdChanges nameIdChanges =
        new NameIdChanges(
            persistentNameIds,
            new NameIdSending(writer, calls, sentChanges, pages, clock, random),
            keys,
            partners,
            audit,
            random);
    all.addAll(
        NameIdConfig.routes(
            new NameIdReception(reader, writer, sentChanges, replay, pages, clock, random), nameIdChanges, refusals));
    all.add(
        Route.form(
            "account/names",
            new NamesEndpoint(persistentNameIds, nameIdChanges, sessions, partners, pages, refusals)));
    all.add(Route.get("saml/metadata", new MetadataEndpoint(keys, metadata, clock)));
    all.addAll(
        SsoConfig.routes(
            sessions,
            browsers,
            pending,
            ssoPartners,
            new NameIds(persistentNameIds, random),
            consents,
            new ArtifactStore(held, node),
            new ArtifactResolver(registry, calls, replay, clock, random),
            replay,
            keys,
            reader,
            writer,
            pages,
            refusals,
            audit,
            clock,
            random));
    this.routes = List.copyOf(all);
    this.sessions = new IdpSessionsResource(sessions);
    this.certificateLogins = new CertificateLogins(directories, tickets, audit, refusals, clock);
  }

  /** Every address below {@code /realms/{realm}/}. */
  public List<Route> routes() {
    return routes;
  }

  /** For administrators. */
  public AdminResource.Sessions sessions() {
    return sessions;
  }

  /** All that the listener for client certificates serves. */
  public CertificateLogins certificateLogins() {
    return certificateLogins;
  }
}
