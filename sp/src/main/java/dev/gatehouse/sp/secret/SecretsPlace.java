package dev.gatehouse.sp.secret;

import dev.gatehouse.sp.ServiceProvider;
import dev.gatehouse.sp.login.ReturnTarget;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The address of the page at which a person stores what apps ask for, and why the person is sent there. */
public final class SecretsPlace {

  public static final String PATH = ServiceProvider.PREFIX + "secrets";

  /** Why. */
  public enum Why {
    /** The app wants what is not stored yet. */
    MISSING("missing"),
    /** The app did not accept what is stored. */
    WRONG("wrong"),
    /** The app did not accept the password of the login. */
    PASSWORD_WRONG("password-wrong"),
    /** The password of the login is not known here. */
    PASSWORD_UNKNOWN("password-unknown");

    private final String word;

    Why(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  private SecretsPlace() {}

  /** @param back path and query at the same origin */
  public static String address(String app, Why why, String back) {
    return PATH + "?app=" + encode(app) + "&why=" + why.word() + "&back=" + encode(ReturnTarget.isLocalPath(back) ? back : "/");
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
