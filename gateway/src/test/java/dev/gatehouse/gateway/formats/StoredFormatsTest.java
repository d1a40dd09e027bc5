package dev.gatehouse.gateway.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.common.store.UnknownFormat;
import dev.gatehouse.gateway.formats.StoredCodecs.Found;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Records of each codec, as recorded when their format was new, are read, and written in the same bytes. A changed format needs a number of
 * its own and a record of it, which {@code -Dformats.record=true} writes once: see CONTRIBUTING.
 */
class StoredFormatsTest {

  private static final Path RECORDED = Path.of("src/test/resources/formats");
  private static final HexFormat HEX = HexFormat.of();

  private final List<Found> codecs = StoredCodecs.all();

  private static List<byte[]> written(Found found) {
    return Stream.of(true, false)
        .map(full -> found.codec().encode(new Examples(full).of(found.type(), "value")))
        .toList();
  }

  private static int format(Found found, List<byte[]> written) {
    return found.codec() instanceof PackedCodec<?> packed ? packed.version() : written.getFirst()[0];
  }

  private static Path file(Found found, int format) {
    return RECORDED.resolve(found.name() + "-" + format + ".txt");
  }

  private static List<byte[]> read(Path file) throws IOException {
    return Files.readAllLines(file).stream().filter(line -> !line.startsWith("#")).map(HEX::parseHex).toList();
  }

  @Test
  void allCodecsAreFound() {
    assertThat(codecs).extracting(Found::name).contains("AppSessionCodec", "IdpSessionCodec", "AuthorizationCodec", "json.LogoutNotice");
    assertThat(codecs).hasSizeGreaterThan(35);
  }

  @Test
  void recordsAreWrittenAsTheyWereRecorded() throws IOException {
    List<String> changed = new ArrayList<>();
    for (Found found : codecs) {
      List<byte[]> written = written(found);
      Path file = file(found, format(found, written));
      if (Boolean.getBoolean("formats.record") && !Files.exists(file)) {
        String lines = written.stream().map(HEX::formatHex).collect(Collectors.joining("\n", "", "\n"));
        Files.writeString(file, "# " + found.type().getTypeName() + ": with everything, and with as little as possible\n" + lines);
      }
      if (!Files.exists(file)) {
        changed.add(file.getFileName() + " is missing: a new format is recorded with -Dformats.record=true");
      } else if (!same(read(file), written)) {
        changed.add(found.name() + " writes other bytes than " + file.getFileName() + ": it needs the next format number");
      }
    }
    assertThat(changed).isEmpty();
  }

  private static boolean same(List<byte[]> some, List<byte[]> others) {
    return Arrays.deepEquals(some.toArray(), others.toArray());
  }

  @Test
  void whatFormerVersionsWroteIsRead() throws IOException {
    Map<String, Found> byName = codecs.stream().collect(Collectors.toMap(Found::name, Function.identity()));
    List<String> unread = new ArrayList<>();
    try (Stream<Path> files = Files.list(RECORDED)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        Found found = byName.get(name.substring(0, name.lastIndexOf('-')));
        if (found == null) {
          unread.add(name + " is of no codec");
          continue;
        }
        boolean isPresent = file.equals(file(found, format(found, written(found))));
        for (byte[] bytes : read(file)) {
          try {
            Object value = found.codec().decode(bytes);
            if (isPresent && !Arrays.equals(found.codec().encode(value), bytes)) {
              unread.add(name + " loses something");
            }
          } catch (RuntimeException e) {
            unread.add(name + ": " + e.getMessage());
          }
        }
      }
    }
    assertThat(unread).isEmpty();
  }

  /** The version after this one has added fields at the end, in a record of the next number. */
  @Test
  void theNextFormatIsReadByTheFieldsThatAreKnown() {
    for (Found found : numbered()) {
      byte[] own = written(found).getFirst();
      byte[] next = Arrays.copyOf(own, own.length + (isJson(found) ? 0 : 5));
      next[0] = (byte) (format(found, List.of(own)) + 1);
      byte[] read = found.codec().encode(found.codec().decode(next));
      assertThat(read).as(found.name()).isEqualTo(own);
    }
  }

  @Test
  void aFormatThatIsFurtherAwayIsRefusedByItsNumber() {
    for (Found found : numbered()) {
      byte[] far = written(found).getFirst().clone();
      int number = format(found, List.of(far)) + 2;
      far[0] = (byte) number;
      assertThatThrownBy(() -> found.codec().decode(far))
          .as(found.name())
          .isInstanceOf(UnknownFormat.class)
          .hasMessageContaining("is of format " + number + ", and this version of Gatehouse reads ");
    }
  }

  private List<Found> numbered() {
    return codecs.stream().filter(found -> found.codec() instanceof PackedCodec<?> || isJson(found)).toList();
  }

  private static boolean isJson(Found found) {
    return found.codec() instanceof JsonCodec<?>;
  }
}
