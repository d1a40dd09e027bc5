package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gatehouse.common.installation.StoreDamaged;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.h2.store.fs.FilePath;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Checksums over H2's whole file: damage is detected, and the traces of kill -9 are not taken for damage. */
class DatabaseSumsTest {

  private static final int ROWS = 200;

  /** Each opens the database; the next run tries other bits. */
  private static final int TRIES = 20;

  private static final int BLOCK = 4096;
  private static final String SUM = "(?<=fletcher:[0-9a-f]{1,8}),sum:[0-9a-f]{8}";

  @TempDir Path folder;
  private Path data;
  private Path file;
  private Path killed;

  @BeforeEach
  void fill() throws IOException {
    data = folder.resolve("data");
    file = data.resolve("h2/gatehouse.mv.db");
    killed = folder.resolve("killed");
    try (H2Database database = Database.embedded(data)) {
      JdbcClient jdbc = JdbcClient.create(database.dataSource());
      jdbc.sql("create table filled (id integer primary key, content varchar(1000))").update();
      for (int i = 0; i < ROWS; i++) {
        insert(jdbc, i);
      }
      copy(data, killed);
    }
  }

  private static void insert(JdbcClient jdbc, int row) {
    jdbc.sql("insert into filled (id, content) values (?, ?)").params(row, content(row)).update();
  }

  private static String content(int row) {
    return (row + "text").repeat(60);
  }

  @Test
  void oneFlippedBitAnywhereIsNoticedOrOfNoUseInWhatKillNineLeaves() throws IOException {
    flipAnywhere(killed);
  }

  @Test
  void oneFlippedBitAnywhereIsNoticedOrOfNoUseAfterAnOrderlyStop() throws IOException {
    flipAnywhere(data);
  }

