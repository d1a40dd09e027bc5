package dev.gatehouse.gateway.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A table of a reference page, below a comment that says what it lists, for example {@code <!-- enum: CLASS -->}.
 *
 * @param page its file name
 * @param line of the comment, from 1
 * @param kind the word before the colon
 * @param of what stands behind it; may be empty
 * @param rows the cells, without the heading
 */
record ReferenceTable(String page, int line, String kind, String of, List<List<String>> rows) {

  private static final Path FOLDER = Path.of("../docs/reference");
  private static final Pattern MARK = Pattern.compile("<!-- (enum|events|literals|metrics|routes)(?:: (.+?))? -->");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern ENUM = Pattern.compile("([\\w.$]+)(?: prefix (\\w+))?(?: case (lower|lower-hyphen))?");

  /** The marked tables of a page in {@code docs/reference}. */
  static List<ReferenceTable> in(String page) {
    List<String> lines = lines(page);
    List<ReferenceTable> tables = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      Matcher mark = MARK.matcher(lines.get(i));
      if (mark.matches()) {
        String of = Optional.ofNullable(mark.group(2)).orElse("");
        tables.add(new ReferenceTable(page, i + 1, mark.group(1), of, rows(page, lines, i + 1)));
      }
    }
    assertThat(tables).as(page + ": marked tables").isNotEmpty();
    return tables;
  }

  static List<ReferenceTable> in(String page, String kind) {
    return in(page).stream().filter(table -> table.kind().equals(kind)).toList();
  }

  static List<String> lines(String page) {
    try {
      return Files.readAllLines(FOLDER.resolve(page));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An empty line, the heading, its rule, and the rows. */
  private static List<List<String>> rows(String page, List<String> lines, int from) {
    int first = from + 3;
    assertThat(lines.size()).as("%s:%d: a table follows", page, from).isGreaterThan(first);
    assertThat(lines.get(first - 1)).as("%s:%d: the rule below a table's heading", page, first).startsWith("|---");
    return lines.subList(first, lines.size()).stream().takeWhile(line -> line.startsWith("|")).map(ReferenceTable::cells).toList();
  }

  private static List<String> cells(String row) {
    return Arrays.stream(row.substring(1, row.length() - 1).split("\\|", -1)).map(String::strip).toList();
  }

  /** What stands in backquotes in a column, row by row. */
  List<String> codes(int column) {
    return rows.stream().flatMap(row -> codes(row.get(column))).toList();
  }

  static Stream<String> codes(String text) {
    return CODE.matcher(text).results().map(found -> found.group(1));
  }

  String place() {
    return page + ":" + line;
  }

  /** Every table of an enum on that page lists all of its constants, and nothing else. */
  static void assertEnumsAreListed(String page) {
    for (ReferenceTable table : in(page, "enum")) {
      Matcher of = ENUM.matcher(table.of());
      assertThat(of.matches()).as(table.place() + ": an enum's class").isTrue();
      assertThat(table.codes(0))
          .as("%s: the constants of %s", table.place(), of.group(1))
          .containsExactlyInAnyOrderElementsOf(constants(of.group(1), Optional.ofNullable(of.group(2)), Optional.ofNullable(of.group(3))));
    }
  }

  private static List<String> constants(String name, Optional<String> prefix, Optional<String> spelling) {
    Object[] constants = type(name).getEnumConstants();
    assertThat(constants).as(name + " is an enum").isNotNull();
    return Arrays.stream(constants)
        .map(constant -> prefix.orElse("") + ((Enum<?>) constant).name())
        .map(
            constant ->
                switch (spelling.orElse("")) {
                  case "lower" -> constant.toLowerCase(Locale.ROOT);
                  case "lower-hyphen" -> constant.toLowerCase(Locale.ROOT).replace('_', '-');
                  default -> constant;
                })
        .toList();
  }

  static Class<?> type(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError("a page names a class that is not there: " + name, e);
    }
  }
}
