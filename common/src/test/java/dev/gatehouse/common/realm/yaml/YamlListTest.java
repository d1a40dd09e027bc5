package dev.gatehouse.common.realm.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One entry of a list changes, and the rest of the text does not. */
class YamlListTest {

  private static final String TEXT =
      """
      # The realm.
      partners:
        # The first partner.
        - entityId: https://one.example.org
          displayName: "Ünö 🎉" # with a comment
          release: [uid, mail]

        # The second partner.
        - {entityId: https://two.example.org, index: 7, signed: true}
      # Routes come next.
      routes:
        - path: /
      """;

  private static Map<String, Object> entry(Object... namesAndValues) {
    Map<String, Object> entry = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      entry.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return entry;
  }

  @Test
  void entriesArePlainValues() {
    assertThat(new YamlList(TEXT, "partners").entries())
        .containsExactly(
            entry("entityId", "https://one.example.org", "displayName", "Ünö 🎉", "release", List.of("uid", "mail")),
            entry("entityId", "https://two.example.org", "index", 7L, "signed", true));
    assertThat(new YamlList(TEXT, "clients").entries()).isEmpty();
  }

  @Test
  void anEntryIsReplacedAndTheCommentsAroundItStay() {
    Map<String, Object> entry = entry("entityId", "https://one.example.org", "secret", Map.of("secret", "ONE"), "number", "007");
    assertThat(new YamlList(TEXT, "partners").replaced(0, entry))
        .isEqualTo(
            """
            # The realm.
            partners:
              # The first partner.
              - entityId: https://one.example.org
                secret: {secret: ONE}
                number: '007'

              # The second partner.
              - {entityId: https://two.example.org, index: 7, signed: true}
            # Routes come next.
            routes:
              - path: /
            """);
  }

  @Test
  void anEntryIsAddedAfterTheLast() {
    assertThat(new YamlList(TEXT, "partners").added(entry("entityId", "https://three.example.org", "release", List.of("uid"))))
        .contains(
            """
              - {entityId: https://two.example.org, index: 7, signed: true}
              - entityId: https://three.example.org
                release: [uid]
            # Routes come next.
            """);
  }

  @Test
  void anEntryIsRemoved() {
    String one = new YamlList(TEXT, "partners").removed(0);
    assertThat(one).isEqualTo(TEXT.replaceFirst("(?s) {2}- entityId: https://one.*?mail\\]\n", ""));
    String none = new YamlList(one, "partners").removed(0);
    assertThat(new YamlList(none, "partners").entries()).isEmpty();
    assertThat(new YamlList(none, "routes").entries()).containsExactly(Map.of("path", "/"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "partners: [{entityId: a}, {entityId: b}]\nroutes: []\n",
        "partners:\n- entityId: a\n- entityId: b\n",
        "partners:\n  - entityId: a\n  - entityId: b",
        "routes: []\npartners:\n    -   entityId: a\n        x:\n          - 1\n    -   entityId: b\n# end\n",
        "partners: [{entityId: a}, # one\n  {entityId: b}]\n",
        "partners:\n  - {entityId: a} # the first\n  - {entityId: b} # the second\nroutes: []\n",
        "partners:\n  -\n    entityId: a\n  -\n    entityId: b\n"
      })
  void everyNotationCanBeChanged(String text) {
    YamlList list = new YamlList(text, "partners");
    Map<String, Object> c = entry("entityId", "c", "list", List.of(Map.of("a", "b"), "x: y"), "text", "two\nlines", "brace", "{a, b}");
    assertThat(ids(list.added(c))).containsExactly("a", "b", "c");
    assertThat(ids(list.replaced(0, c))).containsExactly("c", "b");
    assertThat(ids(list.replaced(1, c))).containsExactly("a", "c");
    assertThat(ids(list.removed(0))).containsExactly("b");
    assertThat(ids(list.removed(1))).containsExactly("a");
    assertThat(new YamlList(list.added(c), "partners").entries().getLast()).isEqualTo(c);
    assertThat(new YamlList(list.replaced(0, c), "partners").entries().getFirst()).isEqualTo(c);
  }

  private static List<Object> ids(String text) {
    return new YamlList(text, "partners").entries().stream().map(entry -> entry.get("entityId")).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing\n", "routes: []\n", "partners:\n", "partners: []\n", "routes: []\npartners:", "partners: # none\nroutes: []\n"})
  void aListBegins(String text) {
    String added = new YamlList(text, "partners").added(entry("entityId", "a"));
    assertThat(ids(added)).as(added).containsExactly("a");
    assertThat(new YamlList(added, "routes").entries()).isEmpty();
  }

  @Test
  void aSingleMappingIsAListOfOne() {
    for (String text : List.of("partners: {entityId: a}\n", "partners:\n  entityId: a\n\nroutes: []\n")) {
      assertThat(new YamlList(text, "partners").entries()).containsExactly(Map.of("entityId", "a"));
      assertThat(ids(new YamlList(text, "partners").replaced(0, entry("entityId", "b")))).containsExactly("b");
      assertThat(ids(new YamlList(text, "partners").added(entry("entityId", "b")))).containsExactly("a", "b");
      assertThat(ids(new YamlList(text, "partners").removed(0))).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"partners: text\n", "partners: [text]\n", "- a\n", "a: [\n"})
  void anythingElseIsAnError(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> new YamlList(text, "partners"));
  }
}
