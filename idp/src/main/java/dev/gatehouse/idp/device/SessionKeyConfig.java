package dev.gatehouse.idp.device;

import dev.gatehouse.common.device.BoundCookies;
import dev.gatehouse.common.device.DeviceChallenges;
import dev.gatehouse.common.device.DeviceProofs;
import dev.gatehouse.common.device.KeyPage;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.endpoint.RouteGroup;
import dev.gatehouse.idp.session.DeviceKeys;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The binding of IdpSessions to devices. */
@Configuration(proxyBeanMethods = false)
@Import({BoundCookies.class, DeviceChallenges.class, DeviceProofs.class, KeyPageEndpoint.class, SessionKeyEndpoints.class})
public class SessionKeyConfig {

  @Bean
  RouteGroup sessionKeyRoutes(SessionKeyEndpoints keys, KeyPageEndpoint page) {
    return RouteGroup.of(
        Route.post(DeviceKeys.PREFIX + "registration", keys::register),
        Route.post(DeviceKeys.PREFIX + "refresh", keys::refresh),
        Route.post(DeviceKeys.PREFIX + "key", keys::key),
        Route.form(DeviceKeys.PREFIX + "proof", page),
        Route.get(DeviceKeys.PREFIX + "proof.js", request -> KeyPage.script()));
  }
}
