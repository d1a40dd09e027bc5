package dev.gatehouse.sp.device;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.device.DeviceBinding;
import dev.gatehouse.common.device.Fingerprint;
import dev.gatehouse.common.device.SessionDevice;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.GatewayConfig;
import dev.gatehouse.common.realm.SessionAssurance;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.sp.edge.SpRealm;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The device of a session that begins. */
public final class DeviceLogin {

  /** By the identity of the configuration: a realm may have ten thousand routes, and each login asks. */
  private static final Cache<GatewayConfig, SessionAssurance> OF_ROUTES = Caffeine.newBuilder().weakKeys().executor(Runnable::run).build();

  private DeviceLogin() {}

  /** Returns the device of the browser that logs in: nothing of it is kept where nothing is checked. */
  public static SessionDevice device(SpRealm realm, EdgeRequest request, SessionId token, Instant now) {
    return strongest(realm) == SessionAssurance.OFF
        ? SessionDevice.NONE
        : new SessionDevice(Optional.of(Fingerprint.of(request)), List.of(DeviceBinding.begin(token, now)));
  }

  /** Returns the strongest assurance of the realm and its routes, which counts at our own pages. */
  static SessionAssurance strongest(SpRealm realm) {
    SessionAssurance own = realm.sp().session().assurance();
    SessionAssurance routes = OF_ROUTES.get(realm.realm().gateway(), DeviceLogin::ofRoutes);
    return routes.compareTo(own) > 0 ? routes : own;
  }

  private static SessionAssurance ofRoutes(GatewayConfig gateway) {
    SessionAssurance strongest = SessionAssurance.OFF;
    for (GatewayConfig.RouteConfig route : gateway.routes()) {
      SessionAssurance own = route.signOn().assurance().orElse(SessionAssurance.OFF);
      strongest = own.compareTo(strongest) > 0 ? own : strongest;
    }
    return strongest;
  }
}
