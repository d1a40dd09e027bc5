package dev.gatehouse.common.realm.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The schemas and the page are what is declared. {@link ConfigurationFolder#load} holds every good configuration of these tests
 * against the schemas, {@link ProblemsTest} every bad one in which a schema can see the mistake.
 */
class ConfigurationSchemaTest {

  @TempDir Path path;

  @Test
  void thePageListsWhatIsDeclared() throws IOException {
    assertThat(Path.of("../docs/reference/configuration-keys.md"))
        .as("./gatehouse schema page > docs/reference/configuration-keys.md writes it")
        .content()
        .isEqualTo(ConfigurationSchema.page());
  }

  @Test
  void everyKeyHasASentenceAndADefaultThatIsRead() {
    List<String> wrong = new ArrayList<>();
    YamlSource source = new YamlSource(path.resolve("realms/demo.yaml"), Map.of(), Map::of);
    walk(NodeYaml.KEYS, "", source, wrong);
    walk(RealmYaml.KEYS, "", source, wrong);
    assertThat(wrong).isEmpty();
    assertThat(source.problems()).isEmpty();
  }

  /**
   * What administrators of one realm may configure is checked by what a key says it reaches: a key that says nothing would be open to
   * them. Say {@link dev.gatehouse.common.realm.yaml.Type#reaching} where the key is declared.
   */
  @Test
  void everyKeyOfAHostOrUrlOfARealmSaysWhatItIsToTheNode() {
    List<String> silent = new ArrayList<>();
    silent(RealmYaml.KEYS, "", silent);
    assertThat(silent).isEmpty();
  }

  private static final Pattern NETWORK = Pattern.compile("(?i)\\b(url|uri|origin|host|hostname|server|endpoint)\\b");
  private static final Pattern EXAMPLE = Pattern.compile("://|\\b[a-z0-9-]+\\.example\\b|\\bexample\\.(org|com)\\b|\\blocalhost\\b|\\d+\\.\\d+\\.\\d+\\.\\d+:");

  /** Texts that look like a host or URL, but are none: scopes of attributes, and paths of an app. */
  private static final Set<String> NO_HOSTS =
      Set.of(".partners.release", ".partners.scopes", ".routes.formFill.post.url", ".routes.formFill.successUrl");

  private static void silent(Section keys, String at, List<String> silent) {
    for (Key<?> key : keys.keys()) {
      String place = at + "." + key;
      boolean hasScalar = !Set.of(Key.Form.SECTION, Key.Form.SECTIONS, Key.Form.NAMED_SECTIONS).containsAll(key.forms());
      if (hasScalar && key.type().reach().isEmpty() && looksLikeHost(key) && !NO_HOSTS.contains(place)) {
        silent.add(place);
      }
      key.subsection().ifPresent(section -> silent(section, place, silent));
    }
  }

  private static boolean looksLikeHost(Key<?> key) {
    String examples = key.usual().orElse("") + " " + key.example().orElse("") + " " + key.sentence();
    return NETWORK.matcher(key.type().words()).find() || NETWORK.matcher(key.name()).find() || EXAMPLE.matcher(examples).find()
        || key.name().matches(".*(Url|Uri|Host|Origin|Urls|Uris|Hosts|Origins)");
  }

  private static void walk(Section keys, String at, YamlSource source, List<String> wrong) {
    YamlSection empty = YamlSection.empty(source, at, 1);
    for (Key<?> key : keys.keys()) {
      String place = at + "." + key;
      if (!key.sentence().endsWith(".") || key.sentence().length() < 5) {
        wrong.add(place + " has no sentence: " + key.sentence());
      }
      if (key.forms().contains(Key.Form.SCALAR) && key.usual().isPresent()) {
        empty.get(key);
      }
      if (key.forms().contains(Key.Form.LIST)) {
        empty.all(key);
      }
      key.subsection().ifPresent(section -> walk(section, place, source, wrong));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "idp: {publicURL: \"https://a\"}",
        "idp: {publicUrl: \"https://a\", session: {idle: 30}}",
        "idp: {publicUrl: \"https://a\", session: 30m}",
        "idp: {publicUrl: \"https://a\", directLogin: yes}",
        "idp: {}",
        "idp: {publicUrl: \"ftp://a\"}",
        "sp: {publicUrl: \"https://a\", subject: {user: [a]}}",
        "directory: {base: \"dc=x\", poolSize: 0}",
        "partners: [{entityId: \"urn:a\", nameId: kerberos}]",
        "routes: [{path: /, upstream: {servers: [{weight: 1}]}}]",
        "routes: [{path: /, cache: maybe}]",
        "routes: [{path: /, rules: [{permit: {role: a}}]}]"
      })
  void anEditorMarksMistakes(String realm) {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path).demo(realm);
    assertThat(SchemaViolations.of(folder.path)).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "idp: {publicUrl: \"${URL}\", directLogin: \"${DIRECT}\", session: {idle: \"${IDLE}\"}}",
        "directory: {base: \"${BASE}\", poolSize: \"${SIZE}\", urls: \"${URLS}\"}",
        "keys: {algorithm: RSA_2048}",
        "brand:",
        "partners:"
      })
  void variablesFormerSpellingsAndEmptySectionsAreNotMarked(String realm) {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path).demo(realm);
    assertThat(SchemaViolations.of(folder.path)).isEmpty();
  }
}
