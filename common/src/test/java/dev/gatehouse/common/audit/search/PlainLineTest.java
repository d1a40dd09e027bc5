package dev.gatehouse.common.audit.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A line that is read without the parser says what the parser says. */
final class PlainLineTest {

  private static final String LINE =
      "{\"time\":\"2026-11-27T06:00:00.000Z\",\"event\":\"E\",\"realm\":\"demo\",\"reason\":\"\",\"number\":120,\"on\":true,\"off\":false,"
          + "\"event\":\"second\",\"seq\":7,\"chain\":\"00\"}\n";
  private static final Set<String> WANTED = Set.of("event", "realm", "reason", "number", "name");

  private static byte[] bytes(String line) {
    return line.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static Optional<Map<String, String>> parsed(byte[] line) {
    Map<String, String> fields = new HashMap<>();
    try (JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), line)) {
      json.nextToken();
      for (JsonToken token = json.nextToken(); token == JsonToken.PROPERTY_NAME; token = json.nextToken()) {
        String name = json.currentName();
        if (json.nextToken() == JsonToken.VALUE_STRING && WANTED.contains(name)) {
          fields.putIfAbsent(name, json.getString());
        }
        json.skipChildren();
      }
    } catch (JacksonException e) {
      return Optional.empty();
    }
    return Optional.of(fields);
  }

  @Test
  void readsTheFirstOfEachWantedText() {
    assertThat(PlainLine.fields(bytes(LINE), WANTED)).hasValue(Map.of("event", "E", "realm", "demo", "reason", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "{", "{}", "{}\n", "[]\n",
        "{\"a\":\"b\\\"\"}\n", "{\"a\":{\"b\":\"c\"}}\n", "{\"a\":[1]}\n", "{\"a\":\"\u00e4\"}\n",
        "{\"a\":01}\n", "{\"a\":-1}\n", "{\"a\":1.5}\n", "{\"a\":null}\n", "{\"a\":truth}\n",
        "{\"a\" :1}\n", "{\"a\":\"b\",}\n", "{\"a\":\"b\""
      })
  void leavesOtherLinesToTheParser(String line) {
    assertThat(PlainLine.fields(bytes(line), Set.of("a"))).isEmpty();
  }

  @Test
  void saysOfDamagedLinesWhatTheParserSays() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 100_000; i++) {
      byte[] line = bytes(LINE);
      for (int changes = random.nextInt(4); changes > 0; changes--) {
        line[random.nextInt(line.length)] = (byte) (random.nextBoolean() ? random.nextInt(128) : "\"{}:,\\ 0tf".charAt(random.nextInt(10)));
      }
      byte[] changed = line;
      PlainLine.fields(changed, WANTED)
          .ifPresent(
              fields ->
                  assertThat(parsed(changed))
                      .as("seed %s: %s", seed, new String(changed, StandardCharsets.ISO_8859_1))
                      .hasValue(fields));
    }
  }
}
