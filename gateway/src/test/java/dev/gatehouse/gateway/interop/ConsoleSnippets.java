package dev.gatehouse.gateway.interop;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/** The configurations of other servers that the console gives to administrators, so that the real servers try them. */
final class ConsoleSnippets {

  private ConsoleSnippets() {}

  /** @param values by the names of the placeholders */
  static String filled(String file, Map<String, String> values) {
    try (InputStream in = Objects.requireNonNull(ConsoleSnippets.class.getResourceAsStream("/snippets/" + file), file)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (Map.Entry<String, String> value : values.entrySet()) {
        text = text.replace("@" + value.getKey() + "@", value.getValue());
      }
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
