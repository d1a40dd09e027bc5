package dev.gatehouse.idp.device;

import dev.gatehouse.common.device.BoundCookies;
import dev.gatehouse.common.device.DeviceChallenges;
import dev.gatehouse.common.device.DeviceProofs;
import dev.gatehouse.common.device.KeyPage;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.endpoint.RouteGroup;
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
        Route.post("session/registration", keys::register),
        Route.post("session/refresh", keys::refresh),
        Route.post("session/key", keys::key),
        Route.form("session/proof", page),
        Route.get("session/proof.js", request -> KeyPage.script()));
  }
}
