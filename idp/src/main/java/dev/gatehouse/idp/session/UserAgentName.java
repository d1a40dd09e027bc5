package dev.gatehouse.idp.session;

import java.util.List;
import java.util.Optional;

/**
 * A browser name for people, derived from a User-Agent field (RFC 9110, section 10.1.5): {@code Firefox, Linux}. It is
 * a guess, only for display; if nothing is recognized, the field as it was sent.
 */
public final class UserAgentName {

  /** A mark in the field, and its meaning. The order matters, because most browsers claim to be others. */
  private record Mark(String text, String name) {}

  private static final List<Mark> BROWSERS =
      List.of(
          new Mark("Edg/", "Edge"),
          new Mark("OPR/", "Opera"),
          new Mark("Firefox/", "Firefox"),
          new Mark("FxiOS/", "Firefox"),
          new Mark("CriOS/", "Chrome"),
          new Mark("Chrome/", "Chrome"),
          new Mark("Safari/", "Safari"));

  private static final List<Mark> SYSTEMS =
      List.of(
          new Mark("Android", "Android"),
          new Mark("iPhone", "iPhone"),
          new Mark("iPad", "iPad"),
          new Mark("Windows", "Windows"),
          new Mark("Mac OS X", "macOS"),
          new Mark("CrOS", "ChromeOS"),
          new Mark("Linux", "Linux"));

  private UserAgentName() {}

  public static String of(String userAgent) {
    return recognized(userAgent).orElse(userAgent);
  }

  /** Returns the name; empty if nothing is recognized, so that no text of a client is in it. */
  public static Optional<String> recognized(String userAgent) {
    return find(BROWSERS, userAgent).map(browser -> browser + find(SYSTEMS, userAgent).map(name -> ", " + name).orElse(""));
  }

  private static Optional<String> find(List<Mark> marks, String userAgent) {
    return marks.stream().filter(mark -> userAgent.contains(mark.text())).map(Mark::name).findFirst();
  }
}
