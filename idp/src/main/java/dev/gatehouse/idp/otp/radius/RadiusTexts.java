package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.idp.otp.PasscodeResult.Question;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;

/** What people read in Reply-Message, in UTF-8 as the packet has it. Each text fits into one attribute, because some clients show only one. */
public final class RadiusTexts {

  private static final int MOST_BYTES = 253;
  private static final Map<String, RadiusTexts> BY_LANGUAGE = Map.of("en", new RadiusTexts("en"), "de", new RadiusTexts("de"));

  private final Map<String, byte[]> texts = new HashMap<>();

  private RadiusTexts(String language) {
    Properties properties = new Properties();
    try (InputStream in = RadiusTexts.class.getResourceAsStream("/radius/" + language + ".properties")) {
      properties.load(new InputStreamReader(Objects.requireNonNull(in, language), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    properties.forEach((key, text) -> texts.put((String) key, fitting((String) text)));
  }

  public static RadiusTexts in(String language) {
    return Objects.requireNonNull(BY_LANGUAGE.get(language), language);
  }

  public byte[] refused() {
    return text("refused");
  }

  /** What people read if it is not known whether their passcode was taken. */
  public byte[] unknown() {
    return text("unknown");
  }

  /** What tells a person to go where a PIN can be shown. */
  public byte[] elsewhere() {
    return text("elsewhere");
  }

  /** @param shown stands in the text; a proposed PIN is left out if it is empty */
  public byte[] of(Question question, Optional<String> shown) {
    boolean isProposed = question == Question.NEW_PIN && shown.isPresent();
    byte[] text = text(isProposed ? "proposed" : question.name());
    return shown.map(value -> fitting(new String(text, StandardCharsets.UTF_8).replace("{0}", value))).orElse(text);
  }

  private byte[] text(String key) {
    return Objects.requireNonNull(texts.get(key), key);
  }

  private static byte[] fitting(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MOST_BYTES) {
      throw new IllegalStateException("longer than " + MOST_BYTES + " bytes: " + text);
    }
    return bytes;
  }
}
