package dev.gatehouse.idp.otp.seed;

import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.TokenType.Hash;
import dev.gatehouse.common.otp.TokenType.Kind;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Reads seeds from lines of values that are separated by commas. The first line names the columns, so that nobody guesses whether a seed is
 * hex or base32. Serial numbers and seeds have neither commas nor quotation marks, and nor has any other value.
 */
final class CsvSeeds {

  private static final String HEX = "seed_hex";
  private static final String BASE32 = "seed_base32";
  private static final Set<String> COLUMNS =
      Set.of("serial", HEX, BASE32, "type", "hash", "digits", "period", "counter", "expires", "suite");
  private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  private static final int LONGEST_LINE = 1000;

  private final List<String> columns;

  private CsvSeeds(List<String> columns) {
    this.columns = columns;
  }

  /** Reads the file, or throws {@link SeedFileUnreadable} if its header is wrong. */
  static List<SeedEntry> read(byte[] content) {
    String text = new String(content, StandardCharsets.UTF_8);
    List<String> lines = (text.startsWith("\uFEFF") ? text.substring(1) : text).lines().toList();
    List<String> columns = lines.isEmpty() ? List.of() : values(lines.getFirst().toLowerCase(Locale.ROOT));
    if (!COLUMNS.containsAll(columns)
        || Set.copyOf(columns).size() != columns.size()
        || !columns.contains("serial")
        || columns.contains(HEX) == columns.contains(BASE32)) {
      throw new SeedFileUnreadable(
          "The first line names the columns: serial, seed_hex or seed_base32, and if needed type, hash, digits, period, counter, expires,"
              + " suite.");
    }
    CsvSeeds file = new CsvSeeds(columns);
    List<SeedEntry> entries = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        entries.add(file.entry(i + 1, lines.get(i)));
      }
    }
    if (entries.isEmpty()) {
      throw new SeedFileUnreadable("The file has no line below its header.");
    }
    return entries;
  }

  private static List<String> values(String line) {
    return Arrays.stream(line.split(",", -1)).map(String::strip).toList();
  }

  private SeedEntry entry(int number, String line) {
    List<String> values = line.length() > LONGEST_LINE ? List.of() : values(line);
    if (values.size() != columns.size()) {
      return new SeedEntry.Unusable(number, "", "The line has not the " + columns.size() + " values that the first line names.");
    }
    String serial = value(values, "serial").orElse("");
    try {
      Kind kind = word(Kind.class, value(values, "type").orElse("totp"), "`type` is totp, hotp or ocra.");
      if (kind == Kind.APP) {
        throw new SeedFileUnreadable("`type` is totp, hotp or ocra; people set up authenticator apps themselves.");
      }
      Optional<Instant> expires = value(values, "expires").map(CsvSeeds::time);
      byte[] secret = columns.contains(HEX) ? hex(value(values, HEX).orElse("")) : base32(value(values, BASE32).orElse(""));
      int counter = kind.hasClock() ? 0 : number(values, "counter", 0);
      return SeedEntry.of(number, serial, type(kind, values), secret, counter, expires);
    } catch (SeedFileUnreadable e) {
      return new SeedEntry.Unusable(number, serial.length() > 64 ? serial.substring(0, 64) : serial, e.sentence());
    }
  }

  private TokenType type(Kind kind, List<String> values) {
    Optional<String> suite = value(values, "suite");
    if (suite.isPresent() != (kind == Kind.OCRA)) {
      throw new SeedFileUnreadable("`suite`, as in OCRA-1:HOTP-SHA1-6:QN08, is for tokens of type ocra, which need it.");
    }
    if (suite.isPresent()) {
      return OcraSeeds.read(suite.get()).type();
    }
    Hash hash = word(Hash.class, value(values, "hash").orElse("sha1").replace("-", ""), "`hash` is sha1, sha256 or sha512.");
    int digits = number(values, "digits", 6);
    int period = kind == Kind.HOTP ? 0 : number(values, "period", 30);
    if (digits < 6 || digits > 8 || kind == Kind.TOTP && period != 30 && period != 60) {
      throw new SeedFileUnreadable("`digits` is 6, 7 or 8, and `period` 30 or 60.");
    }
    return new TokenType(kind, hash, digits, period);
  }

  private Optional<String> value(List<String> values, String column) {
    int at = columns.indexOf(column);
    return at < 0 ? Optional.empty() : Optional.of(values.get(at)).filter(value -> !value.isEmpty());
  }

  private int number(List<String> values, String column, int usual) {
    Optional<String> text = value(values, column);
    if (text.filter(value -> !value.matches("[0-9]{1,9}")).isPresent()) {
      throw new SeedFileUnreadable("`" + column + "` is not a number.");
    }
    return text.map(Integer::parseInt).orElse(usual);
  }

  private static <E extends Enum<E>> E word(Class<E> type, String text, String sentence) {
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> constant.name().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(() -> new SeedFileUnreadable(sentence));
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new SeedFileUnreadable("`expires` is a time like 2028-01-31T00:00:00Z.");
    }
  }

  private static byte[] hex(String text) {
    try {
      return HexFormat.of().parseHex(text);
    } catch (IllegalArgumentException e) {
      throw new SeedFileUnreadable("`seed_hex` is no hex.");
    }
  }

  /** RFC 4648, section 6; with or without padding. */
  private static byte[] base32(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int buffer = 0;
    int bits = 0;
    for (char c : text.replaceFirst("=+$", "").toUpperCase(Locale.ROOT).toCharArray()) {
      int value = ALPHABET.indexOf(c);
      if (value < 0) {
        throw new SeedFileUnreadable("`seed_base32` is no base32.");
      }
      buffer = (buffer << 5 | value) & 0xfff;
      bits += 5;
      if (bits >= 8) {
        bits -= 8;
        bytes.write(buffer >> bits & 0xff);
      }
    }
    return bytes.toByteArray();
  }
}
