package dev.gatehouse.sp.device;

import dev.gatehouse.common.device.BoundCookies;
import dev.gatehouse.common.device.DeviceChallenges;
import dev.gatehouse.common.device.DeviceProofs;
import dev.gatehouse.sp.edge.SpRoutes;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The binding of sessions to devices. */
@Configuration(proxyBeanMethods = false)
@Import({
  BoundCookies.class, BoundSessions.class, DeviceChallenges.class, DeviceEndpoints.class, DeviceOffer.class, DeviceProofs.class
})
public class DeviceConfig {

  @Bean
  SpRoutes boundDeviceRoutes(DeviceEndpoints device) {
    return new SpRoutes(
        Map.of(
            DeviceEndpoints.REGISTRATION, device::register,
            DeviceEndpoints.REFRESH, device::refresh,
            DeviceEndpoints.KEY, device::key));
  }
}
