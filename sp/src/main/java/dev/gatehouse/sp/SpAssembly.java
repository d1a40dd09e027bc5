package dev.gatehouse.sp;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.backchannel.ArtifactMap;
import dev.gatehouse.common.backchannel.ArtifactResolution;
import dev.gatehouse.common.backchannel.ArtifactResolver;
import dev.gatehouse.common.backchannel.SoapCall;
import dev.gatehouse.common.db.PersonSecrets;
import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.PasswordChanges;
import dev.gatehouse.common.federation.AccountLinks;
import dev.gatehouse.common.federation.BulkFederation;
import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.logout.LogoutDelivery;
import dev.gatehouse.common.logout.LogoutNotice;
import dev.gatehouse.common.logout.LogoutNotices;
import dev.gatehouse.common.logout.SoapLogout;
import dev.gatehouse.common.logout.WaitingLogouts;
import dev.gatehouse.common.nameid.ManageNameIdReceiver;
import dev.gatehouse.common.nameid.ManageNameIdSender;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.sp.acs.AppSessionOpening;
import dev.gatehouse.sp.acs.AssertedPassword;
import dev.gatehouse.sp.acs.AssertionConsumerServiceEndpoint;
import dev.gatehouse.sp.acs.DroppedValues;
import dev.gatehouse.sp.acs.LinkEndpoint;
import dev.gatehouse.sp.acs.Linking;
import dev.gatehouse.sp.acs.LoginCompletion;
import dev.gatehouse.sp.acs.ParkedLogins;
import dev.gatehouse.sp.acs.ResponseArtifacts;
import dev.gatehouse.sp.acs.ResponseValidator;
import dev.gatehouse.sp.acs.SamlSessionOpening;
import dev.gatehouse.sp.acs.SignOnRefusals;
import dev.gatehouse.sp.check.ReplayCheck;
import dev.gatehouse.sp.edge.FormRedirect;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.link.AccountEndpoint;
import dev.gatehouse.sp.link.AccountRules;
import dev.gatehouse.sp.link.Linker;
import dev.gatehouse.sp.link.LocalLogin;
import dev.gatehouse.sp.local.DirectorySignOn;
import dev.gatehouse.sp.local.LocalSignOn;
import dev.gatehouse.sp.login.ArtifactResolutionEndpoint;
import dev.gatehouse.sp.login.Challenge;
import dev.gatehouse.sp.login.DiscoveryEndpoint;
import dev.gatehouse.sp.login.IdentityProviderChoice;
import dev.gatehouse.sp.login.IdentityProviderList;
import dev.gatehouse.sp.login.LoginEndpoint;
import dev.gatehouse.sp.login.LoginStart;
import dev.gatehouse.sp.login.PendingRequests;
import dev.gatehouse.sp.login.ReplayEndpoint;
import dev.gatehouse.sp.login.ReturnRedirect;
import dev.gatehouse.sp.login.SamlLoginStart;
import dev.gatehouse.sp.login.SavedRequests;
import dev.gatehouse.sp.login.TicketEndpoint;
import dev.gatehouse.sp.logout.LogoutEndpoint;
import dev.gatehouse.sp.logout.LogoutRequestReception;
import dev.gatehouse.sp.logout.LogoutResponseReception;
import dev.gatehouse.sp.logout.LogoutStart;
import dev.gatehouse.sp.logout.ProviderLogout;
import dev.gatehouse.sp.logout.SingleLogoutEndpoint;
import dev.gatehouse.sp.metadata.MetadataEndpoint;
import dev.gatehouse.sp.nameid.LinkChanges;
import dev.gatehouse.sp.nameid.LinksResource;
import dev.gatehouse.sp.nameid.NameIdEndpoint;
import dev.gatehouse.sp.provider.OpenIdProviders;
import dev.gatehouse.sp.provider.ProviderCalls;
import dev.gatehouse.sp.secret.AppSecrets;
import dev.gatehouse.sp.secret.AppSecretsResource;
import dev.gatehouse.sp.secret.SecretsEndpoint;
import dev.gatehouse.sp.session.AppSessionAdmin;
import dev.gatehouse.sp.session.AppSessions;
import dev.gatehouse.sp.session.LogoutMarks;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Assembles the service provider. Needs one bean of each parameter's type; {@code random} must be a SecureRandom. */
@Configuration(proxyBeanMethods = false)
public class SpAssembly {

  /** The gateway uses it as {@link dev.gatehouse.sp.session.AppSessionCache}. */
  @Bean
  public AppSessions appSessions(Stores stores, Realms realms, AuditLog audit, InstantSource time) {
    return new AppSessions(stores, realms, audit, time);
  }

