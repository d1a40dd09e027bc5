package dev.gatehouse.idp.oauth.device;

import dev.gatehouse.common.store.Stores;
import dev.gatehouse.idp.authn.PendingRequests;
import dev.gatehouse.idp.authn.PendingRequestsFactory;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.endpoint.RouteGroup;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.PendingQuota;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Device authorization. */
@Configuration(proxyBeanMethods = false)
@Import({DeviceAuthorizationEndpoint.class, DeviceDecision.class, DevicePage.class, DeviceQuestion.class, DeviceSignOns.class})
public class DeviceConfig {

  @Bean
  DeviceCodes deviceCodes(Stores stores, InstantSource clock, RandomGenerator random) {
    return new DeviceCodes(stores, new PendingQuota(stores, "oauth-device", clock), clock, random);
  }

  @Bean
  PendingRequests<DeviceConfirmation> pendingConfirmations(PendingRequestsFactory factory) {
    return factory.create("device", new DeviceConfirmation.Codec());
  }

  @Bean
  RouteGroup deviceRoutes(DeviceAuthorizationEndpoint authorization, DevicePage page, OAuthReplies replies) {
    return RouteGroup.of(
        Route.post("oauth/device_authorization", replies.guarded(authorization)), Route.form(DevicePage.PATH, page));
  }
}
