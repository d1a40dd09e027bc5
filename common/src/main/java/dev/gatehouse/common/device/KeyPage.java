package dev.gatehouse.common.device;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.session.SessionToken;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The page whose script makes a key that no script can export, or proves the one that it made before, and goes on.
 *
 * @param slot names the key in the browser's IndexedDB, whose origin may hold sessions of several kinds
 */
public record KeyPage(KeyPlace place, String slot, Mode mode, SessionToken token, String challenge) {

  /** What the script does. */
  public enum Mode {
    CREATE,
    PROVE
  }

  private static final byte[] SCRIPT = script("/scripts/device.js");

  /**
   * Returns the page.
   *
   * @param target the path at which the browser goes on
   * @param login the path of a fresh login, which a browser that has lost its key needs
   * @param csrf for the button of browsers without scripts
   */
  public Page to(String target, String login, String csrf) {
    Map<String, Object> model = new HashMap<>();
    model.put("action", place.page());
    model.put("target", target);
    model.put("login", login);
    model.put("mode", mode.name().toLowerCase(Locale.ROOT));
    model.put("key", place.key());
    model.put("slot", slot);
    model.put("session", token.id().value());
    model.put("challenge", challenge);
    model.put("csrf", csrf);
    return new Page(200, "device-proof", model, Page.Policy.scripted(place.script()));
  }

  /** Returns the reply with the script. */
  public static EdgeReply script() {
    return EdgeReply.of(200, "text/javascript;charset=utf-8", SCRIPT).with("Cache-Control", "public, max-age=300");
  }

  private static byte[] script(String name) {
    try (InputStream in = Objects.requireNonNull(KeyPage.class.getResourceAsStream(name))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
