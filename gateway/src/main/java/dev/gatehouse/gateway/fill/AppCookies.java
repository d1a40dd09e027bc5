package dev.gatehouse.gateway.fill;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The cookies of an app between its form and the following requests: those that the browser sent, changed by those that
 * the form's page set, as the browser itself would send them next (RFC 6265, section 5.4). Both requests go to the same
 * host.
 */
public final class AppCookies {

  private record SetCookie(String field, String name, String value, String path, boolean ends) {

    static SetCookie of(String field) {
      String[] parts = field.split(";", -1);
      int equals = parts[0].indexOf('=');
      String name = equals < 0 ? "" : parts[0].substring(0, equals).strip();
      String value = parts[0].substring(equals + 1).strip();
      String path = "";
      boolean ends = false;
      for (int i = 1; i < parts.length; i++) {
        String attribute = parts[i].strip();
        String lower = attribute.toLowerCase(Locale.ROOT);
        if (lower.startsWith("path=/")) {
          path = attribute.substring(5);
        } else if (lower.startsWith("max-age=")) {
          String age = lower.substring(8).strip();
          ends = age.startsWith("-") || age.matches("0+");
        } else if (lower.startsWith("expires=") && (lower.contains("1970") || lower.contains("-70 "))) {
          ends = true;
        }
      }
      return new SetCookie(field, name, value, path, ends);
    }

    boolean isSentTo(String target) {
      boolean below = target.startsWith(path) && (path.endsWith("/") || target.startsWith(path + "/"));
      return path.isEmpty() || target.equals(path) || below;
    }
  }

  private final Map<String, String> sent = new LinkedHashMap<>();
  private final List<SetCookie> set = new ArrayList<>();

  /** @param cookieFields the Cookie fields that the browser sent */
  public AppCookies(List<String> cookieFields) {
    for (String field : cookieFields) {
      for (String pair : field.split(";", -1)) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? "" : pair.substring(0, equals).strip();
        sent.putIfAbsent(name, pair.substring(equals + 1).strip());
      }
    }
    sent.remove("");
  }

  /** Applies the cookies that a page of the app sets. */
  public void set(List<String> setCookieFields) {
    setCookieFields.forEach(field -> set.add(SetCookie.of(field)));
  }

  /** The Cookie field for a request to that path; empty if there are no cookies. */
  public String fieldFor(String path) {
    Map<String, String> all = new LinkedHashMap<>(sent);
    for (SetCookie cookie : set) {
      if (cookie.ends()) {
        all.remove(cookie.name());
      } else if (!cookie.name().isEmpty() && cookie.isSentTo(path)) {
        all.put(cookie.name(), cookie.value());
      }
    }
    List<String> pairs = new ArrayList<>();
    all.forEach((name, value) -> pairs.add(name + "=" + value));
    return String.join("; ", pairs);
  }

  /**
   * The Set-Cookie fields of the form's page that the response to the form does not replace; the browser must still get
   * them.
   */
  public List<String> stillToSet(List<String> answered) {
    List<SetCookie> later = answered.stream().map(SetCookie::of).toList();
    return set.stream()
        .filter(cookie -> later.stream().noneMatch(l -> l.name().equals(cookie.name()) && l.path().equals(cookie.path())))
        .map(SetCookie::field)
        .toList();
  }
}
