package dev.gatehouse.common.page;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The images that may be a realm's logo. Their first bytes say what they are, whatever the file is called. An SVG image contains what is
 * drawn and nothing else: no script, no HTML, nothing from other places.
 */
public enum LogoImage {
  PNG("image/png", "png"),
  JPEG("image/jpeg", "jpg"),
  WEBP("image/webp", "webp"),
  SVG("image/svg+xml", "svg");

  /** The most bytes of a logo. */
  public static final int LARGEST = 64 << 10;

  private static final byte[] PNG_BEGIN = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  private static final byte[] JPEG_BEGIN = {(byte) 0xff, (byte) 0xd8, (byte) 0xff};
  private static final int WEBP_WORD = 8;

  private static final String SVG_NAMESPACE = "http://www.w3.org/2000/svg";
  private static final String HTML_NAMESPACE = "http://www.w3.org/1999/xhtml";

  private static final Set<String> DRAWN =
      Set.of(
          "svg", "g", "defs", "symbol", "use", "title", "desc", "metadata", "path", "rect", "circle", "ellipse", "line", "polyline",
          "polygon", "text", "tspan", "textPath", "linearGradient", "radialGradient", "stop", "pattern", "clipPath", "mask", "marker",
          "filter", "feGaussianBlur", "feOffset", "feBlend", "feFlood", "feColorMatrix", "feComposite", "feMerge", "feMergeNode",
          "feMorphology", "style", "view", "switch");

  /** What fetches from elsewhere; a reference within the image is {@code url(#name)}. */
  private static final Pattern FETCHES =
      Pattern.compile("url\\(\\s*['\"]?\\s*[^#'\"\\s]|@import|\\\\|javascript:", Pattern.CASE_INSENSITIVE);

  private final String mediaType;
  private final String ending;

  LogoImage(String mediaType, String ending) {
    this.mediaType = mediaType;
    this.ending = ending;
  }

  /** Returns the media type. */
  public String mediaType() {
    return mediaType;
  }

  /** Returns the ending of names of files, without the dot. */
  public String ending() {
    return ending;
  }

  /** Returns the kind by the ending of a file's name; empty if pages cannot show it. */
  public static Optional<LogoImage> ofName(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    String last = lower.substring(lower.lastIndexOf('.') + 1);
    return Arrays.stream(values()).filter(kind -> kind.ending.equals(last.equals("jpeg") ? "jpg" : last)).findFirst();
  }

  /** Returns the kind by the content; empty if it is none. Whether an SVG image may be used is another question. */
  public static Optional<LogoImage> of(byte[] content) {
    if (begins(content, PNG_BEGIN)) {
      return Optional.of(PNG);
    }
    if (begins(content, JPEG_BEGIN)) {
      return Optional.of(JPEG);
    }
    if (content.length > WEBP_WORD + 4
        && new String(content, 0, 4, StandardCharsets.ISO_8859_1).equals("RIFF")
        && new String(content, WEBP_WORD, 4, StandardCharsets.ISO_8859_1).equals("WEBP")) {
      return Optional.of(WEBP);
    }
    return new String(content, StandardCharsets.UTF_8).contains("<svg") ? Optional.of(SVG) : Optional.empty();
  }

  /** Returns why that content cannot be a logo of this kind; empty if it can. */
  public Optional<String> problem(byte[] content) {
    if (content.length > LARGEST) {
      return Optional.of("is larger than " + (LARGEST >> 10) + " KB");
    }
    Optional<LogoImage> found = of(content);
    if (!found.equals(Optional.of(this))) {
      return Optional.of("is not a " + ending + " image, but " + found.map(kind -> "a " + kind.ending + " image").orElse("something else"));
    }
    return this == SVG ? svgProblem(content) : Optional.empty();
  }

  private static boolean begins(byte[] content, byte[] with) {
    return content.length > with.length && Arrays.equals(content, 0, with.length, with, 0, with.length);
  }

  private static Optional<String> svgProblem(byte[] content) {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
    try {
      XMLStreamReader reader = factory.createXMLStreamReader(new ByteArrayInputStream(content));
      boolean isFirst = true;
      boolean isStyle = false;
      while (reader.hasNext()) {
        Optional<String> problem = Optional.empty();
        switch (reader.next()) {
          case XMLStreamConstants.START_ELEMENT -> {
            problem = isFirst && !reader.getLocalName().equals("svg") ? Optional.of("is no SVG image") : element(reader);
            isFirst = false;
            isStyle = reader.getLocalName().equals("style");
          }
          case XMLStreamConstants.END_ELEMENT -> isStyle = false;
          case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA ->
              problem = isStyle ? fetched("its style sheet", reader.getText()) : Optional.empty();
          case XMLStreamConstants.PROCESSING_INSTRUCTION -> problem = Optional.of("has a processing instruction; remove it");
          case XMLStreamConstants.DTD -> problem = Optional.of("has a DOCTYPE; remove it");
          default -> {}
        }
        if (problem.isPresent()) {
          return problem;
        }
      }
      return Optional.empty();
    } catch (XMLStreamException e) {
      return Optional.of("is not well-formed XML");
    }
  }

  private static Optional<String> element(XMLStreamReader reader) {
    String namespace = Optional.ofNullable(reader.getNamespaceURI()).orElse("");
    String name = reader.getLocalName();
    boolean isDrawn = namespace.isEmpty() || namespace.equals(SVG_NAMESPACE);
    if (namespace.equals(HTML_NAMESPACE) || isDrawn && !DRAWN.contains(name)) {
      return Optional.of("contains <" + name + ">, which is nothing that is drawn; remove it");
    }
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      String attribute = reader.getAttributeLocalName(i);
      String value = reader.getAttributeValue(i);
      if (attribute.toLowerCase(Locale.ROOT).startsWith("on")) {
        return Optional.of("contains the event handler " + attribute + "; remove it");
      }
      if (attribute.equals("href") && !value.startsWith("#")) {
        return Optional.of("refers to something outside of it; draw it within the image");
      }
      Optional<String> problem = fetched("its attribute " + attribute, value);
      if (problem.isPresent() && isDrawn) {
        return problem;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> fetched(String where, String text) {
    return FETCHES.matcher(text).find()
        ? Optional.of("refers to something outside of it in " + where + "; draw it within the image")
        : Optional.empty();
  }
}
