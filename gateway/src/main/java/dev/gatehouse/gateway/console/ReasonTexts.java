package dev.gatehouse.gateway.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the reasons of refusals mean: the tables of {@code docs/reference/reasons.md}, which is in the jar. */
final class ReasonTexts {

  /**
   * What a reason means.
   *
   * @param remedy what to do; may be empty
   */
  record Meaning(String meaning, String remedy) {}

  private static final String PAGE = "/reference/reasons.md";
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)]\\([^)]*\\)");
  private static final Map<String, List<Meaning>> TEXTS = read();

  private ReasonTexts() {}

  /** Returns what a reason means, in messages of each kind; empty if the page does not say. */
  static List<Meaning> of(String reason) {
    return TEXTS.getOrDefault(reason, List.of());
  }

  /** A build of classes alone has no page; then reasons are shown without their meanings. */
  private static Map<String, List<Meaning>> read() {
    try (InputStream in = ReasonTexts.class.getResourceAsStream(PAGE)) {
      return in == null ? Map.of() : texts(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Map<String, List<Meaning>> texts(List<String> lines) {
    Map<String, List<Meaning>> texts = new HashMap<>();
    List<String> heading = List.of();
    for (String line : lines) {
      List<String> cells = cells(line);
      if (cells.isEmpty()) {
        heading = List.of();
      } else if (heading.isEmpty()) {
        heading = cells;
      } else if (heading.getFirst().equals("code")) {
        Meaning meaning = new Meaning(cell(heading, cells, "meaning", "what is wrong"), cell(heading, cells, "what to do"));
        Matcher codes = CODE.matcher(cells.getFirst());
        while (codes.find()) {
          add(texts.computeIfAbsent(codes.group(1), code -> new ArrayList<>()), meaning);
        }
      }
    }
    return texts;
  }

  private static void add(List<Meaning> meanings, Meaning meaning) {
    if (!meanings.contains(meaning)) {
      meanings.add(meaning);
    }
  }

  private static List<String> cells(String line) {
    return line.startsWith("|") ? List.of(line.substring(1).split("\\s*\\|\\s*")).stream().map(String::strip).toList() : List.of();
  }

  private static String cell(List<String> heading, List<String> cells, String... names) {
    for (String name : names) {
      int column = heading.indexOf(name);
      if (column >= 0 && column < cells.size()) {
        return LINK.matcher(cells.get(column)).replaceAll("$1").replace("`", "");
      }
    }
    return "";
  }
}
