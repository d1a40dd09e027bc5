package dev.gatehouse.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class TableTextTest {

  private static String text(String json) {
    return String.join("\n", TableText.of(new JsonMapper().readTree(json)));
  }

  @Test
  void aListThatComesFirstIsATable() {
    assertThat(text("{\"realms\":[{\"name\":\"demo\",\"routes\":12},{\"name\":\"b\",\"hosts\":[\"x\",\"y\"]}],\"inUse\":7,\"next\":\"b\"}"))
        .isEqualTo("NAME  ROUTES  HOSTS\ndemo  12\nb             x, y\n\ninUse  7");
  }

  @Test
  void anObjectIsLinesAndThenItsLists() {
    assertThat(text("{\"decision\":\"deny\",\"app\":{\"name\":\"x\"},\"rules\":[{\"rule\":\"r\"}],\"reasons\":[\"ROLE_MISSING\"]}"))
        .isEqualTo("decision  deny\napp.name  x\nreasons   ROLE_MISSING\n\nrules:\nRULE\nr");
  }

  @Test
  void anEmptyListSaysSo() {
    assertThat(text("{\"sessions\":[]}")).isEqualTo("No sessions.");
  }

  @Test
  void problemsAreWhatCheckPrints() {
    assertThat(
            text(
                "{\"problems\":[{\"file\":\"realms/demo.yaml\",\"line\":3,\"key\":\"idp.x\",\"message\":\"is not a known key\",\"remedy\":\"remove it\"},"
                    + "{\"file\":\"/\",\"line\":0,\"key\":\"k\",\"message\":\"m\",\"remedy\":\"r\"}]}"))
        .isEqualTo("realms/demo.yaml:3: idp.x: is not a known key — remove it\n/: k: m — r");
  }

  @Test
  void longValuesAreCutInTablesOnly() {
    String value = "x".repeat(100);
    assertThat(text("{\"a\":[{\"b\":\"" + value + "\"}]}")).endsWith("x…").doesNotContain(value);
    assertThat(text("{\"b\":\"" + value + "\"}")).contains(value);
  }

  @Test
  void noValueCommandsTheTerminal() {
    String hostile = "{\"a\":[{\"n\\u001b[2J\":\"\\u001b]0;title\\u0007\",\"o\":\"a\\nb\\u009b31m\\u202e\\u2028\"}],\"d\":\"\\u001b[31m\\rover\"}";
    assertThat(text(hostile)).doesNotContain("\u001b", "\u0007", "\u009b", "\r", "\u202e", "\u2028").contains("\\u001b]0;title\\u0007");
    assertThat(text(hostile).lines()).hasSize(4);
    assertThat(text("{\"a\":[{\"o\":\"Jürgen 李 🎉\"}]}")).contains("Jürgen 李 🎉");
  }
}
