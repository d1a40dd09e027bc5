package dev.gatehouse.common.device;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import java.util.List;
import java.util.Locale;

/**
 * What a browser's header fields tell about it. It is taken at the login and compared with later requests. It is no secret and
 * no proof: it tells a cookie that moved to another kind of browser, system or language from one that stayed.
 *
 * @param family of the browser, by its User-Agent
 * @param major number of the browser's version; 0 if unknown
 * @param system the operating system, by its User-Agent
 * @param platform the operating system by its client hint; empty if the request has none
 * @param mobile whether it names itself a mobile device
 * @param language the first language that it prefers, without its region
 * @param fields the {@link #NAMES} that are present, as bits
 * @param order a digest of the order of these fields
 * @param clientHello a digest of what its TLS library offers ({@link EdgeRequest#clientHello}); 0 if unknown
 */
public record Fingerprint(
    String family, int major, String system, String platform, boolean mobile, String language, int fields, int order, int clientHello) {

  /** From this score a request comes from elsewhere. */
  public static final int DIFFERENT = 50;

  /** The fields that count. Their values differ by browser and device, and hardly ever by page. */
  public static final List<String> NAMES =
      List.of(
          "user-agent", "accept-language", "accept-encoding", "sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform",
          "sec-ch-ua-arch", "sec-ch-ua-model", "sec-fetch-mode", "dnt", "sec-gpc");

  private static final int ANOTHER_SYSTEM = 60;
  private static final int ANOTHER_BROWSER = 60;
  private static final int OLDER_BROWSER = 40;
  private static final int ANOTHER_HARDWARE = 40;
  private static final int ANOTHER_TLS_LIBRARY = 30;
  private static final int UPDATED_TLS_LIBRARY = 10;
  private static final int OTHER_FIELDS = 20;
  private static final int OTHER_ORDER = 15;
  private static final int ANOTHER_LANGUAGE = 15;
  static final int ANOTHER_TIME_ZONE = 15;

  private static final int MAX_CHARACTERS = 32;
  private static final String UNKNOWN = "?";

  /** The product tokens of browsers; the first that occurs counts, because browsers name their ancestors too. */
  private static final List<String> FAMILIES =
      List.of(
          "Edg/", "EdgA/", "EdgiOS/", "OPR/", "SamsungBrowser/", "Vivaldi/", "CriOS/", "FxiOS/", "Firefox/", "HeadlessChrome/", "Chrome/",
          "Version/");

  /** Words of User-Agents and the systems that they mean; the first that occurs counts. */
  private static final List<List<String>> SYSTEMS =
      List.of(
          List.of("Windows", "Windows"), List.of("Android", "Android"), List.of("iPhone", "iOS"), List.of("iPad", "iOS"),
          List.of("CrOS", "Chrome OS"), List.of("Mac OS X", "macOS"), List.of("Linux", "Linux"));

  /** Takes the fingerprint of a request. */
  public static Fingerprint of(EdgeRequest request) {
    return of(request.received(), request.clientHello());
  }

  /** Takes the fingerprint of the fields of a request and its connection's ClientHello. */
  public static Fingerprint of(Headers headers, int clientHello) {
    String agent = headers.first("User-Agent").orElse("");
    String family = family(agent);
    int fields = 0;
    int order = 0;
    for (Headers.Field field : headers.fields()) {
      int bit = NAMES.indexOf(field.name().toLowerCase(Locale.ROOT));
      if (bit >= 0) {
        fields |= 1 << bit;
        order = 31 * order + bit + 1;
      }
    }
    return new Fingerprint(
        family,
        major(agent, family),
        system(agent),
        bounded(headers.first("Sec-CH-UA-Platform").orElse("").replace("\"", "")),
        agent.contains("Mobi") || headers.first("Sec-CH-UA-Mobile").filter("?1"::equals).isPresent(),
        language(headers.first("Accept-Language").orElse("")),
        fields,
        order & 0x7fff_ffff,
        clientHello);
  }

  /**
   * Returns how much another request differs. An update of the browser, another language and a network that adds a field stay below
   * {@link #DIFFERENT}, also two of them together.
   *
   * @param navigation whether the other request loads a page: only these have all fields, in one order
   */
  public int difference(Fingerprint other, boolean navigation) {
    int score = 0;
    score += system.equals(other.system) ? 0 : ANOTHER_SYSTEM;
    score += platform.isEmpty() || other.platform.isEmpty() || platform.equals(other.platform) ? 0 : ANOTHER_SYSTEM;
    score += family.equals(other.family) ? 0 : ANOTHER_BROWSER;
    score += other.major < major ? OLDER_BROWSER : 0;
    score += mobile == other.mobile ? 0 : ANOTHER_HARDWARE;
    score += language.equals(other.language) ? 0 : ANOTHER_LANGUAGE;
    // A proxy that reads its users' TLS has a library of its own, and rewrites fields: that is one difference.
    return score + Math.max(ofTls(other), navigation ? ofFields(other) : 0);
  }

  private int ofTls(Fingerprint other) {
    if (clientHello == 0 || other.clientHello == 0 || clientHello == other.clientHello) {
      return 0;
    }
    return other.major > major ? UPDATED_TLS_LIBRARY : ANOTHER_TLS_LIBRARY;
  }

  private int ofFields(Fingerprint other) {
    if (fields != other.fields) {
      return OTHER_FIELDS;
    }
    return order == other.order ? 0 : OTHER_ORDER;
  }

  private static String family(String agent) {
    for (String name : FAMILIES) {
      if (agent.contains(name)) {
        return name.substring(0, name.length() - 1);
      }
    }
    return bounded(agent.isEmpty() ? UNKNOWN : before(agent, "/ "));
  }

  private static String system(String agent) {
    for (List<String> known : SYSTEMS) {
      if (agent.contains(known.getFirst())) {
        return known.getLast();
      }
    }
    return UNKNOWN;
  }

  /** The text before the first of these characters. */
  private static String before(String text, String characters) {
    int end = 0;
    while (end < text.length() && characters.indexOf(text.charAt(end)) < 0) {
      end++;
    }
    return text.substring(0, end);
  }

  private static int major(String agent, String family) {
    int at = agent.indexOf(family + "/");
    int number = 0;
    for (int i = at + family.length() + 1; at >= 0 && i < agent.length() && number < 100_000; i++) {
      char c = agent.charAt(i);
      if (c < '0' || c > '9') {
        break;
      }
      number = 10 * number + c - '0';
    }
    return number;
  }

  private static String language(String accepted) {
    return bounded(before(accepted, "-,;").strip().toLowerCase(Locale.ROOT));
  }

  private static String bounded(String text) {
    return text.length() <= MAX_CHARACTERS ? text : text.substring(0, MAX_CHARACTERS);
  }
}
