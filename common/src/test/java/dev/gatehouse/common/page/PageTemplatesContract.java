package dev.gatehouse.common.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What holds for the pages and texts of every module. A module runs it on its own by
 *
 * <pre>{@code
 * final class IdpPageTemplatesTest extends PageTemplatesContract {
 *   IdpPageTemplatesTest() { super("idp"); }
 * }
 * }</pre>
 */
public abstract class PageTemplatesContract {

  private static final Pattern TEXT_KEY = Pattern.compile("#\\{\\s*([a-z][A-Za-z0-9.-]*)\\s*[}(]");
  private static final Pattern COMPUTED_KEY = Pattern.compile("#\\{\\s*(?:\\||')([a-z][A-Za-z0-9.-]*\\.)");

  /** Syntax by which a model's value, or a mistake, could become markup, script or an expression. */
  private static final Map<String, String> FORBIDDEN =
      Map.ofEntries(
          Map.entry("th:utext", "unescaped text"),
          Map.entry("[(", "unescaped inline text"),
          Map.entry("__", "preprocessing: the value of one expression becomes another"),
          Map.entry("style=", "a style attribute, which the Content-Security-Policy blocks"),
          Map.entry("th:on", "an event handler"),
          Map.entry(" on[a-z]+=", "an event handler"),
          Map.entry("\\.(values|keys|keySet)\\b(?!\\()", "a method of maps in place of a component of that name; use get('values')"),
          Map.entry("@\\{", "a link expression, which needs a servlet context; use th:href with a value"),
          Map.entry("https?://", "an external resource"),
          Map.entry("#ctx|#vars|#root|T\\(|@[a-z.]+[A-Z]", "access to the engine or to static members"));

  private final String module;

  protected PageTemplatesContract(String module) {
    this.module = module;
  }

  @Test
  void everyTextExistsInEveryLanguage() {
    Set<String> english = texts(module, Language.ENGLISH).keySet();
    Set<String> german = texts(module, Language.GERMAN).keySet();
    assertThat(new TreeSet<>(german)).isEqualTo(new TreeSet<>(english));
  }

  @Test
  void noTextIsEmptyAndBothLanguagesTakeTheSameArguments() {
    Map<String, String> german = texts(module, Language.GERMAN);
    texts(module, Language.ENGLISH)
        .forEach(
            (key, text) -> {
              assertThat(text).as(key).isNotBlank();
              assertThat(german.get(key)).as("German " + key).isNotBlank();
              assertThat(arguments(german.getOrDefault(key, ""))).as("arguments of " + key).isEqualTo(arguments(text));
            });
  }

  @Test
  void everyKeyThatATemplateUsesExists() throws IOException {
    Set<String> known = allKeys();
    Map<String, Set<String>> missing = new TreeMap<>();
    for (Path template : templates()) {
      String source = Files.readString(template);
      Set<String> unknown = new TreeSet<>();
      matches(TEXT_KEY, source).filter(key -> !known.contains(key)).forEach(unknown::add);
      matches(COMPUTED_KEY, source)
          .filter(prefix -> known.stream().noneMatch(key -> key.startsWith(prefix)))
          .forEach(unknown::add);
      if (!unknown.isEmpty()) {
        missing.put(template.getFileName().toString(), unknown);
      }
    }
    assertThat(missing).isEmpty();
  }

  /** Returns the texts of all scripts; a page with one allows it by its hash. */
  protected List<String> scripts() {
    return List.of(ThymeleafPages.SUBMIT_SCRIPT);
  }

  @Test
  void templatesCannotEmitMarkupOrRunWhatTheyAreGiven() throws IOException {
    for (Path template : templates()) {
      String source = Files.readString(template);
      String withoutTexts = source.replaceAll("#\\{([a-zA-Z.-]+|\\|[^|]*\\|)}", "");
      FORBIDDEN.forEach(
          (pattern, why) -> {
            Pattern compiled = Pattern.compile(pattern.equals("[(") ? Pattern.quote(pattern) : pattern);
            assertThat(compiled.matcher(withoutTexts).find())
                .as("%s contains %s: %s", template.getFileName(), pattern, why)
                .isFalse();
          });
      String withoutOurs = source.replace("<script th:each=\"script : ${scripts}\" th:src=\"${script}\" defer></script>", "");
      for (String script : scripts()) {
        withoutOurs = withoutOurs.replace(">" + script + "</script>", "");
      }
      assertThat(withoutOurs).as("%s: another script", template.getFileName()).doesNotContain("</script>");
    }
  }

  @Test
  void everyInputHasALabel() throws IOException {
    Pattern input = Pattern.compile("<(?:input|select|textarea)\\b[^>]*>");
    for (Path template : templates()) {
      String source = Files.readString(template);
      Matcher matcher = input.matcher(source);
      while (matcher.find()) {
        String tag = matcher.group();
        if (tag.contains("type=\"hidden\"")) {
          continue;
        }
        Matcher id = Pattern.compile("\\bid=\"([^\"]+)\"").matcher(tag);
        boolean named = id.find() && source.contains("for=\"" + id.group(1) + "\"");
        boolean wrapped =
            source.lastIndexOf("<label", matcher.start()) > source.lastIndexOf("</label", matcher.start());
        assertThat(named || wrapped || tag.contains("aria-label"))
            .as("%s: %s has no label", template.getFileName(), tag)
            .isTrue();
      }
    }
  }

  @Test
  void everyPageHasOneNameOnly() throws IOException {
    for (Path template : templates()) {
      List<URL> all =
          Collections.list(getClass().getClassLoader().getResources("pages/" + template.getFileName()));
      assertThat(all).as("pages/%s", template.getFileName()).hasSize(1);
    }
  }

  private List<Path> templates() throws IOException {
    Path folder = folder();
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".html")).sorted().toList();
    }
  }

  /** Returns {@code target/classes/pages} of the module of the test. */
  private Path folder() {
    try {
      Path tests = Path.of(getClass().getProtectionDomain().getCodeSource().getLocation().toURI());
      return tests.resolveSibling("classes").resolve("pages");
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private Map<String, String> texts(String of, Language language) {
    return Texts.bundle(getClass().getClassLoader(), of, language);
  }

  private Set<String> allKeys() {
    return Texts.MODULES.stream()
        .flatMap(of -> texts(of, Language.ENGLISH).keySet().stream())
        .collect(Collectors.toSet());
  }

  private static Set<String> arguments(String text) {
    return Pattern.compile("\\{\\d}").matcher(text).results().map(r -> r.group()).collect(Collectors.toSet());
  }

  private static Stream<String> matches(Pattern pattern, String source) {
    return pattern.matcher(source).results().map(result -> result.group(1));
  }
}
