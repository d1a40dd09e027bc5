package dev.gatehouse.common.postgres;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.key.KeyPlace;
import dev.gatehouse.common.key.PrivateFiles;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.snapshot.LocalSnapshot;
import dev.gatehouse.common.snapshot.SnapshotRefused;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Keys in the table {@code key_file}, sealed by the master key. A node reads them from a copy in memory, which lasts while the database is
 * away; under the lock, which is one for all nodes, it reads the table. Work under the lock is one transaction.
 */
public final class DatabaseKeyPlace implements KeyPlace {

  private static final Logger LOG = LoggerFactory.getLogger(DatabaseKeyPlace.class);
  private static final String CONTEXT = "key file";

  /** The number of the advisory lock: any that nothing else in the database uses. */
  private static final long LOCK = 0x67617465_6b657973L;

  private record Stored(String path, byte[] sealed, long version, Instant changedAt) {}

  private record Copy(long version, Map<String, Stored> files) {}

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final SealingKey master;
  private final InstantSource time;
  private final Optional<LocalSnapshot> snapshot;
  private volatile Copy copy;

  /** @param master the master key */
  public DatabaseKeyPlace(Database database, SealingKey master, InstantSource time) {
    this(database, master, time, Optional.empty(), false);
  }

  /**
   * Opens the keys.
   *
   * @param snapshot where a copy is kept
   * @param isAway whether the copy is read now, because the database is away
   * @throws SnapshotRefused if the copy is needed and must not be used
   */
  public DatabaseKeyPlace(Database database, SealingKey master, InstantSource time, Optional<LocalSnapshot> snapshot, boolean isAway) {
    this.jdbc = JdbcClient.create(database.dataSource());
    this.transaction = new TransactionTemplate(new JdbcTransactionManager(database.dataSource()));
    this.master = master;
    this.time = time;
    this.snapshot = snapshot;
    this.copy = isAway ? kept(snapshot.orElseThrow()) : load();
    keep();
  }

  private void keep() {
    Copy now = copy;
    snapshot.ifPresent(local -> local.keep(LocalSnapshot.Part.KEYS, now.version(), bytes(now)));
  }

  private static byte[] bytes(Copy copy) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(copy.files().size());
      for (Stored file : new TreeMap<>(copy.files()).values()) {
        out.writeUTF(file.path());
        out.writeLong(file.version());
        out.writeUTF(file.changedAt().toString());
        out.writeInt(file.sealed().length);
        out.write(file.sealed());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static Copy kept(LocalSnapshot snapshot) {
    LocalSnapshot.Kept kept =
        snapshot.read(LocalSnapshot.Part.KEYS).orElseThrow(() -> new IllegalStateException("The snapshot has no keys"));
    Map<String, Stored> files = new HashMap<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(kept.content()))) {
      for (int left = in.readInt(); left > 0; left--) {
        String path = in.readUTF();
        long version = in.readLong();
        Instant changedAt = Instant.parse(in.readUTF());
        files.put(path, new Stored(path, in.readNBytes(in.readInt()), version, changedAt));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Copy(kept.version(), files);
  }

  @Override
  public Path root() {
    return Path.of("");
  }

  @Override
  public byte[] read(Path file) throws IOException {
    Stored stored = find(file).orElseThrow(() -> new NoSuchFileException(file.toString()));
    try {
      return master.open(stored.sealed(), CONTEXT, stored.path());
    } catch (RuntimeException e) {
      throw new IOException("The key " + stored.path() + " in the database cannot be opened with this master key", e);
    }
  }

  @Override
  public Instant modified(Path file) throws IOException {
    return find(file).map(Stored::changedAt).orElseThrow(() -> new NoSuchFileException(file.toString()));
  }

  @Override
  public Optional<Object> stamp(Path file) {
    return Optional.ofNullable(copy.files().get(file.toString())).map(Stored::version);
  }

  private Optional<Stored> find(Path file) throws IOException {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      return Optional.ofNullable(copy.files().get(file.toString()));
    }
    return inDatabase(sql -> select(sql, " where path = ?", file.toString()).stream().findFirst());
  }

