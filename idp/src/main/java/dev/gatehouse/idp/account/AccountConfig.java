package dev.gatehouse.idp.account;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.PendingSignOns;
import dev.gatehouse.idp.authn.RecentLogin;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.endpoint.RouteGroup;
import dev.gatehouse.idp.passkey.PasskeyOffers;
import java.time.InstantSource;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/** The person's own pages: account, names at partners, second factor. */
@Configuration(proxyBeanMethods = false)
@Import({
  AccountEndpoint.class,
  DataEndpoint.class,
  EnrollingLogin.class,
  NamesEndpoint.class,
  PasskeyNoticeEndpoint.class,
  PasskeyOfferEndpoint.class,
  PasskeysEndpoint.class,
  SecondFactorEndpoint.class,
  TokenSetUpEndpoint.class,
  TokensEndpoint.class
})
public class AccountConfig {

  /** Finds every sign-on that waits for a login, also that of the account page itself. */
  @Bean
  @Primary
  RecentLogin idpRecentLogin(List<PendingSignOns> protocols, BrowserBinding browsers, InstantSource clock) {
    return new RecentLogin(protocols.stream().reduce(PendingSignOns::or).orElseThrow(), browsers, clock);
  }

  @Bean
  RouteGroup idpAccountPasskeyRoutes(PasskeysEndpoint passkeys, PasskeyOfferEndpoint offer, PasskeyNoticeEndpoint notice) {
    return RouteGroup.of(
        Route.form(PasskeyOffers.PATH, offer),
        Route.form(PasskeyOffers.NOTICE, notice),
        Route.form(PasskeysEndpoint.PATH, passkeys), Route.get(PasskeysEndpoint.OPTIONS, passkeys::options));
  }

  @Bean
  RouteGroup idpAccountTokenRoutes(TokensEndpoint tokens, TokenSetUpEndpoint setUp) {
    return RouteGroup.of(Route.form(TokensEndpoint.PATH, tokens), Route.form(TokenSetUpEndpoint.PATH, setUp));
  }

  @Bean
  RouteGroup idpAccountRoutes(
      AccountEndpoint account, DataEndpoint data, NamesEndpoint names, SecondFactorEndpoint secondFactor) {
    return RouteGroup.of(
        Route.get("", request -> EdgeReply.seeOther(request.here("account"))),
        Route.form("account", account),
        Route.form(DataEndpoint.PATH, data),
        Route.form("account/names", names),
        Route.form(SecondFactorEndpoint.PATH, secondFactor));
  }
}
