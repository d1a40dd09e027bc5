package dev.gatehouse.sp.device;

import dev.gatehouse.common.device.DeviceBinding;
import dev.gatehouse.common.device.Fingerprint;
import dev.gatehouse.common.device.SessionDevice;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.SessionAssurance;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.sp.edge.SpRealm;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The device of a session that begins. */
public final class DeviceLogin {

  private DeviceLogin() {}

  /** Returns the device of the browser that logs in: nothing of it is kept where nothing is checked. */
  public static SessionDevice device(SpRealm realm, EdgeRequest request, SessionId token, Instant now) {
    return strongest(realm) == SessionAssurance.OFF
        ? SessionDevice.NONE
        : new SessionDevice(Optional.of(Fingerprint.of(request.headers())), List.of(DeviceBinding.begin(token, now)));
  }

  /** Returns the strongest assurance of the realm and its routes, which counts at our own pages. */
  static SessionAssurance strongest(SpRealm realm) {
    SessionAssurance strongest = realm.sp().session().assurance();
    for (var route : realm.realm().gateway().routes()) {
      SessionAssurance own = route.signOn().assurance().orElse(SessionAssurance.OFF);
      strongest = own.compareTo(strongest) > 0 ? own : strongest;
    }
    return strongest;
  }
}
