package dev.gatehouse.common.saml.metadata;

import static dev.gatehouse.common.saml.xml.XmlNamespace.MDUI;

import dev.gatehouse.common.saml.xml.Dom;
import dev.gatehouse.common.saml.xml.XmlNamespace;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;

/**
 * Reads mdui:UIInfo. Display data must not keep a partner from working, so each malformed or unsafe item is ignored individually.
 */
final class UiElements {

  private static final int LONGEST_TEXT = 1000;
  private static final int LONGEST_URL = 2000;
  private static final int LONGEST_DATA = 100_000;
  private static final int MAX_LOGOS = 10;
  private static final int LARGEST_SIDE = 10_000;
  private static final Pattern LANGUAGE = Pattern.compile("[a-z]{1,8}(-[a-z0-9]{1,8}){0,4}");
  private static final Pattern IMAGE =
      Pattern.compile("data:image/(png|jpeg|gif|webp|svg\\+xml);base64,[A-Za-z0-9+/=]+");

  /** Characters without a visible form, and those that change the direction of the text around them. */
  private static final Pattern INVISIBLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+");

  private UiElements() {}

  /** Reads the UIInfo in the Extensions of a role. */
  static UiInfo read(List<Element> extensions) {
    List<Element> infos = extensions.stream().flatMap(e -> Dom.children(e, MDUI, "UIInfo").stream()).toList();
    if (infos.isEmpty()) {
      return UiInfo.none();
    }
    return new UiInfo(
        localized(infos, "DisplayName", UiElements::text),
        localized(infos, "Description", UiElements::text),
        logos(infos),
        localized(infos, "PrivacyStatementURL", UiElements::link),
        localized(infos, "InformationURL", UiElements::link));
  }

  /** Returns values by language; the first of several in one language. */
  private static Map<String, String> localized(
      List<Element> infos, String name, Function<Element, Optional<String>> value) {
    Map<String, String> found = new LinkedHashMap<>();
    for (Element info : infos) {
      for (Element element : Dom.children(info, MDUI, name)) {
        language(element)
            .ifPresent(language -> value.apply(element).ifPresent(v -> found.putIfAbsent(language, v)));
      }
    }
    return Collections.unmodifiableMap(found);
  }

  static Optional<String> language(Element element) {
    Attr attribute = element.getAttributeNodeNS(XmlNamespace.XML, "lang");
    return Optional.ofNullable(attribute)
        .map(a -> a.getValue().strip().toLowerCase(Locale.ROOT))
        .filter(tag -> LANGUAGE.matcher(tag).matches());
  }

  /** Returns one line of visible characters, of bounded length. */
  static Optional<String> text(Element element) {
    String raw = Dom.text(element).replaceAll("\\s+", " ");
    String text = INVISIBLE.matcher(raw).replaceAll("").strip();
    if (text.isEmpty()) {
      return Optional.empty();
    }
    int end = Math.min(text.length(), LONGEST_TEXT);
    return Optional.of(text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end));
  }

  private static Optional<String> link(Element element) {
    return url(Dom.text(element).strip(), true);
  }

  private static Optional<String> url(String text, boolean httpToo) {
    if (text.length() > LONGEST_URL) {
      return Optional.empty();
    }
    try {
      URI uri = new URI(text);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      boolean known = scheme.equals("https") || (httpToo && scheme.equals("http"));
      return known && uri.getHost() != null && uri.getRawUserInfo() == null ? Optional.of(text) : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  private static List<UiInfo.Logo> logos(List<Element> infos) {
    List<UiInfo.Logo> logos = new ArrayList<>();
    for (Element info : infos) {
      for (Element element : Dom.children(info, MDUI, "Logo")) {
        if (logos.size() < MAX_LOGOS) {
          logo(element).ifPresent(logos::add);
        }
      }
    }
    return List.copyOf(logos);
  }

  private static Optional<UiInfo.Logo> logo(Element element) {
    String text = Dom.text(element).strip();
    Optional<String> safe =
        text.length() <= LONGEST_DATA && IMAGE.matcher(text).matches() ? Optional.of(text) : url(text, false);
    return safe.flatMap(
        url ->
            side(element, "width")
                .flatMap(
                    width ->
                        side(element, "height")
                            .map(height -> new UiInfo.Logo(url, width, height, language(element)))));
  }

  private static Optional<Integer> side(Element element, String name) {
    return Dom.attribute(element, name)
        .map(String::strip)
        .filter(digits -> digits.matches("[0-9]{1,5}"))
        .map(Integer::valueOf)
        .filter(pixels -> pixels > 0 && pixels <= LARGEST_SIDE);
  }
}
