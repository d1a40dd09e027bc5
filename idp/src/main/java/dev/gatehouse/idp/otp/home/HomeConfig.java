package dev.gatehouse.idp.otp.home;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.endpoint.RouteGroup;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.otp.PasscodeChecks;
import java.time.InstantSource;
import java.util.Set;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What other realms of one-time passwords call. */
@Configuration(proxyBeanMethods = false)
public class HomeConfig {

  @Bean
  AskedCounts askedCounts(InstantSource clock) {
    return new AskedCounts(clock);
  }

  @Bean
  RouteGroup idpHomeRoutes(
      PasscodeChecks passcodes, Directories directories, SealingKey sealing, OAuthReplies replies, AuditLog audit, AskedCounts counts,
      InstantSource clock) {
    AskedRates rates = new AskedRates(counts, clock);
    Endpoint visitors = new VisitorsEndpoint(passcodes, rates, sealing, replies, audit, clock);
    Endpoint greeting = new GreetingEndpoint(replies, clock);
    Endpoint either = request -> (request.http().method().equals("POST") ? visitors : greeting).handle(request);
    Endpoint known = new KnownNamesEndpoint(passcodes, directories, rates, replies, audit, clock);
    return RouteGroup.of(
        new Route(VisitorsEndpoint.PATH, Set.of("GET", "POST"), Route.FORM_BYTES, replies.guarded(either)),
        Route.post(KnownNamesEndpoint.PATH, replies.guarded(known)),
        Route.get(RealmDocumentEndpoint.PATH, replies.guarded(new RealmDocumentEndpoint(replies))));
  }
}
