package dev.gatehouse.common.realm.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class YamlKeysTest {

  private static final String TEXT =
      """
      # A realm: 🏠
      brand: {displayName: Demo} # short

      # The identity provider.
      idp:
        publicUrl: https://login.example.org
        # Within.
        unsolicited: true

      # Partners.
      partners:
        - entityId: https://sp.example.org
      """;

  @Test
  void whatDoesNotChangeStaysWithItsComments() {
    YamlKeys keys = new YamlKeys(TEXT);
    assertThat(keys.value().keySet()).containsExactly("brand", "idp", "partners");
    String changed =
        keys.changed(
            Map.of("idp", Map.of("publicUrl", "https://other.example.org"), "directory", Map.of("urls", List.of("ldap://x"))),
            Set.of("brand"));
    assertThat(changed)
        .isEqualTo(
            """
            # A realm: 🏠

            # The identity provider.
            idp:
              publicUrl: https://other.example.org

            # Partners.
            partners:
              - entityId: https://sp.example.org
            directory:
              urls: ['ldap://x']
            """);
    assertThat(keys.changed(Map.of("brand", Map.of("displayName", "Demo")), Set.of("nothing"))).isEqualTo(TEXT);
  }

  @Test
  void anEmptyTextGetsKeysAndOneWithoutLinesIsRefused() {
    assertThat(new YamlKeys("").changed(Map.of("sp", Map.of("publicUrl", "https://app.example.org")), Set.of()))
        .isEqualTo("sp:\n  publicUrl: https://app.example.org\n");
    assertThat(new YamlKeys("a: 1\nb: {}\n").changed(Map.of(), Set.of("a", "b"))).isEmpty();
    assertThatThrownBy(() -> new YamlKeys("{a: 1}")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new YamlKeys("- a")).isInstanceOf(IllegalArgumentException.class);
  }
}