  @Override
  public void replace(Path file, String content) throws IOException {
    String path = file.toString();
    byte[] sealed = master.seal(content.getBytes(StandardCharsets.UTF_8), CONTEXT, path);
    OffsetDateTime now = time.instant().truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    inDatabase(
        sql -> {
          long version = next(sql);
          int changed =
              sql.sql("update key_file set sealed_content = ?, version = ?, changed_at = ? where path = ?")
                  .params(sealed, version, now, path)
                  .update();
          if (changed == 0) {
            sql.sql("insert into key_file (path, sealed_content, version, changed_at) values (?, ?, ?, ?)")
                .params(path, sealed, version, now)
                .update();
            sql.sql("update deployment set key_files = key_files + 1").update();
          }
          return version;
        });
  }

  @Override
  public void delete(Path file) throws IOException {
    inDatabase(
        sql -> {
          next(sql);
          int deleted = sql.sql("delete from key_file where path = ?").param(file.toString()).update();
          return sql.sql("update deployment set key_files = key_files - ?").param(deleted).update();
        });
  }

  private static long next(JdbcClient sql) {
    return sql.sql("update deployment set keys_version = keys_version + 1 returning keys_version").query(Long.class).single();
  }

  /** Every file must exist that was written; if one is lost nobody knows which. */
  @Override
  public boolean lists(Path file) throws IOException {
    return inDatabase(sql -> lost(sql) != 0);
  }

  /** Returns how many rows are missing. */
  private static long lost(JdbcClient sql) {
    return sql.sql("select key_files - (select count(*) from key_file) from deployment").query(Long.class).single();
  }

  @Override
  public <T> T locked(Path folder, PrivateFiles.Work<T> work) throws IOException {
    boolean isNested = TransactionSynchronizationManager.isActualTransactionActive();
    T result;
    try {
      result =
          Objects.requireNonNull(
              transaction.execute(
                  status -> {
                    jdbc.sql("select pg_advisory_xact_lock(?)").param(LOCK).query(row -> {});
                    try {
                      return work.run();
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  }));
    } catch (UncheckedIOException e) {
      throw Objects.requireNonNull(e.getCause());
    } catch (TransactionException | DataAccessException e) {
      throw new IOException("The keys in the database cannot be changed: " + e.getMessage(), e);
    }
    if (!isNested) {
      refresh();
    }
    return result;
  }

  private <T> T inDatabase(Function<JdbcClient, T> work) throws IOException {
    try {
      return work.apply(jdbc);
    } catch (DataAccessException e) {
      throw new IOException("The keys in the database cannot be used: " + e.getMessage(), e);
    }
  }

  /** Takes over what other nodes changed; the former copy stays while the database is away. */
  @Override
  public void refresh() {
    try {
      refreshNow();
    } catch (TransactionException | DataAccessException e) {
      LOG.debug("Changes of keys by other nodes cannot be taken over", e);
    }
  }

  private void refreshNow() {
    long version = jdbc.sql("select keys_version from deployment").query(Long.class).single();
    if (version != copy.version()) {
      copy = load();
      keep();
    }
  }

  private Copy load() {
    return Objects.requireNonNull(
        transaction.execute(
            status -> {
              // The version is read first: what changes in between is loaded again.
              long version = jdbc.sql("select keys_version from deployment").query(Long.class).single();
              long lost = lost(jdbc);
              if (lost != 0) {
                throw new IllegalStateException(
                    lost + " key(s) are missing in the database: restore its backup, because nothing is made in place of a lost key");
              }
              return new Copy(version, select(jdbc, "").stream().collect(Collectors.toMap(Stored::path, file -> file)));
            }));
  }

  private static List<Stored> select(JdbcClient sql, String where, Object... parameters) {
    return sql.sql("select path, sealed_content, version, changed_at from key_file" + where)
        .params(parameters)
        .query(
            (row, index) ->
                new Stored(
                    row.getString("path"), row.getBytes("sealed_content"), row.getLong("version"),
                    row.getObject("changed_at", OffsetDateTime.class).toInstant()))
        .list();
  }
}
