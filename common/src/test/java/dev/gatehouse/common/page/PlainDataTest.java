package dev.gatehouse.common.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlainDataTest {

  private record Row(String name, Optional<String> more) {}

  /** Without this, a page shows what it asks for by a wrong name as absent, and nobody notices. */
  @Test
  void aRecordHasItsComponentsOnly() {
    Object row = PlainData.of(Map.of("row", new Row("alice", Optional.empty())), Language.ENGLISH).get("row");
    Map<?, ?> plain = (Map<?, ?>) Objects.requireNonNull(row);
    assertThat(plain.get("name")).isEqualTo("alice");
    assertThat(plain.get("more")).isNull();
    assertThatThrownBy(() -> plain.get("short")).hasMessageContaining("PlainDataTest$Row has no component short");
  }
}
