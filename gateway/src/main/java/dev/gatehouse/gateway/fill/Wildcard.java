package dev.gatehouse.gateway.fill;

/**
 * Matches text against patterns in which {@code *} stands for any characters; the time is at most proportional to the
 * product of both lengths.
 */
final class Wildcard {

  private Wildcard() {}

  static boolean matches(String pattern, String text) {
    int p = 0;
    int t = 0;
    int star = -1;
    int from = 0;
    while (t < text.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        from = t;
      } else if (p < pattern.length() && pattern.charAt(p) == text.charAt(t)) {
        p++;
        t++;
      } else if (star >= 0) {
        p = star + 1;
        t = ++from;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }
}