  @Bean
  public AppSessionAdmin appSessionAdmin(AppSessions sessions, Realms realms) {
    return new AppSessionAdmin(sessions, realms);
  }

  /** For people who log in at the gateway itself. */
  @Bean
  public LocalSignOn localSignOn(
      AppSessions sessions,
      Directories directories,
      SecondFactors factors,
      GuessThrottle throttle,
      PasswordChanges changes,
      AuditLog audit,
      InstantSource time) {
    LocalLogin login = new LocalLogin("basic", directories, factors, throttle, audit);
    return new DirectorySignOn(login, directories, sessions, changes, audit, time);
  }

  @Bean
  public DroppedValues droppedValues(MeterRegistry meters) {
    return new DroppedValues(
        Counter.builder("gatehouse.sp.values.dropped")
            .description("Values of attributes that an identity provider may not assert, or that are not accepted")
            .register(meters));
  }

  /** LogoutRequests that identity providers have not received yet. */
  @Bean(initMethod = "start", destroyMethod = "close")
  public LogoutNotices appLogoutNotices(
      Stores stores,
      Realms realms,
      PartnerRegistry partners,
      KeyRings keyRings,
      SoapCall calls,
      AuditLog audit,
      InstantSource time,
      RandomGenerator random) {
    LogoutDelivery delivery = new SoapLogout(SoapLogout.Side.SP, realms, partners, keyRings, calls, time, random);
    return logoutNotices(stores, delivery, audit, time);
  }

  /** Like {@link #appLogoutNotices}, with another delivery. */
  public LogoutNotices logoutNotices(Stores stores, LogoutDelivery delivery, AuditLog audit, InstantSource time) {
    return new LogoutNotices(
        stores.due("sp-logout-notices", new JsonCodec<>(LogoutNotice.class)), delivery, (key, result) -> {}, audit, time);
  }

  @Bean
  WaitingLogouts appLogouts(LogoutNotices notices) {
    return new WaitingLogouts("app", notices);
  }

  @Bean
  public ManageNameIdSender nameIdSending(
      SamlWriter writer, SoapCall calls, Stores stores, Pages pages, InstantSource time, RandomGenerator random) {
    return new ManageNameIdSender(writer, calls, stores, "sp-nameid", pages, time, random);
  }

  /** Used by the account page and by the administration API. */
  @Bean
  public LinkChanges linkChanges(
      AccountLinks links,
      AppSessions sessions,
      ManageNameIdSender sending,
      KeyRings keyRings,
      PartnerRegistry partners,
      AuditLog audit) {
    return new LinkChanges(links, sessions, sending, keyRings, partners, audit);
  }

  @Bean
  public LinksResource linksResource(
      Realms realms, Directories directories, AccountLinks links, LinkChanges changes, BulkFederation bulk) {
    return new LinksResource(realms, directories, links, changes, bulk);
  }

  /** Also used by the gateway, for access tokens. */
  @Bean(destroyMethod = "close")
  public OpenIdProviders openIdProviders(
      Realms realms, OutboundHttp http, InstantSource time, RandomGenerator random, CountDownLatch listening) {
    return new OpenIdProviders(realms, http, time, random, listening);
  }

  @Bean
  public ProviderCalls providerCalls(
      OutboundHttp http, KeyRings keyRings, InstantSource time, RandomGenerator random) {
    return new ProviderCalls(http, keyRings, time, random);
  }

  /** Also used by the gateway, which fills login forms of apps. */
  @Bean
  public AppSecrets appSecrets(PersonSecrets store, SealingKey sealing, AuditLog audit, InstantSource time) {
    return new AppSecrets(store, sealing, audit, time);
  }

  @Bean
  public AppSecretsResource appSecretsResource(AppSecrets secrets) {
    return new AppSecretsResource(secrets);
  }

