package dev.gatehouse.common.revision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Differences of texts are short, and lead from one text to the other. */
class TextDiffTest {

  @Test
  void equalTextsHaveNoDifference() {
    assertThat(TextDiff.unified("a\nb\n", "a\nb\n")).isEmpty();
  }

  @Test
  void aChangedLineStandsInItsContext() {
    assertThat(TextDiff.unified("a\nb\nc\nd\ne\nf\ng\nh\n", "a\nb\nc\nd\nE\nf\ng\nh\n"))
        .isEqualTo("@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n");
  }

  @Test
  void changesFarApartAreHunksOfTheirOwn() {
    String before = IntStream.range(0, 30).mapToObj(i -> i + "\n").collect(Collectors.joining());
    String after = before.replace("3\n4\n", "3\n").replace("\n25\n", "\n25\nnew\n");
    assertThat(TextDiff.unified(before, after)).containsPattern("(?s)@@ -2,7 \\+2,6 @@.*@@ -24,6 \\+23,7 @@");
  }

  @Test
  void aNewTextBeginsAfterLineZero() {
    assertThat(TextDiff.unified("", "a\nb\n")).isEqualTo("@@ -0,0 +1,2 @@\n+a\n+b\n");
    assertThat(TextDiff.unified("a\n", "")).isEqualTo("@@ -1,1 +0,0 @@\n-a\n");
  }

  @Test
  void tooManyChangesAreReplacedAsAWhole() {
    String before = IntStream.range(0, 2000).mapToObj(i -> "a" + i + "\n").collect(Collectors.joining());
    String after = IntStream.range(0, 2000).mapToObj(i -> "b" + i + "\n").collect(Collectors.joining());
    assertThat(TextDiff.unified(before, after).lines().filter(line -> line.startsWith("-a"))).hasSize(2000);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void theDifferenceLeadsToTheNewText(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      List<String> before = IntStream.range(0, random.nextInt(30)).mapToObj(i -> "" + random.nextInt(6)).toList();
      List<String> after = new ArrayList<>(before);
      for (int edit = random.nextInt(6); edit > 0; edit--) {
        int at = random.nextInt(after.size() + 1);
        if (random.nextBoolean() || at == after.size()) {
          after.add(at, "" + random.nextInt(6));
        } else {
          after.remove(at);
        }
      }
      String diff = TextDiff.unified(text(before), text(after));
      assertThat(applied(before, diff)).as("%s -> %s: %s", before, after, diff).isEqualTo(after);
    }
  }

  private static String text(List<String> lines) {
    return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
  }

  private static List<String> applied(List<String> before, String diff) {
    List<String> after = new ArrayList<>();
    int at = 0;
    for (String line : diff.lines().toList()) {
      if (line.startsWith("@@")) {
        String[] range = line.substring(4, line.indexOf(" +")).split(",");
        int from = Integer.parseInt(range[0]) - (range[1].equals("0") ? 0 : 1);
        after.addAll(before.subList(at, from));
        at = from;
      } else if (line.startsWith("+")) {
        after.add(line.substring(1));
      } else {
        assertThat(before.get(at++)).isEqualTo(line.substring(1));
        if (line.startsWith(" ")) {
          after.add(line.substring(1));
        }
      }
    }
    after.addAll(before.subList(at, before.size()));
    return after;
  }
}
