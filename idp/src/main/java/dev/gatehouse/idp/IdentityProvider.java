package dev.gatehouse.idp;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.backchannel.ArtifactResolution;
import dev.gatehouse.common.backchannel.ArtifactResolver;
import dev.gatehouse.common.backchannel.ArtifactMap;
import dev.gatehouse.common.backchannel.SoapCall;
import dev.gatehouse.common.db.Consents;
import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.PasswordChanges;
import dev.gatehouse.common.federation.PersistentNameIds;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.logout.LogoutDelivery;
import dev.gatehouse.common.nameid.ManageNameIdReceiver;
import dev.gatehouse.common.nameid.ManageNameIdSender;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.MetadataCodec;
import dev.gatehouse.common.saml.SamlReader;
import dev.gatehouse.common.saml.SamlWriter;
import dev.gatehouse.common.sealed.PendingOverflow;
import dev.gatehouse.common.store.Expired;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.common.throttle.RepeatedTask;
import dev.gatehouse.idp.account.AccountEndpoint;
import dev.gatehouse.idp.account.NamesEndpoint;
import dev.gatehouse.idp.admin.IdpSessionsResource;
import dev.gatehouse.idp.admin.RegisteredClientsResource;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.IdpSessionCodec;
import dev.gatehouse.idp.authn.IdpSessions;
import dev.gatehouse.idp.authn.KnownDevices;
import dev.gatehouse.idp.authn.PasswordNotice;
import dev.gatehouse.idp.authn.PasswordRelease;
import dev.gatehouse.idp.authn.PendingRequestsFactory;
import dev.gatehouse.idp.certificate.CertificateLogins;
import dev.gatehouse.idp.certificate.CertificateTickets;
import dev.gatehouse.idp.consent.ConsentsEndpoint;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.oauth.authorize.ClientGrants;
import dev.gatehouse.idp.oauth.client.ClientServices;
import dev.gatehouse.idp.oauth.client.HistoricalGrants;
import dev.gatehouse.idp.oauth.registration.ClientSources;
import dev.gatehouse.idp.oauth.registration.Registrations;
import dev.gatehouse.idp.oidc.BackChannelLogout;
import dev.gatehouse.idp.oidc.ClientTokens;
import dev.gatehouse.idp.oidc.JwsSigner;
import dev.gatehouse.idp.oidc.OidcClients;
import dev.gatehouse.idp.oidc.ParticipantDelivery;
import dev.gatehouse.idp.saml.SpPartners;
import dev.gatehouse.idp.saml.artifact.ArtifactEndpoint;
import dev.gatehouse.idp.saml.artifact.ArtifactNode;
import dev.gatehouse.idp.saml.artifact.ArtifactStore;
import dev.gatehouse.idp.saml.metadata.MetadataEndpoint;
import dev.gatehouse.idp.saml.nameid.NameIdChanges;
import dev.gatehouse.idp.saml.nameid.NameIdConfig;
import dev.gatehouse.idp.saml.nameid.NameIds;
import dev.gatehouse.idp.saml.slo.SingleLogout;
import dev.gatehouse.idp.saml.sso.SamlPendingSignOns;
import dev.gatehouse.idp.saml.sso.SsoConfig;
import dev.gatehouse.idp.saml.sso.SsoPartners;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Assembles the identity provider: everything that its edge serves, without a web framework. */
public final class IdentityProvider implements AutoCloseable {

  private final List<Route> routes;
  private final NameIdChanges nameIdChanges;
  private final AdminResource.Sessions sessions;
  private final AdminResource.RegisteredClients registeredClients;
  private final SingleLogout logout;
  private final Runnable tending;
  private Optional<RepeatedTask> background = Optional.empty();
  private final CertificateLogins certificateLogins;

