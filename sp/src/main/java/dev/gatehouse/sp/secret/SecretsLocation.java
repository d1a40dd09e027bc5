package dev.gatehouse.sp.secret;

import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.login.ReturnTarget;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The address of the page on which a person stores values for apps, and the reasons to send the person there. */
public final class SecretsLocation {

  public static final String PATH = SpPaths.PREFIX + "secrets";

  /** The reason for sending the person to the page. */
  public enum Why {
    /** The app needs a value that is not stored yet. */
    MISSING("missing"),
    /** The app rejected the stored value. */
    WRONG("wrong"),
    /** The app rejected the login password. */
    PASSWORD_WRONG("password-wrong"),
    /** The login password is not known here. */
    PASSWORD_UNKNOWN("password-unknown");

    private final String word;

    Why(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  private SecretsLocation() {}

  /** @param back path and query at the same origin */
  public static String address(String app, Why why, String back) {
    return PATH + "?app=" + encode(app) + "&why=" + why.word() + "&back=" + encode(ReturnTarget.isLocalPath(back) ? back : "/");
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
