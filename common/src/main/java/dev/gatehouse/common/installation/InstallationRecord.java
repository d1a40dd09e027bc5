package dev.gatehouse.common.installation;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/**
 * The installation's record in each store.
 *
 * @param id identifies the installation; never changes
 * @param generation raised at each start, orderly stop, recovery and restore
 * @param raising a change of generation under way: the other stores have this generation or the next
 */
public record InstallationRecord(String id, long generation, Optional<Raising> raising) {

  private static final int ID_BYTES = 16;

  /**
   * A change of generation under way.
   *
   * @param to the generation that all stores get
   * @param replaced stores that a recovery or a restore replaces at the same time; none at a start
   */
  public record Raising(long to, Set<StoreName> replaced) {
    public Raising {
      replaced = Set.copyOf(replaced);
    }
  }

  /** Creates the record of a new installation, before any store has one. */
  public static InstallationRecord create(RandomGenerator random) {
    byte[] id = new byte[ID_BYTES];
    random.nextBytes(id);
    return new InstallationRecord(HexFormat.of().formatHex(id), 0, Optional.empty());
  }

  /** Returns the highest generation that any store can have by this record. */
  public long latest() {
    return raising.map(Raising::to).orElse(generation);
  }

  /** Returns whether a recovery or a restore that replaces the store has begun and not ended. */
  public boolean isReplacing(StoreName store) {
    return raising.filter(change -> change.replaced().contains(store)).isPresent();
  }

  /** Returns this record with a change of generation begun. */
  public InstallationRecord raisingTo(long next, Set<StoreName> replaced) {
    return new InstallationRecord(id, generation, Optional.of(new Raising(next, replaced)));
  }

  /** Returns this record with the change under way, if any, finished. */
  public InstallationRecord finished() {
    return at(latest());
  }

  /** Returns this record with the change finished. */
  InstallationRecord at(long next) {
    return new InstallationRecord(id, next, Optional.empty());
  }

  /** Returns lines for {@link #parse}, with a checksum. */
  public String format() {
    StringBuilder text = new StringBuilder("# Written by gatehouse. Which installation this belongs to, and its generation.\n");
    text.append("id=").append(id).append('\n');
    text.append("generation=").append(generation).append('\n');
    raising.ifPresent(
        change -> {
          text.append("raising=").append(change.to()).append('\n');
          text.append("replaced=").append(words(change.replaced())).append('\n');
        });
    return text + "check=" + checksum(text.toString()) + "\n";
  }

  /** Parses the result of {@link #format}; empty for anything else. */
  public static Optional<InstallationRecord> parse(String text) {
    int check = text.lastIndexOf("check=");
    if (check < 0 || !text.substring(check).equals("check=" + checksum(text.substring(0, check)) + "\n")) {
      return Optional.empty();
    }
    Properties lines = new Properties();
    try {
      lines.load(new StringReader(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try {
      Optional<Raising> raising =
          Optional.ofNullable(lines.getProperty("raising"))
              .map(to -> new Raising(Long.parseLong(to), stores(lines.getProperty("replaced", ""))));
      return Optional.of(
          new InstallationRecord(
              lines.getProperty("id", ""), Long.parseLong(lines.getProperty("generation", "")), raising));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String words(Set<StoreName> stores) {
    return new TreeSet<>(stores).stream().map(StoreName::word).collect(Collectors.joining(","));
  }

  private static Set<StoreName> stores(String words) {
    return List.of(words.split(",", -1)).stream()
        .filter(word -> !word.isEmpty())
        .map(word -> StoreName.of(word).orElseThrow(() -> new IllegalArgumentException(word)))
        .collect(Collectors.toSet());
  }

  private static String checksum(String text) {
    CRC32C sum = new CRC32C();
    sum.update(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().toHexDigits((int) sum.getValue());
  }
}