  public IdentityProvider(
      Realms realms,
      KeyRings keys,
      Directories directories,
      Stores stores,
      PersistentNameIds persistentNameIds,
      PartnerRegistry registry,
      SamlReader reader,
      SamlWriter writer,
      MetadataCodec metadata,
      LogoutDelivery delivery,
      Pages pages,
      GuessThrottle throttle,
      Consents consents,
      SoapCall calls,
      ArtifactNode node,
      SecondFactors secondFactors,
      PasswordChanges passwordChanges,
      SealingKey sealing,
      ClientSources clientSources,
      AuditLog audit,
      RefusalLog refusalLog,
      InstantSource clock,
      RandomGenerator random) {
    realms.onChange(new HistoricalGrants());
    Refusals refusals = new Refusals(pages, refusalLog);
    BrowserBinding browsers = new BrowserBinding(random);
    SpPartners partners = new SpPartners(registry);
    SsoPartners ssoPartners = new SsoPartners(partners);
    ReplayCache replay = stores.replayCache();
    ArtifactMap held = new ArtifactMap(stores, ArtifactStore.STORE, clock, random);
    Registrations registrations = new Registrations(clientSources.registered());
    ClientServices clients = ClientServices.of(registrations, sealing, throttle, replay, clientSources.http(), clock);
    ClientTokens clientTokens = new ClientTokens(new JwsSigner(keys), clients.keys());
    OidcClients oidcClients = new OidcClients(realms, clients.clients());
    this.logout =
        new SingleLogout(
            stores,
            partners,
            oidcClients,
            new ParticipantDelivery(
                new BackChannelLogout(realms, clients.clients(), clientTokens, clientSources.http(), clock, random), delivery),
            audit,
            clock,
            random);
    KnownDevices devices = new KnownDevices(stores, sealing, clock, random);
    IdpSessions sessions =
        new IdpSessions(
            stores.sessions(IdpSessions.STORE, new IdpSessionCodec(), Expired.KEPT),
            directories,
            logout.endNotices(),
            devices,
            audit,
            clock,
            random);
    PendingRequestsFactory pendingFactory =
        new PendingRequestsFactory(sealing, new PendingOverflow(clock), replay, browsers, refusals, clock, random);
    SamlPendingSignOns pending = new SamlPendingSignOns(pendingFactory, ssoPartners);
    OAuthRoutes oauth =
        new OAuthRoutes(
            keys, clients, registrations, clientSources.tokens(), clientTokens, sessions, logout.logouts(),
            pendingFactory, directories, stores, replay, throttle, consents, sealing, pages, refusals, refusalLog, audit, clock, random);
    PasswordNotice notice =
        (request, person) -> {
          oauth.authorizations().changed(request, person);
          passwordChanges.announce(request.realm().name(), person.id());
        };
    CertificateTickets tickets = new CertificateTickets(stores, clock, random);
    PasswordRelease release = new PasswordRelease(stores, browsers, clock, random);
    LoginRoutes logins =
        new LoginRoutes(
            sessions, browsers, pending.or(oauth.signOns()), notice, directories, stores, throttle,
            secondFactors, sealing, devices, tickets, release, pages, refusals, audit, clock, random);

    List<Route> all = new ArrayList<>(logins.routes());
    all.addAll(oauth.routes(logins));
    all.add(Route.get("", request -> EdgeReply.seeOther(request.here("account"))));
    all.add(
        Route.form(
            "account",
            new AccountEndpoint(
                sessions,
                logout.logouts(),
                (realm, participant) ->
                    participant.isClient()
                        ? oidcClients.displayName(realm, participant)
                        : partners.displayName(realm, participant.entityId()),
                pages,
                refusals)));
    all.addAll(logout.routes(sessions, replay, keys, reader, writer, pages, refusals));
    all.add(
        Route.form(
            "account/consents",
            new ConsentsEndpoint(
                consents,
                sessions,
                new ClientGrants(clients.clients(), oauth.authorizations(), partners::displayName),
                audit,
                pages,
                refusals)));
    all.add(
        new Route(
            ArtifactNode.PATH,
            Set.of("POST"),
            Route.MESSAGE_BYTES,
            new ArtifactEndpoint(
                new ArtifactResolution(reader, writer, held, clock, random), node, partners, keys, refusals)));
    ManageNameIdSender nameIdSending = new ManageNameIdSender(writer, calls, stores, "idp-nameid", pages, clock, random);
    this.nameIdChanges =
        new NameIdChanges(persistentNameIds, nameIdSending, keys, partners, audit, random);
    all.addAll(
        NameIdConfig.routes(
            new ManageNameIdReceiver(reader, writer, nameIdSending, replay, pages, clock, random),
            nameIdChanges,
            refusals));
    all.add(
        Route.form(
            "account/names",
            new NamesEndpoint(persistentNameIds, nameIdChanges, sessions, partners, pages, refusals)));
    all.add(Route.get("saml/metadata", new MetadataEndpoint(keys, metadata, clock)));
    all.addAll(
        SsoConfig.routes(
            sessions,
            browsers,
            release,
            pending,
            ssoPartners,
            new NameIds(persistentNameIds, random),
            consents,
            oauth.releases(),
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
    this.tending = () -> logout.tend(sessions);
    this.sessions = new IdpSessionsResource(sessions);
    this.registeredClients = new RegisteredClientsResource(registrations);
    this.certificateLogins = new CertificateLogins(directories, tickets, audit, refusals, clock);
  }

  /** Every address below {@code /realms/{realm}/}. */
  public List<Route> routes() {
    return routes;
  }

  /** The service that terminates and renews persistent NameIDs. */
  public NameIdChanges nameIdChanges() {
    return nameIdChanges;
  }

  /** For administrators. */
  public AdminResource.Sessions sessions() {
    return sessions;
  }

  /** OAuth clients that registered at run time, for administrators. */
  public AdminResource.RegisteredClients registeredClients() {
    return registeredClients;
  }

  /** Logouts of which partners have not been notified yet, for administrators. */
  public AdminResource.Logouts waitingLogouts() {
    return logout.waiting();
  }

  /** Starts the background work, which runs every second until {@link #close}. */
  public synchronized void start() {
    background = Optional.of(RepeatedTask.begin("idp", "Sessions cannot be ended, or logouts notified", tending::run));
  }

  /** Performs the background work once: ends expired sessions, and sends the notices to partners that are due. */
  public void tend() {
    tending.run();
  }

  @Override
  public synchronized void close() {
    // Notices in delivery are aborted first, so that nothing has to be waited for.
    logout.close();
    background.ifPresent(RepeatedTask::close);
  }

  /** The logins that the listener for client certificates serves. */
  public CertificateLogins certificateLogins() {
    return certificateLogins;
  }
}
