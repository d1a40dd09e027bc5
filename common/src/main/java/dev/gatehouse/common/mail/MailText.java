package dev.gatehouse.common.mail;

import dev.gatehouse.common.realm.PersonMailConfig;
import dev.gatehouse.common.realm.PersonMailConfig.Notice;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * A mail's subject and text, filled with values: {@code {name}} stands for the value of that name. Nothing else is special, and values are
 * not looked at again, so that a value that contains {@code {link}} stays as it is.
 *
 * @param subject one line
 */
record MailText(String subject, String text) {

  private static final String SUBJECT = "Subject: ";
  private static final int LONGEST_VALUE = 300;

  /** Returns the realm's own text, or ours. */
  static MailText of(PersonMailConfig config, Notice notice, String language, Map<String, String> values) {
    String name = PersonMailConfig.textName(notice, language);
    return filled(Optional.ofNullable(config.texts().get(name)).orElseGet(() -> ours(name)), values);
  }

  /** Returns one of our texts for administrators. */
  static MailText of(String name, Map<String, String> values) {
    return filled(ours(name), values);
  }

  private static MailText filled(String template, Map<String, String> values) {
    int end = template.indexOf("\n\n");
    String subject = template.substring(SUBJECT.length(), end);
    return new MailText(oneLine(fill(subject, values)), fill(template.substring(end + 2), values));
  }

  private static String ours(String name) {
    try (InputStream in = MailText.class.getResourceAsStream("/mail/" + name + ".txt")) {
      if (in == null) {
        throw new IllegalStateException("There is no text mail/" + name + ".txt");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Unknown placeholders stay as they are. */
  private static String fill(String text, Map<String, String> values) {
    StringBuilder filled = new StringBuilder(text.length() + 64);
    int i = 0;
    while (i < text.length()) {
      int end = text.charAt(i) == '{' ? text.indexOf('}', i) : -1;
      String value = end < 0 ? null : values.get(text.substring(i + 1, end));
      if (value == null) {
        filled.append(text.charAt(i++));
      } else {
        filled.append(value);
        i = end + 1;
      }
    }
    return filled.toString();
  }

  /** Returns the value on one line without control characters, line separators and changes of writing direction, and cut. */
  static String oneLine(String value) {
    StringBuilder clean = new StringBuilder(value.length());
    value
        .codePoints()
        .map(c -> Character.isISOControl(c) || isFormat(c) ? ' ' : c)
        .limit(LONGEST_VALUE)
        .forEach(clean::appendCodePoint);
    return clean.toString().strip();
  }

  private static boolean isFormat(int c) {
    int type = Character.getType(c);
    return type == Character.FORMAT
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR
        || type == Character.SURROGATE;
  }
}
