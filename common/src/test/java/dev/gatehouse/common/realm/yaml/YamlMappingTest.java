package dev.gatehouse.common.realm.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of one mapping of a file; the rest stays as it is. */
final class YamlMappingTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a: 1 # one\\nbrand:\\n  x: 1 # lost\\n  y: {z: 2}\\n\\n# of b\\nb: 2\\n | a: 1 # one\\nbrand:\\n  accent: '#112233'\\n\\n# of b\\nb: 2\\n",
        "brand: {x: ä, y: \"𝔘\"} # kept\\nb: 2 | brand:\\n  accent: '#112233' # kept\\nb: 2",
        "a: 𝔘\\nbrand:\\n  x: 1 | a: 𝔘\\nbrand:\\n  accent: '#112233'",
        "a: 1 | a: 1\\nbrand:\\n  accent: '#112233'\\n",
        "brand:\\nb: 2\\n | brand:\\n  accent: '#112233'\\nb: 2\\n",
      })
  void theRestStays(String text, String changed) {
    assertThat(new YamlMapping(text.replace("\\n", "\n"), "brand").replaced(Map.of("accent", "#112233"))).isEqualTo(changed.replace("\\n", "\n"));
  }

  @Test
  void theValueIsRead() {
    assertThat(new YamlMapping("brand: {a: 1, b: {c: d}}", "brand").value()).isEqualTo(Map.of("a", 1L, "b", Map.of("c", "d")));
    assertThat(new YamlMapping("", "brand").value()).isEmpty();
    assertThat(new YamlMapping("brand: {a: 1}", "brand").replaced(Map.of())).isEqualTo("brand: {}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{brand: {a: 1}}", "brand: [1]", "brand: x", "a: [", "- a"})
  void otherNotationsAreRefused(String text) {
    assertThatThrownBy(() -> new YamlMapping(text, "brand")).isInstanceOf(IllegalArgumentException.class);
  }
}
