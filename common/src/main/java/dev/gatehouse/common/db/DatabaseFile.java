package dev.gatehouse.common.db;

import dev.gatehouse.common.installation.RecordLocation;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.FileStore;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Accesses H2's file below SQL: verifies that every chunk and every page can be read, and returns the file's position. H2 itself
 * opens a file that was cut off with the last complete state in it.
 */
final class DatabaseFile {

  /** Prefix of keys in MVStore's layout map, which holds place and use of each chunk but the newest. */
  private static final String CHUNK = "chunk.";

  private DatabaseFile() {}

  /**
   * Reads every chunk that is in use and every page of tables and indexes.
   *
   * @throws FileDamaged for a chunk that ends too early
   * @throws RuntimeException from H2, for a chunk or page that is damaged
   */
  static void verify(Connection connection) throws SQLException, FileDamaged {
    MVStore store = store(connection);
    verifyChunks(store.getFileStore());
    for (String name : store.getMapNames()) {
      String id = store.getMetaMap().get(DataUtils.META_NAME + name);
      MVMap<?, ?> map = id == null ? null : store.getMap(Integer.parseInt(id, 16));
      if (map != null) {
        readAll(map.cursor(null));
      }
    }
  }

  private static void verifyChunks(FileStore<?> file) throws FileDamaged {
    Optional<CheckedFile> checked = CheckedFile.open(CheckedFilePath.path(file.getFileName()));
    if (checked.isPresent()) {
      checked.get().requireNewest(file.lastChunkVersion());
    }
    for (Map.Entry<String, String> entry : file.getLayoutMap().entrySet()) {
      if (entry.getKey().startsWith(CHUNK)) {
        Map<String, String> chunk = DataUtils.parseMap(entry.getValue());
        // Without this field all pages are in use.
        if (!"0".equals(chunk.get("livePages"))) {
          file.readFully(null, number(chunk, "block") * ChunkFooter.BLOCK, (int) number(chunk, "len") * ChunkFooter.BLOCK);
        }
      }
    }
  }

  private static long number(Map<String, String> chunk, String name) {
    return Long.parseLong(chunk.getOrDefault(name, "0"), 16);
  }

  private static void readAll(Cursor<?, ?> cursor) {
    while (cursor.hasNext()) {
      cursor.next();
    }
  }

  /** Forces the file to disk and returns the version of its last chunk, which only grows; 0 in memory. */
  static long sync(Connection connection) throws SQLException {
    MVStore store = store(connection);
    FileStore<?> file = store.getFileStore();
    if (file == null) {
      return 0;
    }
    long version = file.lastChunkVersion();
    store.sync();
    return version;
  }

  /** Returns the version of the last chunk; 0 in memory. */
  static long version(Connection connection) throws SQLException {
    FileStore<?> file = store(connection).getFileStore();
    return file == null ? 0 : file.lastChunkVersion();
  }

  private static MVStore store(Connection connection) throws SQLException {
    SessionLocal session = (SessionLocal) connection.unwrap(JdbcConnection.class).getSession();
    return session.getDatabase().getStore().getMvStore();
  }

  /** Returns the installation's record, stored in a table of one row. */
  static RecordLocation installationRecord(DataSource database) {
    JdbcClient jdbc = JdbcClient.create(database);
    return new RecordLocation() {
      @Override
      public Optional<String> read() {
        return jdbc.sql("select record from installation").query(String.class).optional();
      }

      @Override
      public void write(String text) {
        if (jdbc.sql("update installation set record = ?").params(text).update() == 0) {
          jdbc.sql("insert into installation (record) values (?)").params(text).update();
        }
        try (Connection connection = database.getConnection()) {
          sync(connection);
        } catch (SQLException e) {
          throw new DatabaseUnavailable("The database cannot be forced to disk: " + e.getMessage(), e);
        }
      }
    };
  }
}
