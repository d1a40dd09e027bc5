package dev.gatehouse.gateway.federate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.federate.NamePairLine.Content.Bad;
import dev.gatehouse.gateway.federate.NamePairLine.Content.Blank;
import dev.gatehouse.gateway.federate.NamePairLine.Content.Pair;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PairsFileTest {

  @TempDir private Path folder;

  private List<NamePairLine> lines(byte[] bytes) throws IOException {
    Path file = Files.write(folder.resolve("pairs.csv"), bytes);
    try (PairsFile pairs = new PairsFile(file, 0, 0)) {
      return pairs.next(1000);
    }
  }

  private List<NamePairLine.Content> contents(String text) throws IOException {
    return lines(text.getBytes(StandardCharsets.UTF_8)).stream().map(NamePairLine::content).toList();
  }

  private static Pair pair(String first, String second) {
    return new Pair(first, second, Optional.empty());
  }

  @Test
  void readsNamesAsTheyAre() throws IOException {
    assertThat(
            contents(
                """
                local,remote
                alice,a.adams
                "O'Brien, Pat","pat ""the cat\"""

                jörg , j.strauß
                *,)(uid=*
                bob,bob@partner,p-4711
                \\2a,x,
                """))
        .containsExactly(
            new Blank(),
            pair("alice", "a.adams"),
            pair("O'Brien, Pat", "pat \"the cat\""),
            new Blank(),
            pair("jörg", "j.strauß"),
            pair("*", ")(uid=*"),
            new Pair("bob", "bob@partner", Optional.of("p-4711")),
            pair("\\2a", "x"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "alice~not two or three columns",
        "a,b,c,d~not two or three columns",
        "\"a,b~quotes in disorder",
        "\"a\"x,b~quotes in disorder",
        "a\"b,c~quotes in disorder",
        ",b~an empty name",
        "a,  ~an empty name",
        "a\u0007,b~a control character in a name",
        "a\u001b[2J,b~a control character in a name",
        "a,x\u0000b~a control character in a name"
      })
  void rejectsWhatIsNoPair(String line, String why) throws IOException {
    assertThat(contents("x,y\n" + line + "\nz,w")).containsExactly(pair("x", "y"), new Bad(why), pair("z", "w"));
  }

  @Test
  void rejectsLongLinesNamesAndOtherEncodingsAndGoesOn() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(("a," + "x".repeat(3_000_000) + "\n").getBytes(StandardCharsets.UTF_8));
    bytes.write("j\u00f6rg,x\n".getBytes(StandardCharsets.ISO_8859_1));
    bytes.write(("b," + "x".repeat(257) + "\n").getBytes(StandardCharsets.UTF_8));
    bytes.write("c,d".getBytes(StandardCharsets.UTF_8));
    List<NamePairLine> lines = lines(bytes.toByteArray());
    assertThat(lines).extracting(NamePairLine::content)
        .containsExactly(
            new Bad("longer than 4096 bytes"),
            new Bad("not UTF-8"),
            new Bad("a name of more than 256 characters"),
            pair("c", "d"));
    assertThat(lines.getFirst().raw()).hasSizeLessThan(100);
  }

  @Test
  void takesAByteOrderMarkAndWindowsLineEnds() throws IOException {
    assertThat(contents("\ufefflocal,remote\r\nalice,b\r\n")).containsExactly(new Blank(), pair("alice", "b"));
  }

  @Test
  void goesOnAtAnyLine() throws IOException {
    byte[] bytes = "alice,1\njörg,2\nbob,3".getBytes(StandardCharsets.UTF_8);
    List<NamePairLine> all = lines(bytes);
    assertThat(all.getLast().end()).isEqualTo(bytes.length);
    Path file = folder.resolve("pairs.csv");
    for (NamePairLine before : all.subList(0, 2)) {
      try (PairsFile rest = new PairsFile(file, before.end(), before.number())) {
        assertThat(rest.next(10)).isEqualTo(all.subList((int) before.number(), all.size()));
      }
    }
  }

  /** What people open in a spreadsheet calculates nothing. */
  @Test
  void rejectsHoldNoFormulas() {
    for (String formula : List.of("=cmd|' /C calc'!A0,x", "+1", "-1+2", "@SUM(A1)")) {
      assertThat(CsvLine.harmless(formula)).isEqualTo("'" + formula);
    }
    assertThat(CsvLine.harmless("\t=1")).isEqualTo("?=1");
    assertThat(CsvLine.harmless("a\u001b[2Jb\u202e")).isEqualTo("a?[2Jb?");
    assertThat(CsvLine.write(List.of("1", "why", "'=1,\"2\""))).isEqualTo("1,why,\"'=1,\"\"2\"\"\"\n");
  }
}
