package dev.gatehouse.gateway.cache;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Parses CDN-Cache-Control (RFC 9213), a Dictionary of Structured Fields (RFC 9651, section 4.2.2). A field that is
 * malformed, or that contains no usable directive, counts as absent (RFC 9213, section 2.1).
 */
final class TargetedCacheControl {

  /** Stands for a value that is neither a boolean nor an integer. */
  private static final String OTHER = "";

  /**
   * Directives without a value (RFC 9111, section 5.2.2, and RFC 8246); a field with only unknown directives counts as
   * absent.
   */
  private static final Set<String> FLAGS =
      Set.of(
          "no-store", "no-cache", "private", "public", "must-revalidate", "proxy-revalidate", "must-understand",
          "no-transform", "immutable");

  private final String text;
  private int at;

  private TargetedCacheControl(String text) {
    this.text = text;
  }

  /**
   * The directives; empty if Cache-Control and Expires apply.
   *
   * @param values of all fields of the name
   */
  static Optional<CacheControl> of(List<String> values) {
    if (values.isEmpty()) {
      return Optional.empty();
    }
    try {
      Map<String, String> members = new TargetedCacheControl(String.join(",", values)).members();
      String directives = written(members);
      return directives.isEmpty() ? Optional.empty() : Optional.of(CacheControl.of(List.of(directives)));
    } catch (NotStructured e) {
      return Optional.empty();
    }
  }

  /** The directives in the syntax of Cache-Control; a directive whose value has the wrong type is omitted. */
  private static String written(Map<String, String> members) {
    List<String> directives = new ArrayList<>();
    members.forEach(
        (name, value) -> {
          boolean seconds = name.equals("max-age") || name.equals("s-maxage") || name.startsWith("stale-");
          if (seconds && value.matches("[0-9]+")) {
            directives.add(name + "=" + value);
          } else if (FLAGS.contains(name) && value.equals("true")) {
            directives.add(name);
          } else if (name.equals("private") || name.equals("no-cache")) {
            // With field names the directive would forbid less; it is always taken as forbidding everything.
            directives.addAll(value.equals("false") ? List.of() : List.of(name));
          }
        });
    return String.join(", ", directives);
  }

  private Map<String, String> members() throws NotStructured {
    Map<String, String> members = new LinkedHashMap<>();
    skip(" ");
    while (at < text.length()) {
      String key = key();
      String value = "true";
      if (next('=')) {
        value = next('(') ? innerList() : item();
      }
      parameters();
      members.remove(key);
      members.put(key, value);
      skip(" \t");
      if (at == text.length()) {
        return members;
      }
      expect(',');
      skip(" \t");
      check(at < text.length());
    }
    return members;
  }

  private String key() throws NotStructured {
    int start = at;
    check(at < text.length() && (isLower(text.charAt(at)) || text.charAt(at) == '*'));
    while (at < text.length() && (isLower(text.charAt(at)) || isDigit(text.charAt(at)) || "_-.*".indexOf(text.charAt(at)) >= 0)) {
      at++;
    }
    return text.substring(start, at);
  }

  private void parameters() throws NotStructured {
    while (next(';')) {
      skip(" ");
      key();
      if (next('=')) {
        item();
      }
    }
  }

  private String innerList() throws NotStructured {
    skip(" ");
    while (!next(')')) {
      item();
      parameters();
      check(at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == ')'));
      skip(" ");
    }
    return OTHER;
  }

  private String item() throws NotStructured {
    check(at < text.length());
    char first = text.charAt(at);
    if (first == '-' || isDigit(first)) {
      return number();
    }
    return switch (first) {
      case '"' -> string();
      case '?' -> bool();
      case ':' -> bytes();
      default -> token();
    };
  }

  private String number() throws NotStructured {
    int start = at;
    next('-');
    int digits = at;
    skip("0123456789");
    check(at > digits && at - digits <= 15);
    if (next('.')) {
      int fraction = at;
      skip("0123456789");
      check(at > fraction && at - fraction <= 3 && fraction - digits <= 13);
      return OTHER;
    }
    return text.substring(start, at);
  }

  private String string() throws NotStructured {
    at++;
    while (!next('"')) {
      check(at < text.length() && text.charAt(at) >= ' ' && text.charAt(at) < 0x7f);
      if (next('\\')) {
        check(at < text.length() && (text.charAt(at) == '"' || text.charAt(at) == '\\'));
      }
      at++;
    }
    return OTHER;
  }

  private String bool() throws NotStructured {
    at++;
    boolean yes = next('1');
    check(yes || next('0'));
    return Boolean.toString(yes);
  }

  private String bytes() throws NotStructured {
    at++;
    while (!next(':')) {
      check(at < text.length() && (isTokenPart(text.charAt(at)) || "+/=".indexOf(text.charAt(at)) >= 0));
      at++;
    }
    return OTHER;
  }

  private String token() throws NotStructured {
    char first = text.charAt(at);
    check(isLower(first) || first >= 'A' && first <= 'Z' || first == '*');
    while (at < text.length() && (isTokenPart(text.charAt(at)) || text.charAt(at) == ':' || text.charAt(at) == '/')) {
      at++;
    }
    return OTHER;
  }

  private static boolean isTokenPart(char c) {
    return isLower(c) || c >= 'A' && c <= 'Z' || isDigit(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
  }

  private static boolean isLower(char c) {
    return c >= 'a' && c <= 'z';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private boolean next(char wanted) {
    boolean there = at < text.length() && text.charAt(at) == wanted;
    at += there ? 1 : 0;
    return there;
  }

  private void expect(char wanted) throws NotStructured {
    check(next(wanted));
  }

  private void skip(String characters) {
    while (at < text.length() && characters.indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private static void check(boolean fine) throws NotStructured {
    if (!fine) {
      throw new NotStructured();
    }
  }

  /** Signals a malformed field; never leaves this class. */
  private static final class NotStructured extends Exception {
    private static final long serialVersionUID = 1L;

    NotStructured() {
      super("not a Dictionary", null, false, false);
    }
  }
}
