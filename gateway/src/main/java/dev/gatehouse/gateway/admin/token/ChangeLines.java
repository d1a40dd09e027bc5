package dev.gatehouse.gateway.admin.token;

import dev.gatehouse.common.admin.TokenImport.Rejected;
import dev.gatehouse.gateway.admin.web.BadRequest;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A file of changes of tokens: lines of values that are separated by commas, the first of which names the columns.
 *
 * @param wrong lines that cannot be read
 */
record ChangeLines(List<Line> lines, List<Rejected> wrong) {

  private static final Set<String> COLUMNS = Set.of("action", "serial", "person", "by", "expires");
  private static final int LONGEST_SERIAL = 64;
  private static final int LONGEST_LINE = 2000;
  private static final int MOST_LINES = 50_000;

  /** What is to be done; each word of the file is a constant in lower case. */
  enum Action {
    ASSIGN,
    UNASSIGN,
    ENABLE,
    DISABLE,
    LOST,
    FOUND,
    REPLACE,
    EXPIRE;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A change.
   *
   * @param number of the line
   * @param person user name or id, of an assignment
   * @param by serial number of a replacement
   * @param expires the new end; empty if the token shall not expire
   */
  record Line(int number, Action action, String serial, String person, String by, Optional<Instant> expires) {}

  /** Reads the file, or throws {@link BadRequest} if its first line is wrong, or if it is too long. */
  static ChangeLines read(String content) {
    List<String> lines = (content.startsWith("\uFEFF") ? content.substring(1) : content).lines().toList();
    List<String> columns = lines.isEmpty() ? List.of() : values(lines.getFirst().toLowerCase(Locale.ROOT));
    if (!COLUMNS.containsAll(columns)
        || Set.copyOf(columns).size() != columns.size()
        || !columns.containsAll(List.of("action", "serial"))) {
      throw new BadRequest("The first line names the columns: action, serial, and if needed person, by and expires.");
    }
    if (lines.size() > MOST_LINES) {
      throw new BadRequest("The file has more than " + MOST_LINES + " lines: split it.");
    }
    List<Line> read = new ArrayList<>();
    List<Rejected> wrong = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        line(columns, i + 1, lines.get(i), read, wrong);
      }
    }
    if (read.isEmpty() && wrong.isEmpty()) {
      throw new BadRequest("The file has no line below its first one.");
    }
    return new ChangeLines(List.copyOf(read), List.copyOf(wrong));
  }

  private static List<String> values(String line) {
    return Arrays.stream(line.split(",", -1)).map(String::strip).toList();
  }

  private static void line(List<String> columns, int number, String text, List<Line> read, List<Rejected> wrong) {
    List<String> values = text.length() > LONGEST_LINE ? List.of() : values(text);
    if (values.size() != columns.size()) {
      wrong.add(new Rejected(number, "", "The line has not the " + columns.size() + " values that the first line names."));
      return;
    }
    String serial = value(columns, values, "serial");
    try {
      read.add(line(columns, values, number, serial));
    } catch (BadRequest e) {
      wrong.add(new Rejected(number, serial.length() > LONGEST_SERIAL ? serial.substring(0, LONGEST_SERIAL) : serial, String.valueOf(e.getMessage())));
    }
  }

  private static Line line(List<String> columns, List<String> values, int number, String serial) {
    String word = value(columns, values, "action");
    Action action =
        Arrays.stream(Action.values())
            .filter(one -> one.word().equals(word.toLowerCase(Locale.ROOT)))
            .findFirst()
            .orElseThrow(() -> new BadRequest("`action` is assign, unassign, enable, disable, lost, found, replace or expire."));
    if (serial.isEmpty() || serial.length() > LONGEST_SERIAL) {
      throw new BadRequest("`serial` is the serial number of a token.");
    }
    String person = value(columns, values, "person");
    String by = value(columns, values, "by");
    String expires = value(columns, values, "expires");
    requireOnly(action == Action.ASSIGN, person, "`person`, a user name or id, is for assign, which needs it.");
    requireOnly(action == Action.REPLACE, by, "`by`, the serial number of another token, is for replace, which needs it.");
    requireOnly(action == Action.EXPIRE, expires, "`expires`, a time like 2028-01-31T00:00:00Z or never, is for expire, which needs it.");
    Optional<Instant> end = expires.isEmpty() || expires.equals("never") ? Optional.empty() : Optional.of(time(expires));
    return new Line(number, action, serial, person, by, end);
  }

  private static void requireOnly(boolean isNeeded, String value, String sentence) {
    if (isNeeded == value.isEmpty()) {
      throw new BadRequest(sentence);
    }
  }

  private static Instant time(String text) {
    try {
      Instant time = Instant.parse(text);
      TokenEndpoint.requireStorable(Optional.of(time));
      return time;
    } catch (DateTimeException e) {
      throw new BadRequest("`expires` is a time like 2028-01-31T00:00:00Z, or never.");
    }
  }

  private static String value(List<String> columns, List<String> values, String column) {
    int at = columns.indexOf(column);
    return at < 0 ? "" : values.get(at);
  }
}
