package dev.gatehouse.sp.device;

import dev.gatehouse.common.device.BoundCookies;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.sp.edge.SpRoutes;
import java.time.InstantSource;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The binding of sessions to devices. */
@Configuration(proxyBeanMethods = false)
@Import({BoundCookies.class, BoundSessions.class, DeviceEndpoints.class, DeviceOffer.class, DeviceProofs.class})
public class DeviceConfig {

  @Bean
  DeviceChallenges boundDeviceChallenges(SealingKey sealing, Stores stores, InstantSource time, RandomGenerator random) {
    return new DeviceChallenges(sealing, stores.replayCache(), time, random);
  }

  @Bean
  SpRoutes boundDeviceRoutes(DeviceEndpoints device) {
    return new SpRoutes(
        Map.of(
            DeviceEndpoints.REGISTRATION, device::register,
            DeviceEndpoints.REFRESH, device::refresh,
            DeviceEndpoints.KEY, device::key));
  }
}
