package dev.gatehouse.common.realm.yaml;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.Secret;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One scalar of a configuration file with its position. Each parser returns the typed value, or nothing after reporting the
 * problem.
 *
 * @param text with environment variables filled in; never empty
 * @param raw as written; only this may be repeated in messages
 */
public record YamlValue(YamlSource source, String key, int line, String text, String raw) {

  static final String SECRET = "{secret: ";

  private static final Pattern SIZE = Pattern.compile("(\\d{1,9}) ?(KB|MB|GB)");
  private static final Pattern USER_INFO = Pattern.compile("//[^/@]*@");
  private static final Pattern ATTRIBUTE = Pattern.compile("[A-Za-z][A-Za-z0-9-]*(;[A-Za-z0-9-]+)*|\\d+(\\.\\d+)+");
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N} ._:/@-]*");

  /** Returns whether a named secret stands for the value. */
  public boolean isNamedSecret() {
    // A text in quotation marks that looks like one is a text.
    return raw.startsWith(SECRET) && !raw.equals(text);
  }

  /** Reports the problem and returns nothing, for the caller's convenience. */
  public <T> Optional<T> wrong(String message, String remedy) {
    source.problem(line, key, message, remedy);
    return Optional.empty();
  }

  /** Records what a value is to the node that is assumed in place of an absent one. */
  public YamlValue reaching(Reach what) {
    source.reached().add(new Reached(what, this));
    return this;
  }

  /** Returns the value for messages: variables stay names, and passwords in URLs are hidden. */
  public String shown() {
    return "`" + USER_INFO.matcher(raw).replaceFirst("//***@") + "`";
  }

  public Optional<String> string() {
    boolean control = text.chars().anyMatch(Character::isISOControl);
    return control ? wrong("has a control character", "write plain text on one line") : Optional.of(text);
  }

  /** Reads names of roles, groups, attributes and the like. */
  public Optional<String> name() {
    return NAME.matcher(text).matches()
        ? Optional.of(text)
        : wrong(shown() + " is not a name", "use letters, digits and . _ : / @ - and spaces, a letter or digit first");
  }

  /** Reads any text; messages never repeat it. */
  public Optional<Secret> secret() {
    return Optional.of(new Secret(text));
  }

  public Optional<Boolean> bool() {
    return switch (text) {
      case "true" -> Optional.of(true);
      case "false" -> Optional.of(false);
      default -> wrong(shown() + " is neither true nor false", "write true or false");
    };
  }

  public Optional<Integer> integer(int least, int limit) {
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= limit) {
        return Optional.of(number);
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    return wrong(shown() + " is not a number from " + least + " to " + limit, "write such a number");
  }

  /** Reads {@code 200ms}, {@code 30m}, {@code 1h30m}, {@code 2d} or ISO 8601 ({@code PT5M}), within bounds. */
  public Optional<Duration> duration(Duration least, Duration limit) {
    Optional<Duration> parsed = Durations.parse(text);
    if (parsed.isEmpty()) {
      return wrong(shown() + " is not a duration", "write a number with its unit (ms, s, m, h, d), like 30m or 1h30m");
    }
    Duration duration = parsed.get();
    if (duration.compareTo(least) < 0 || duration.compareTo(limit) > 0) {
      return wrong(
          shown() + " is out of range",
              "write a duration from " + Durations.text(least) + " to " + Durations.text(limit));
    }
    return parsed;
  }

  /** Reads {@code 64MB}; returns bytes. */
  public Optional<Long> size(long least, long limit) {
    Matcher size = SIZE.matcher(text);
    if (!size.matches()) {
      return wrong(shown() + " is not a size", "write a number with its unit (KB, MB, GB), like 64MB");
    }
    int shift = Map.of("KB", 10, "MB", 20, "GB", 30).getOrDefault(size.group(2), 0);
    long bytes = Long.parseLong(size.group(1)) << shift;
    return bytes >= least && bytes <= limit
        ? Optional.of(bytes)
        : wrong(shown() + " is out of range", "write a size from " + (least >> 10) + "KB to " + (limit >> 20) + "MB");
  }

  /**
   * Reads one of the words, ignoring case and separators.
   *
   * @param aliases former words, which are accepted but not mentioned in messages
   */
  public <T> Optional<T> choice(Map<String, T> words, Map<String, T> aliases) {
    String asked = text.replace('_', '-');
    return Stream.concat(words.entrySet().stream(), aliases.entrySet().stream())
        .filter(word -> word.getKey().replace('_', '-').equalsIgnoreCase(asked))
        .map(Map.Entry::getValue)
        .findFirst()
        .or(
            () -> {
              String nearest = SpellingHints.nearest(text, words.keySet()).map(w -> "did you mean " + w + "? ").orElse("");
              String all = String.join(", ", words.keySet());
              return wrong(shown() + " is not known here", nearest + "write one of " + all);
            });
  }

  /** Reads an absolute http or https URL, without user name, password and fragment. */
  public Optional<URI> url() {
    String remedy = "write an absolute URL, like https://host.example.org/path";
    try {
      URI url = new URI(text);
      String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
      if (!scheme.equals("http") && !scheme.equals("https")) {
        return wrong(shown() + " is not an http or https URL", remedy);
      }
      if (url.getHost() == null || url.getPort() == 0 || url.getPort() > 65535) {
        return wrong(shown() + " has no valid host and port", remedy);
      }
      if (url.getRawUserInfo() != null) {
        return wrong(shown() + " holds a user name or password", "remove what stands before the @");
      }
      if (url.getRawFragment() != null) {
        return wrong(shown() + " has a fragment", "remove # and what follows");
      }
      return Optional.of(url);
    } catch (URISyntaxException e) {
      return wrong(shown() + " is not a URL", remedy);
    }
  }

  /** Reads a URL without path and query: {@code https://host} or {@code https://host:port}; http only to loopback. */
  public Optional<Origin> origin() {
    return url().flatMap(this::origin);
  }

  private Optional<Origin> origin(URI url) {
    boolean bare = url.getRawQuery() == null && (url.getRawPath().isEmpty() || url.getRawPath().equals("/"));
    Origin origin = Origin.of(url);
    if (!bare) {
      return wrong(shown() + " has a path or a query", "write the origin only: " + origin);
    }
    if (!origin.isSecure() && !Loopback.isName(origin.host())) {
      return wrong(
          shown() + " would carry passwords and sessions in clear text",
          "use https (http is for localhost, names below .localhost, 127.0.0.0/8 and ::1)");
    }
    return Optional.of(origin);
  }

  /** Reads an absolute URI (SAML Core 8.3.6). */
  public Optional<String> entityId() {
    try {
      // That prefix distinguishes OAuth clients from partners in consents.
      if (text.length() <= 1024 && new URI(text).isAbsolute() && !text.startsWith("oauth:")) {
        return Optional.of(text);
      }
    } catch (URISyntaxException e) {
      // Reported below.
    }
    return wrong(shown() + " is not an entity ID",
        "write the partner's entityID exactly as in its metadata: an absolute URI");
  }

  /** Reads the address of a listener: an IP address, {@code localhost}, or {@code *} for all. */
  public Optional<InetAddress> address() {
    try {
      return Optional.of(
          switch (text) {
            case "*" -> InetAddress.getByAddress(new byte[4]);
            case "localhost" -> InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
            default -> InetAddress.ofLiteral(text);
          });
    } catch (IllegalArgumentException | UnknownHostException e) {
      return wrong(shown() + " is not an address", "write an IP address of this machine, localhost, or \"*\" for all");
    }
  }

  /** Reads {@code 10.0.0.0/8} or one address. */
  public Optional<Cidr> cidr() {
    return Cidrs.parse(this);
  }

  /** Reads {@code #rrggbb}. */
  public Optional<String> colour() {
    return text.matches("#[0-9a-fA-F]{6}")
        ? Optional.of(text.toLowerCase(Locale.ROOT))
        : wrong(shown() + " is not a colour", "write \"#rrggbb\", in quotes since # begins a comment");
  }

  public Optional<String> dn() {
    return DN.isValidDN(text) ? Optional.of(text) : wrong(shown() + " is not a DN", "write one like dc=example,dc=org");
  }

  /** Returns whether an entry is another one, or below it; also if a DN cannot be read, which is a problem of its own. */
  public static boolean isDnBelow(String dn, String base) {
    try {
      return new DN(dn).isDescendantOf(new DN(base), true);
    } catch (LDAPException e) {
      return true;
    }
  }

  public Optional<String> ldapAttribute() {
    return ATTRIBUTE.matcher(text).matches()
        ? Optional.of(text)
        : wrong(shown() + " is not the name of an LDAP attribute", "write a name like uid or entryUUID");
  }

  /** Reads an LDAP filter (RFC 4515). */
  public Optional<String> filter() {
    try {
      Filter.create(text);
      return Optional.of(text);
    } catch (LDAPException e) {
      return wrong(shown() + " is not an LDAP filter", "balance its parentheses, like (employeeType=staff)");
    }
  }

  /** Reads an LDAP filter (RFC 4515) with a placeholder for an escaped value. */
  public Optional<String> filter(String placeholder) {
    if (!text.contains(placeholder)) {
      return wrong(shown() + " does not contain " + placeholder,
          "put " + placeholder + " where the value goes, like (uid={name})");
    }
    try {
      Filter.create(text.replace(placeholder, "x"));
      return Optional.of(text);
    } catch (LDAPException e) {
      return wrong(shown() + " is not an LDAP filter",
          "balance its parentheses, like (&(objectClass=person)(uid={name}))");
    }
  }

  /** Returns the content of the file that the value names. */
  public Optional<byte[]> content() {
    return readable(source.files().read(path()));
  }

  private Optional<byte[]> readable(Optional<byte[]> content) {
    return content.isPresent()
        ? content
        : wrong("cannot read the file " + shownPath(), "it must exist, be readable for this user and be at most 1 MB");
  }

  /** As {@link #content}, of a file whose content is a secret. */
  public Optional<byte[]> secretContent() {
    return readable(source.files().readSecret(path()));
  }

  /** Returns the path for messages: resolved, unless it contains variables. */
  public String shownPath() {
    return raw.contains("${") ? shown() : path().toString();
  }

  public Path path() {
    return source.resolve(text);
  }

  /** Returns the file on disk, for those who read it by themselves. */
  public Path onDisk() {
    return source.files().onDisk(path());
  }
}
