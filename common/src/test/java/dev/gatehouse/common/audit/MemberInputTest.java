package dev.gatehouse.common.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is archived is read again, from any place, or is found to be damaged. */
class MemberInputTest {

  private static final int MOST = MemberHead.MOST;
  private static final Path FILE = Path.of("audit-1.jsonl.gz");

  private static byte[] content(int length) {
    SplittableRandom random = new SplittableRandom(7);
    byte[] content = new byte[length];
    for (int i = 0; i < length; i++) {
      content[i] = (byte) ('a' + random.nextInt(16));
    }
    return content;
  }

  private static byte[] archived(byte[] content) throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    MemberOutput out = new MemberOutput(file);
    // Not in the pieces of which members are.
    int half = content.length / 2;
    out.write(content, 0, half);
    out.write(content, half, content.length - half);
    out.finish();
    return file.toByteArray();
  }

  private static InputStream open(byte[] file) throws IOException {
    return MemberInput.of(new ByteArrayInputStream(file), FILE);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, MOST - 1, MOST, MOST + 1, 3 * MOST + 17})
  void whatWasWrittenIsReadByOtherProgramsToo(int length) throws IOException {
    byte[] content = content(length);
    byte[] file = archived(content);
    assertThat(open(file).readAllBytes()).isEqualTo(content);
    assertThat(new GZIPInputStream(new ByteArrayInputStream(file)).readAllBytes()).isEqualTo(content);
  }

  @Test
  void everyPlaceIsFound() throws IOException {
    byte[] content = content(5 * MOST + 100);
    byte[] file = archived(content);
    SplittableRandom random = new SplittableRandom(11);
    for (int i = 0; i < 100; i++) {
      int[] places = random.ints(4, 0, content.length).sorted().toArray();
      InputStream in = open(file);
      int at = 0;
      for (int place : places) {
        int from = Math.max(at, place);
        int length = Math.min(random.nextInt(500), content.length - from);
        in.skipNBytes(from - at);
        assertThat(in.readNBytes(length)).isEqualTo(Arrays.copyOfRange(content, from, from + length));
        at = from + length;
      }
    }
    for (int member = 0; member <= 5; member++) {
      InputStream in = open(file);
      in.skipNBytes((long) member * MOST);
      assertThat(in.read()).isEqualTo(content[member * MOST]);
    }
    InputStream in = open(file);
    in.skipNBytes(content.length);
    assertThat(in.read()).isEqualTo(-1);
    assertThat(in.skip(1)).isZero();
  }

  /** A page at the end of a file costs as much as one at its begin. */
  @Test
  void membersBeforeAPlaceAreNotRead() throws IOException {
    int members = 40;
    byte[] content = content(members * MOST);
    byte[] file = archived(content);
    long[] read = {0};
    InputStream counted =
        new FilterInputStream(new ByteArrayInputStream(file)) {
          @Override
          public int read(byte[] to, int from, int length) throws IOException {
            int count = super.read(to, from, length);
            read[0] += Math.max(0, count);
            return count;
          }
        };
    InputStream in = MemberInput.of(counted, FILE);
    int place = content.length - MOST + 5;
    in.skipNBytes(place);
    assertThat(in.readNBytes(300)).isEqualTo(Arrays.copyOfRange(content, place, place + 300));
    assertThat(read[0]).isBetween(1L, 2L * file.length / members);
  }

  private static Optional<byte[]> read(byte[] file) {
    try {
      return Optional.of(open(file).readAllBytes());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  @Test
  void everyFlippedBitIsFoundUnlessItChangesNothing() throws IOException {
    byte[] content = content(300);
    byte[] file = archived(content);
    for (int i = 0; i < 8 * file.length; i++) {
      byte[] flipped = file.clone();
      flipped[i / 8] ^= (byte) (1 << (i % 8));
      assertThat(read(flipped).orElse(content)).as("bit %d", i).isEqualTo(content);
      if (i < 8 * MemberHead.LENGTH) {
        assertThat(read(flipped)).as("bit %d of the head", i).isEmpty();
      }
    }
  }

  @Test
  void aDamagedHeadIsFoundByThoseWhoPassIt() throws IOException {
    byte[] content = content(3 * MOST);
    byte[] file = archived(content);
    int second = MemberHead.LENGTH + MemberHead.of(Arrays.copyOf(file, MemberHead.LENGTH)).size();
    for (int i = 0; i < MemberHead.LENGTH; i++) {
      byte[] flipped = file.clone();
      flipped[second + i] ^= 1;
      InputStream in = open(flipped);
      assertThat(in.readNBytes(MOST)).isEqualTo(Arrays.copyOf(content, MOST));
      assertThatThrownBy(() -> in.skipNBytes(2 * MOST)).isInstanceOf(ZipException.class).hasMessageContaining(FILE + " is damaged");
      // Who reads on does not get what is behind the damage.
      assertThatThrownBy(in::read).isInstanceOf(ZipException.class);
      assertThatThrownBy(() -> in.skip(1)).isInstanceOf(ZipException.class);
    }
  }

  @Test
  void aFileThatIsCutOffOrGoesOnIsFound() throws IOException {
    byte[] file = archived(content(300));
    for (int length = 0; length < file.length; length++) {
      assertThat(read(Arrays.copyOf(file, length))).as("%d bytes", length).isEmpty();
    }
    assertThat(read(Arrays.copyOf(file, file.length + 1))).isEmpty();
    // Behind its first member: other programs do not find that.
    byte[] two = archived(content(MOST + 1));
    int first = MemberHead.LENGTH + MemberHead.of(Arrays.copyOf(two, MemberHead.LENGTH)).size();
    assertThat(read(Arrays.copyOf(two, first))).isEmpty();
  }

  @Test
  void aFileOfAFormerVersionIsRead(@TempDir Path folder) throws IOException {
    byte[] content = content(2 * MOST);
    Path file = folder.resolve("audit-1.jsonl.gz");
    try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(content);
    }
    try (InputStream in = MemberInput.open(file)) {
      in.skipNBytes(MOST + 1);
      assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(content, MOST + 1, content.length));
    }
    Files.write(file, archived(content));
    try (InputStream in = MemberInput.open(file)) {
      in.skipNBytes(MOST + 1);
      assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(content, MOST + 1, content.length));
    }
  }
}