  /** Flips a bit of the file each time, at random in each of as many parts of the same size. */
  private static void flipAnywhere(Path image) throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Path database = image.resolve("h2/gatehouse.mv.db");
    byte[] whole = Files.readAllBytes(database);
    byte[] last = Files.readAllBytes(image.resolve("h2/gatehouse.last"));
    int found = 0;
    for (int i = 0; i < TRIES; i++) {
      byte[] damaged = whole.clone();
      damaged[i * (whole.length / TRIES) + random.nextInt(whole.length / TRIES)] ^= (byte) (1 << random.nextInt(8));
      Files.write(database, damaged);
      Files.write(image.resolve("h2/gatehouse.last"), last);
      found += isNoticed(image, "seed " + seed + " try " + i) ? 1 : 0;
    }
    assertThat(found).isPositive();
  }

  /** If the damage is not found, every row is as it was written. */
  private static boolean isNoticed(Path image, String as) {
    try (H2Database database = Database.embedded(image)) {
      assertRows(database, ROWS, as);
      return false;
    } catch (StoreDamaged e) {
      assertThat(e.getMessage()).contains(image.resolve("h2/gatehouse.mv.db").toString(), "--accept-loss h2");
      return true;
    }
  }

  private static void assertRows(Database database, int rows, String as) {
    List<String> found =
        JdbcClient.create(database.dataSource()).sql("select content from filled order by id").query(String.class).list();
    assertThat(found).as(as).hasSize(rows);
    for (int i = 0; i < rows; i++) {
      assertThat(found.get(i)).as(as).isEqualTo(content(i));
    }
  }

  @Test
  void aBitOfAStoredTextIsNoticedWhereverItIs() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    byte[] text = "77text77text77text".getBytes(StandardCharsets.US_ASCII);
    int copies = 0;
    for (int at = 0; at < whole.length - text.length; at++) {
      if (Arrays.equals(whole, at, at + text.length, text, 0, text.length)) {
        byte[] damaged = whole.clone();
        damaged[at] ^= 1;
        Files.write(file, damaged);
        copies += isNoticed(data, "at " + at) ? 1 : 0;
        at += BLOCK;
      }
    }
    assertThat(copies).isPositive();
  }

  @Test
  void whatWasCutOffRightAfterItWasAcknowledgedIsNoticed() throws IOException {
    Path former = folder.resolve("former");
    copy(killed, former);
    try (H2Database database = Database.embedded(killed)) {
      insert(JdbcClient.create(database.dataSource()), ROWS);
      Path then = folder.resolve("then");
      copy(killed, then);
      Files.copy(former.resolve("h2/gatehouse.mv.db"), replaced(then.resolve("h2/gatehouse.mv.db")));
      assertThatExceptionOfType(StoreDamaged.class)
          .isThrownBy(() -> Database.embedded(then))
          .withMessageContaining("ends with change");
    }
  }

  private static Path replaced(Path file) throws IOException {
    Files.delete(file);
    return file;
  }

  @Test
  void aWriteThatKillNineCutOffIsForgiven() throws IOException {
    Path before = folder.resolve("before");
    Path after = folder.resolve("after");
    try (H2Database database = Database.embedded(killed)) {
      JdbcClient jdbc = JdbcClient.create(database.dataSource());
      insert(jdbc, ROWS);
      copy(killed, before);
      insert(jdbc, ROWS + 1);
      copy(killed, after);
    }
    byte[] from = Files.readAllBytes(before.resolve("h2/gatehouse.mv.db"));
    byte[] to = Files.readAllBytes(after.resolve("h2/gatehouse.mv.db"));
    byte[] padded = Arrays.copyOf(from, Math.max(from.length, to.length));
    int first = Arrays.mismatch(Arrays.copyOfRange(padded, 2 * BLOCK, to.length), Arrays.copyOfRange(to, 2 * BLOCK, to.length));
    int begin = 2 * BLOCK + first;
    int tried = 0;
    for (int end = begin; end < to.length && tried < TRIES; end += 3 * 512 + 7, tried++) {
      // The bytes up to here were written; those behind are unchanged, and so are the header and the record.
      byte[] torn = Arrays.copyOf(from, Math.max(from.length, Math.min(end, to.length)));
      System.arraycopy(to, begin, torn, begin, Math.min(end, torn.length) - begin);
      Path image = folder.resolve("torn" + tried);
      copy(before, image);
      Files.write(image.resolve("h2/gatehouse.mv.db"), torn);
      try (H2Database database = Database.embedded(image)) {
        int rows = JdbcClient.create(database.dataSource()).sql("select count(*) from filled").query(Integer.class).single();
        assertThat(rows).isBetween(ROWS + 1, ROWS + 2);
        assertRows(database, rows, "torn at " + end);
      }
    }
    assertThat(tried).isPositive();
  }

  @Test
  void aFileOfTheFormerVersionIsReadAndCheckedFromThenOn() throws IOException {
    Path database = killed.resolve("h2/gatehouse.mv.db");
    String with = Files.readString(database, StandardCharsets.ISO_8859_1);
    // The former version differs only by the missing checksums.
    String former = with.replaceAll(SUM, " ".repeat(13));
    assertThat(former).isNotEqualTo(with);
    Files.writeString(database, former, StandardCharsets.ISO_8859_1);
    Files.delete(killed.resolve("h2/gatehouse.last"));
    open(database);
    assertThat(Files.readString(database, StandardCharsets.ISO_8859_1)).containsPattern(SUM);
    try (Database opened = Database.embedded(killed)) {
      assertRows(opened, ROWS, "former");
    }
    flipAnywhere(killed);
  }

  /** Computes it as H2 does. */
  private static void open(Path database) throws IOException {
    CheckedFilePath.register();
    try (FileChannel channel = FilePath.get("checked:" + database).open("rw")) {
      assertThat(channel.tryLock(0, Long.MAX_VALUE, false)).isNotNull();
    }
  }

  @Test
  void whatIsDamagedWhileTheFileIsOpenIsNoticedByTheNextRead() throws IOException {
    CheckedFilePath.register();
    int at = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).indexOf("77text77text");
    try (FileChannel channel = FilePath.get("checked:" + file).open("rw")) {
      assertThat(channel.tryLock(0, Long.MAX_VALUE, false)).isNotNull();
      ByteBuffer some = ByteBuffer.allocate(10);
      channel.read(some, at);
      assertThat(new String(some.array(), StandardCharsets.US_ASCII)).isEqualTo("77text77te");
      try (FileChannel raw = FileChannel.open(file, StandardOpenOption.WRITE)) {
        raw.write(ByteBuffer.wrap(new byte[] {'6'}), at);
      }
      assertThatExceptionOfType(FileDamaged.class).isThrownBy(() -> channel.read(some.clear(), at));
    }
  }

  @Test
  void goesOnThroughChangesCompactionAndRestarts() {
    for (int round = 0; round < 4; round++) {
      try (H2Database database = Database.embedded(data)) {
        JdbcClient jdbc = JdbcClient.create(database.dataSource());
        for (int i = 0; i < ROWS; i++) {
          jdbc.sql("update filled set content = ? where id = ?").params("short", i).update();
          jdbc.sql("update filled set content = ? where id = ?").params(content(i), i).update();
        }
        assertRows(database, ROWS, "round " + round);
        assertThat(database.problem()).isEmpty();
      }
    }
  }

  @Test
  void aBackupIsACopyThatOpensEvenWhereFreeSpaceHoldsHalfAChunk() throws IOException {
    Path restored = folder.resolve("restored");
    Files.createDirectories(restored.resolve("h2"));
    try (H2Database database = Database.embedded(killed)) {
      Path archive = folder.resolve("backup.zip");
      database.backup(archive);
      try (ZipFile zip = new ZipFile(archive.toFile());
          InputStream in = zip.getInputStream(zip.entries().nextElement())) {
        Files.copy(in, restored.resolve("h2/gatehouse.mv.db"));
      }
    }
    try (H2Database database = Database.embedded(restored)) {
      assertRows(database, ROWS, "restored");
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.resolve("h2"));
    try (Stream<Path> files = Files.list(from.resolve("h2"))) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        Files.copy(each, to.resolve("h2").resolve(each.getFileName()));
      }
    }
  }
}
