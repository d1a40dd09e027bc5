package dev.gatehouse.common.proxy;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A strict reader of Forwarded (RFC 7239, section 4): what its grammar does not produce is refused as a whole, because a lenient
 * reader could see other elements than the proxy that wrote them.
 */
public final class ForwardedReader {

  private static final Pattern PORT = Pattern.compile("\\d{1,5}|_[A-Za-z0-9._-]+");
  private static final Pattern OBFUSCATED = Pattern.compile("_[A-Za-z0-9._-]+");
  private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

  private final String text;
  private int at;

  private ForwardedReader(String text) {
    this.text = text;
  }

  /**
   * Reads the lines of the field as one list, the farthest proxy first.
   *
   * @return empty if they are malformed
   */
  public static Optional<List<ForwardedElement>> read(List<String> lines) {
    return new ForwardedReader(String.join(",", lines)).elements();
  }

  private Optional<List<ForwardedElement>> elements() {
    List<ForwardedElement> elements = new ArrayList<>();
    while (true) {
      skipSpace();
      // A list may have empty elements (RFC 9110, section 5.6.1.2).
      if (!isAt(',') && at < text.length()) {
        Optional<ForwardedElement> element = pairs().flatMap(ForwardedReader::element);
        if (element.isEmpty()) {
          return Optional.empty();
        }
        elements.add(element.get());
        skipSpace();
      }
      if (at == text.length()) {
        return Optional.of(List.copyOf(elements));
      }
      if (!isAt(',')) {
        return Optional.empty();
      }
      at++;
    }
  }

  /** Reads the pairs of one element; empty if they are malformed or a name is repeated. */
  private Optional<Map<String, String>> pairs() {
    Map<String, String> pairs = new HashMap<>();
    while (true) {
      if (!isAt(';')) {
        String name = token().toLowerCase(Locale.ROOT);
        if (name.isEmpty() || !isAt('=')) {
          return Optional.empty();
        }
        at++;
        Optional<String> value = isAt('"') ? quoted() : Optional.of(token()).filter(token -> !token.isEmpty());
        if (value.isEmpty() || pairs.put(name, value.get()) != null) {
          return Optional.empty();
        }
      }
      if (!isAt(';')) {
        return Optional.of(pairs);
      }
      at++;
      if (at == text.length() || isAt(',') || isSpace()) {
        return Optional.of(pairs);
      }
    }
  }

  private static Optional<ForwardedElement> element(Map<String, String> pairs) {
    Optional<String> client = Optional.ofNullable(pairs.get("for"));
    Optional<String> by = Optional.ofNullable(pairs.get("by"));
    Optional<String> scheme = Optional.ofNullable(pairs.get("proto")).map(proto -> proto.toLowerCase(Locale.ROOT));
    boolean wellFormed =
        client.stream().allMatch(ForwardedReader::isNode)
            && by.stream().allMatch(ForwardedReader::isNode)
            && scheme.stream().allMatch(s -> s.equals("http") || s.equals("https"));
    return wellFormed
        ? Optional.of(new ForwardedElement(client.flatMap(ForwardedReader::address), scheme, Optional.ofNullable(pairs.get("host"))))
        : Optional.empty();
  }

  /** Returns whether the text is a node of section 6. */
  private static boolean isNode(String node) {
    String name = name(node);
    boolean hasPort = name.length() < node.length();
    boolean named = name.equals("unknown") || OBFUSCATED.matcher(name).matches() || address(node).isPresent();
    return named && (!hasPort || node.charAt(name.length()) == ':' && PORT.matcher(node.substring(name.length() + 1)).matches());
  }

  private static Optional<InetAddress> address(String node) {
    String name = name(node);
    return name.startsWith("[") && name.endsWith("]")
        ? AddressLiteral.v6(name.substring(1, name.length() - 1))
        : AddressLiteral.v4(name);
  }

  /** The node without its port. */
  private static String name(String node) {
    int end = node.startsWith("[") ? node.indexOf(']') + 1 : node.indexOf(':');
    return end <= 0 ? node : node.substring(0, end);
  }

  private String token() {
    int start = at;
    while (at < text.length() && isTokenCharacter(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  /** A quoted string of RFC 9110, section 5.6.4. */
  private Optional<String> quoted() {
    StringBuilder value = new StringBuilder();
    at++;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        return Optional.of(value.toString());
      }
      if (c == '\\') {
        if (at == text.length()) {
          return Optional.empty();
        }
        c = text.charAt(at++);
      }
      if (c < ' ' && c != '\t' || c == 0x7f) {
        return Optional.empty();
      }
      value.append(c);
    }
    return Optional.empty();
  }

  private static boolean isTokenCharacter(char c) {
    return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || TOKEN_MARKS.indexOf(c) >= 0;
  }

  private void skipSpace() {
    while (isSpace()) {
      at++;
    }
  }

  private boolean isSpace() {
    return isAt(' ') || isAt('\t');
  }

  private boolean isAt(char c) {
    return at < text.length() && text.charAt(at) == c;
  }
}
