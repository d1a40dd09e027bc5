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
  private static final String BOUNDS = ".bounds";

  /** How many characters a PIN may have. */
  public record PinBounds(int least, int most) {}
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

  /** What people read whose passcode was not checked, because too many of their place are. */
  public byte[] crowded() {
    return text("crowded");
  }

  /** What tells a person to go where a PIN can be shown. */
  public byte[] elsewhere() {
    return text("elsewhere");
  }

  /** What tells a person that the new PIN was not allowed: everything before it was right. */
  public byte[] pinRefused() {
    return text("pinRefused");
  }

  /**
   * Returns the question.
   *
   * @param shown stands in the text; a proposed PIN is left out if it is empty
   * @param pin what a new PIN may be, if it is known
   */
  public byte[] of(Question question, Optional<String> shown, Optional<PinBounds> pin) {
    boolean isProposed = question == Question.NEW_PIN && shown.isPresent();
    boolean isBounded = question == Question.NEW_PIN && pin.isPresent();
    String text = new String(text((isProposed ? "proposed" : question.name()) + (isBounded ? BOUNDS : "")), StandardCharsets.UTF_8);
    String bounded =
        pin.map(one -> text.replace("{1}", String.valueOf(one.least())).replace("{2}", String.valueOf(one.most()))).orElse(text);
    return fitting(shown.map(value -> bounded.replace("{0}", value)).orElse(bounded));
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
