package dev.gatehouse.gateway.console;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Addresses of the console's pages, with whatever partners, people and files are called. */
public final class Address {

  static final String CONSOLE = "/console/";
  static final String LOGIN = "/console/login";
  static final String LOGOUT = "/console/logout";

  /** Where a person's login begins; the identity provider sends the person back to the callback below it. */
  static final String PERSON_LOGIN = "/console/login/person";

  static final String SET_UP = "/console/set-up";

  private static final int LONGEST_RETURN = 1500;

  private Address() {}

  /**
   * Returns the address of a page of a realm.
   *
   * @param parameters names and values by turns; empty values are left out
   */
  public static String ofRealm(String realm, String page, String... parameters) {
    return with(CONSOLE + "realms/" + encoded(realm) + (page.isEmpty() ? "" : "/" + page), parameters);
  }

  /** Returns the address with a query. */
  static String with(String path, String... parameters) {
    StringBuilder address = new StringBuilder(path);
    char mark = '?';
    for (int i = 0; i + 1 < parameters.length; i += 2) {
      if (!parameters[i + 1].isEmpty()) {
        address.append(mark).append(parameters[i]).append('=').append(encoded(parameters[i + 1]));
        mark = '&';
      }
    }
    return address.toString();
  }

  /** Returns the address if it is one of a page to which a login may lead; otherwise the console's first page. */
  static String page(String address) {
    boolean isPage =
        address.startsWith(CONSOLE)
            && address.length() <= LONGEST_RETURN
            && !address.startsWith(LOGIN)
            && !address.startsWith(LOGOUT)
            && address.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '\\' && c != '"' && c != '<');
    return isPage ? address : CONSOLE;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
