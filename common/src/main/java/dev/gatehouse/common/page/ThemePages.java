package dev.gatehouse.common.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The pages whose templates a realm may replace, each with samples of what it shows: {@code pages/samples/NAME.json}, models by the name
 * of the sample. Pages that submit a message by themselves or hold frames are not among them.
 */
public final class ThemePages {

  private static final List<String> ALL =
      List.of(
          "login", "second", "token", "consent", "account", "password", "second-factor", "tokens", "passkeys", "passkey-offer",
          "passkey-notice", "forgotten", "new-password", "data", "device", "slo-done", "discovery", "signon-refused", "logout-question",
          "logout-receipt", "error");

  private ThemePages() {}

  /** Returns the names of the pages, in the order in which people meet them. */
  public static List<String> names() {
    return ALL.stream().filter(ThemePages::isKnown).toList();
  }

  /** Returns whether a realm may replace the template of that page. */
  public static boolean isKnown(String page) {
    return ALL.contains(page) && ThemePages.class.getResource(template(page)) != null;
  }

  /** Returns our template of a page. */
  public static String source(String page) {
    return read(template(page)).orElseThrow(() -> new IllegalArgumentException("there is no page " + page));
  }

  /** Returns models with invented values by the names of the samples; the first is what people see most. */
  public static Map<String, Map<String, Object>> samples(String page) {
    String json = read("/pages/samples/" + page + ".json").orElseThrow(() -> new IllegalArgumentException("there is no page " + page));
    return JsonMapper.shared().readValue(json, new TypeReference<LinkedHashMap<String, Map<String, Object>>>() {});
  }

  private static String template(String page) {
    return "/pages/" + page + ".html";
  }

  private static Optional<String> read(String resource) {
    try (InputStream in = ThemePages.class.getResourceAsStream(resource)) {
      return in == null ? Optional.empty() : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
