package dev.gatehouse.idp.authn;

import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.sealed.PendingOverflow;
import dev.gatehouse.common.store.DueStore;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.idp.certificate.CertificateLogins;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.endpoint.RouteGroup;
import dev.gatehouse.idp.session.IdpSessions;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The login contracts. */
@Configuration(proxyBeanMethods = false)
@Import({
  BasicEndpoint.class,
  BrowserBinding.class,
  CertificateEndpoint.class,
  CrossSitePost.class,
  DirectLoginEndpoint.class,
  LoginEndpoint.class,
  LoginSteps.class,
  PassedFirstFactors.class,
  PasskeyEndpoint.class,
  LostTokens.class,
  PasskeyScript.class,
  PasswordContract.class,
  PasswordChanges.class,
  PasswordEndpoint.class,
  PasswordLogin.class,
  PasswordRelease.class,
  PasswordTasks.class,
  SecondStepEndpoint.class,
  SecondSteps.class,
  SetUpEndpoint.class,
  SetUpPages.class,
  TokenLoginEndpoint.class,
  TokenPages.class,
  TokenStepEndpoint.class
})
public class AuthnConfig {

  @Bean
  SingleUseStore<PasswordTask> passwordTaskStore(Stores stores) {
    return stores.singleUse(PasswordTasks.STORE, new JsonCodec<>(PasswordTask.class));
  }

  @Bean(initMethod = "start")
  PasswordEnds passwordEnds(
      Stores stores,
      Realms realms,
      Directories directories,
      IdpSessions sessions,
      PasswordNotice notice,
      InstantSource clock,
      RandomGenerator random) {
    DueStore<PasswordEnds.Intention> due = stores.due(PasswordEnds.STORE, new JsonCodec<>(PasswordEnds.Intention.class));
    return new PasswordEnds(due, realms, directories, sessions, notice, clock, random);
  }

  @Bean
  PendingRequestsFactory idpPendingRequests(
      SealingKey sealing,
      Stores stores,
      ReplayCache marks,
      BrowserBinding browsers,
      Refusals refusals,
      InstantSource clock,
      RandomGenerator random) {
    return new PendingRequestsFactory(sealing, new PendingOverflow(clock, stores, "idp-pending-overflow"), marks, browsers, refusals, clock, random);
  }

  @Bean
  RouteGroup idpPasskeyRoutes(PasskeyEndpoint passkeys, PasskeyScript script) {
    return RouteGroup.of(
        Route.get(PasskeyScript.PATH, script),
        Route.form(PasskeyEndpoint.LOGIN, passkeys.first()),
        Route.form(PasskeyEndpoint.SECOND, passkeys.second()));
  }

  @Bean
  RouteGroup idpTokenRoutes(TokenLoginEndpoint login, TokenStepEndpoint step) {
    return RouteGroup.of(Route.form("login/token", login), Route.form("login/second/token", step));
  }

  @Bean
  RouteGroup idpLoginRoutes(
      LoginEndpoint login,
      BasicEndpoint basic,
      CertificateEndpoint certificate,
      DirectLoginEndpoint direct,
      SecondStepEndpoint second,
      SetUpEndpoint setUp,
      PasswordEndpoint password) {
    return RouteGroup.of(
        Route.form("login", login),
        Route.get("login/basic", basic),
        Route.get(CertificateLogins.PATH, certificate),
        Route.post("login/direct", direct),
        Route.form("login/second", second),
        Route.form("login/set-up", setUp),
        Route.form("password", password));
  }
}
