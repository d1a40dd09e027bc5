package dev.gatehouse.idp.session;

import dev.gatehouse.common.device.BoundCookies;
import dev.gatehouse.common.device.KeyPlace;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The addresses and the cookie by which IdpSessions are bound to keys. */
public final class DeviceKeys {

  /** The prefix of the addresses below a realm. */
  private static final String PREFIX = "session/";

  /** The parameter of a sign-on that must show no form. */
  public static final String PASSIVE = "passive";

  private DeviceKeys() {}

  /** Realms share an origin: each has a cookie of its own. */
  public static KeyPlace place(RealmRequest request) {
    String realm = request.realm().name();
    return new KeyPlace(realm, request.here(PREFIX), request.here(""), BoundCookies.NAME + "." + realm);
  }

  /** Returns the address of the page that makes or proves a key and goes on to that path of the realm. */
  public static String page(RealmRequest request, String next) {
    return place(request).page() + "?return=" + URLEncoder.encode(next, StandardCharsets.UTF_8);
  }

  /** As {@link #page}, for a sign-on that must show no form: a browser that has lost its key goes on, too. */
  public static String passivePage(RealmRequest request, String next) {
    return page(request, next) + "&" + PASSIVE + "=";
  }
}
