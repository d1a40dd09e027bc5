package dev.gatehouse.gateway.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The prose of all pages is spelled as hunspell's British or American dictionary has it, or as {@code
 * docs/spelling-words.txt}. Code and names with digits, dots, underscores or capitals inside are not looked at.
 */
class SpellingTest {

  private static final Path HUNSPELL = Path.of("/usr/bin/hunspell");
  private static final Path OWN = Path.of("../docs/spelling-words.txt");
  private static final Pattern NO_PROSE = Pattern.compile("<!--.*?-->|]\\([^)]*\\)|<?\\bhttps?://\\S+|&\\w+;");
  private static final Pattern WORD = Pattern.compile("(?<![\\p{L}\\p{N}_])\\p{L}[\\p{L}\\p{N}_.'’]*");
  private static final Pattern NAME = Pattern.compile(".*[\\p{N}_.].*|.+\\p{Lu}.*");
  private static final Pattern ENDING = Pattern.compile("(?:['’]s)?[.'’]*$");

  @TempDir private Path folder;

  @BeforeEach
  void requireHunspell() {
    boolean installed = Files.isExecutable(HUNSPELL);
    if (!installed && "true".equals(System.getenv("CI"))) {
      Assertions.fail("not installed: apt-get install hunspell hunspell-en-gb hunspell-en-us");
    }
    Assumptions.assumeTrue(installed, "skipped: hunspell is not installed");
  }

  @Test
  void everyWordIsInADictionaryOrInOurs() throws IOException, InterruptedException {
    Map<String, List<String>> words = wordsOf(prose());
    Set<String> unknown = unknown(words.keySet());
    Set<String> own = Set.copyOf(own());
    List<String> problems = new ArrayList<>();
    words.forEach(
        (word, places) -> {
          if (unknown.contains(word) && !own.contains(word) && !own.contains(word.toLowerCase(Locale.ROOT))) {
            places.forEach(place -> problems.add(place + ": " + word));
          }
        });
    assertThat(problems).as("misspelled, or missing in docs/spelling-words.txt").isEmpty();
  }

  @Test
  void ourWordsAreSortedAndNeeded() throws IOException, InterruptedException {
    List<String> own = own();
    assertThat(own).isSortedAccordingTo(String.CASE_INSENSITIVE_ORDER).doesNotHaveDuplicates();
    assertThat(wordsOf(prose()).keySet()).as("words of docs/spelling-words.txt that stand in a page").containsAll(own);
    assertThat(unknown(own)).as("words of docs/spelling-words.txt that no dictionary has").containsAll(own);
  }

  @Test
  void misspelledWordsAreFoundAndCodeIsNot() throws IOException, InterruptedException {
    Path page =
        Files.writeString(
            folder.resolve("page.md"),
            "# Recieve\n`recieve` RecieveTest re_cieve <https://recieve.example/>\n```\nrecieve\n```\nThe colour's color.\n");
    Map<String, List<String>> words = wordsOf(List.of(Page.of(page)));
    assertThat(unknown(words.keySet())).containsExactly("Recieve");
    assertThat(words.get("Recieve")).hasSize(1).first().asString().endsWith("page.md:1");
  }

  /** Reports of benchmarks are written by programs. */
  private static List<Page> prose() {
    return Page.all().stream().filter(page -> !page.name().startsWith("perf/results/")).toList();
  }

  /** Every word with the places where it stands. */
  private static Map<String, List<String>> wordsOf(List<Page> pages) {
    Map<String, List<String>> words = new TreeMap<>();
    for (Page page : pages) {
      List<String> lines = page.words();
      for (int i = 0; i < lines.size(); i++) {
        Matcher word = WORD.matcher(NO_PROSE.matcher(lines.get(i)).replaceAll(" "));
        while (word.find()) {
          String bare = ENDING.matcher(word.group()).replaceFirst("");
          if (!bare.isEmpty() && !NAME.matcher(bare).matches()) {
            words.computeIfAbsent(bare, w -> new ArrayList<>()).add(page.name() + ":" + (i + 1));
          }
        }
      }
    }
    return words;
  }

  private Set<String> unknown(Collection<String> words) throws IOException, InterruptedException {
    return hunspell("en_US", hunspell("en_GB", words));
  }

  /** Those that the dictionary does not have. */
  private Set<String> hunspell(String dictionary, Collection<String> words) throws IOException, InterruptedException {
    Path in = Files.write(folder.resolve(dictionary + ".txt"), words);
    Path out = folder.resolve(dictionary + "-unknown.txt");
    ProcessBuilder builder =
        new ProcessBuilder(HUNSPELL.toString(), "-l", "-i", "utf-8", "-d", dictionary, in.toString())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    assertThat(builder.start().waitFor()).as(dictionary).isZero();
    return new TreeSet<>(Files.readAllLines(out, StandardCharsets.UTF_8));
  }

  private static List<String> own() throws IOException {
    return Files.readAllLines(OWN).stream().filter(line -> !line.startsWith("#") && !line.isBlank()).toList();
  }
}