  @Bean
  public ServiceProvider serviceProvider(
      AppSessions sessions,
      AppSecrets appSecrets,
      SealingKey sealing,
      LinkChanges linkChanges,
      ManageNameIdSender nameIdSending,
      DroppedValues dropped,
      LogoutNotices notices,
      Stores stores,
      PartnerRegistry partners,
      OpenIdProviders providers,
      ProviderCalls providerCalls,
      KeyRings keyRings,
      SamlReader reader,
      SamlWriter writer,
      SoapCall calls,
      AccountLinks links,
      Directories directories,
      SecondFactors factors,
      GuessThrottle throttle,
      Node node,
      MetadataCodec metadataCodec,
      Pages pages,
      AuditLog audit,
      RefusalLog refusalLog,
      InstantSource time,
      RandomGenerator random) {
    Refusals refusals = new Refusals(pages, refusalLog);
    ReplayCache marks = stores.replayCache();
    ReplayCheck replays = new ReplayCheck(marks);
    PendingRequests pendings = new PendingRequests(sealing, marks, refusals, time, random);
    FormerStores.sweep(stores);
    SavedRequests savedRequests = new SavedRequests(stores, time, random);
    ReturnRedirect returnRedirect = new ReturnRedirect(stores, time, random);
    ArtifactMap held = new ArtifactMap(stores, "sp-artifact", time, random);
    LogoutMarks logoutMarks = new LogoutMarks(stores, time);
    OpenIdParts openId =
        OpenIdParts.of(
            providers,
            providerCalls,
            partners,
            pendings,
            returnRedirect,
            sessions,
            logoutMarks,
            replays,
            stores,
            keyRings,
            pages,
            audit,
            refusals,
            time,
            random);
    LoginStart saml =
        new SamlLoginStart(pendings, partners, keyRings, writer, held, node.index(), pages, refusals, time, random);
    LoginStart loginStart =
        (realm, request, loginRequest, chosen) ->
            (realm.openIdProvider(chosen).isPresent() ? openId.login() : saml).begin(realm, request, loginRequest, chosen);
    IdentityProviderChoice choice = new IdentityProviderChoice(partners, providers);
    LoginEndpoint login = new LoginEndpoint(loginStart, choice, pendings, returnRedirect, sessions, refusals, time, random);
    IdentityProviderList list = new IdentityProviderList(partners, choice);
    ArtifactResolver resolver = new ArtifactResolver(partners, calls, marks, time, random);
    ArtifactResolution resolution = new ArtifactResolution(reader, writer, held, time, random);
    AssertedPassword password = new AssertedPassword(sealing);
    AppSessionOpening opening =
        new AppSessionOpening(pendings, replays, new Linker(links, audit), sessions, password, logoutMarks, audit, time, random);
    ResponseValidator validator = new ResponseValidator(partners, replays, dropped, password, time);
    ParkedLogins parkedLogins = new ParkedLogins(stores, time, random);
    SignOnRefusals signOnRefusals = new SignOnRefusals(partners, pages, refusals);
    Linking linking = new Linking(stores, time, random);
    SamlSessionOpening sessionOpening =
        new SamlSessionOpening(opening, linking, returnRedirect, pendings, sessions, signOnRefusals, refusals);
    AccountRules accounts = new AccountRules(links, directories, partners);
    LoginCompletion completion =
        new LoginCompletion(parkedLogins, pendings, accounts, sessionOpening, signOnRefusals, pages, refusals, random);
    FormRedirect formRedirect = new FormRedirect(pages);
    LocalLogin localLogin = new LocalLogin("link", directories, factors, throttle, audit);
    LogoutStart logoutStart =
        new LogoutStart(stores, notices, partners, keyRings, writer, pages, refusals, time, random);
    ProviderLogout providerLogout =
        (realm, request, ended) ->
            (realm.openIdProvider(ended.identityProvider()).isPresent() ? openId.logout() : logoutStart)
                .ask(realm, request, ended);
    LogoutRequestReception logoutRequests =
        new LogoutRequestReception(
            reader, writer, partners, keyRings, replays, sessions, logoutMarks, pages, refusals, time, random);
    LogoutResponseReception logoutResponses =
        new LogoutResponseReception(reader, partners, logoutStart, pages, audit, refusals);
    return new SamlServiceProvider(
        new Challenge(login, savedRequests, pages, random),
        savedRequests,
        login,
        new DiscoveryEndpoint(list, choice, pendings, loginStart, formRedirect, pages, refusals),
        new TicketEndpoint(returnRedirect, sessions, refusals, random),
        new ReplayEndpoint(savedRequests, pages, refusals),
        new AssertionConsumerServiceEndpoint(
            reader,
            new ResponseArtifacts(reader, resolver, keyRings),
            partners,
            keyRings,
            pendings,
            validator,
            completion,
            signOnRefusals,
            refusals),
        new LinkEndpoint(
            linking, localLogin, opening, returnRedirect, sessions, list, formRedirect, pages, signOnRefusals, refusals),
        new AccountEndpoint(sessions, links, linkChanges, list, pages, refusals),
        new SecretsEndpoint(sessions, appSecrets, pages, refusals),
        new ArtifactResolutionEndpoint(resolution, partners, keyRings, node.index(), refusals),
        new LogoutEndpoint(providerLogout, sessions, partners, pages, refusals),
        new SingleLogoutEndpoint(logoutRequests, logoutResponses, refusals),
        new NameIdEndpoint(
            new ManageNameIdReceiver(reader, writer, nameIdSending, stores.replayCache(), pages, time, random),
            linkChanges,
            refusals),
        new MetadataEndpoint(metadataCodec, keyRings, refusals, time),
        openId.endpoints(),
        refusals);
  }
}
