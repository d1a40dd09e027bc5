package dev.gatehouse.common.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.key.SealingKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * An envelope around stored records, as the version wrote it that brought its layout: {@code src/test/resources/envelopes/NAME-NUMBER.txt}. Today's
 * code reads all that are recorded, and writes the last one. Keys, times and random bytes are the same each time.
 */
public record RecordedEnvelope(String name) {

  private static final Path RECORDED = Path.of("src/test/resources/envelopes");
  private static final HexFormat HEX = HexFormat.of();

  /** A sealing key that is the same each time. @param use each has another: a cipher refuses to use a key and a nonce twice */
  public static SealingKey key(String use) {
    return SealingKey.of(Sha256.of(use), random());
  }

  /** Random bytes that count. */
  public static RandomGenerator random() {
    return new RandomGenerator() {
      private byte next;

      @Override
      public void nextBytes(byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
          bytes[i] = next++;
        }
      }

      @Override
      public long nextLong() {
        return next++;
      }
    };
  }

  /**
   * Compares and reads bytes.
   *
   * @param written by today's code
   * @param read what today's code finds in such bytes
   * @param content what it is to find
   */
  public void isKept(byte[] written, Function<byte[], ?> read, Object content) throws IOException {
    isKept(HEX.formatHex(written), text -> read.apply(HEX.parseHex(text)), content);
  }

  /** As above, for text. */
  public void isKept(String written, Function<String, ?> read, Object content) throws IOException {
    TreeMap<Integer, String> recorded = recorded(written, false);
    assertThat(recorded.isEmpty() ? "nothing" : recorded.lastEntry().getValue())
        .as(
            "%s is written in another layout than is recorded last (%s) in %s. Nodes of the version before do not read it, and they share stores,"
                + " cookies and disks with this one. Let this version read both layouts and write the recorded one; the next release writes"
                + " the new one, which -Dformats.record=true records beside the former (decision 450)",
            name, recorded.keySet(), RECORDED)
        .isEqualTo(written);
    areRead(recorded, read, content);
  }

  /** Reads only: for bytes that may differ from one machine to the other, as compressed ones do. */
  public void isRead(byte[] written, Function<byte[], ?> read, Object content) throws IOException {
    TreeMap<Integer, String> recorded = recorded(HEX.formatHex(written), true);
    assertThat(recorded).as("%s is recorded with -Dformats.record=true", name).isNotEmpty();
    areRead(recorded, text -> read.apply(HEX.parseHex(text)), content);
  }

  private void areRead(TreeMap<Integer, String> recorded, Function<String, ?> read, Object content) {
    recorded.forEach(
        (number, text) ->
            assertThatCode(() -> assertThat((Object) read.apply(text)).isEqualTo(content))
                .as(
                    "%s-%d.txt, as a former version wrote it, is not read any more: what nodes, browsers and disks hold would be lost at an"
                        + " upgrade. Read this layout as long as such values may live (decision 450)",
                    name, number)
                .doesNotThrowAnyException());
  }

  private TreeMap<Integer, String> recorded(String written, boolean once) throws IOException {
    TreeMap<Integer, String> recorded = recorded();
    if (Boolean.getBoolean("formats.record") && !recorded.containsValue(written) && !(once && !recorded.isEmpty())) {
      int number = recorded.isEmpty() ? 1 : recorded.lastKey() + 1;
      Files.createDirectories(RECORDED);
      Files.writeString(RECORDED.resolve(name + "-" + number + ".txt"), written + "\n");
      recorded.put(number, written);
    }
    return recorded;
  }

  private TreeMap<Integer, String> recorded() throws IOException {
    TreeMap<Integer, String> found = new TreeMap<>();
    if (Files.isDirectory(RECORDED)) {
      try (Stream<Path> files = Files.list(RECORDED)) {
        for (Path file : files.filter(each -> each.getFileName().toString().matches("\\Q" + name + "\\E-[0-9]+\\.txt")).toList()) {
          List<String> lines = Files.readAllLines(file);
          String number = file.getFileName().toString().substring(name.length() + 1).replace(".txt", "");
          found.put(Integer.valueOf(number), String.join("\n", lines));
        }
      }
    }
    return found;
  }
}
