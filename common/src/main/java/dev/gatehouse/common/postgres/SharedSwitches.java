package dev.gatehouse.common.postgres;

import dev.gatehouse.common.snapshot.LocalSnapshot;
import dev.gatehouse.common.snapshot.LocalSnapshot.Part;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What administrators have switched at run time, for all nodes, in the table {@code node_switch}. Each node takes a change over when it is
 * announced, and keeps a copy on its own disk: maintenance lasts while the database is away.
 */
public final class SharedSwitches {

  private static final Logger LOG = LoggerFactory.getLogger(SharedSwitches.class);

  /** The number of the advisory lock: any that nothing else in the database uses. */
  private static final long LOCK = 0x67617465_73776974L;

  /** What is switched. */
  public enum Kind {
    MAINTENANCE,
    DRAIN;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  record Row(String kind, String name, String setting, long version) {}

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final LocalSnapshot snapshot;
  private final Map<Kind, Consumer<Map<String, String>>> listeners = new EnumMap<>(Kind.class);
  // Guarded by this object.
  private List<Row> rows = List.of();

  /** @param isAway whether the copy is used now, because the database is away */
  public SharedSwitches(PostgresDatabase database, LocalSnapshot snapshot, boolean isAway) {
    this.jdbc = JdbcClient.create(database.dataSource());
    this.transaction = new TransactionTemplate(new JdbcTransactionManager(database.dataSource()));
    this.snapshot = snapshot;
    if (isAway) {
      rows = snapshot.read(Part.SWITCHES).map(kept -> rows(kept.content())).orElse(List.of());
    } else {
      take(select());
    }
  }

  /** Tells the settings by their names, now and after each change. One listener per kind; it must not block. */
  public synchronized void listen(Kind kind, Consumer<Map<String, String>> listener) {
    listeners.put(kind, listener);
    listener.accept(settings(kind));
  }

  private Map<String, String> settings(Kind kind) {
    return rows.stream()
        .filter(row -> row.kind().equals(kind.word()) && !row.setting().isEmpty())
        .collect(Collectors.toMap(Row::name, Row::setting));
  }

  /** Sets a switch for all nodes, or takes it back; durable, and in effect here, when it returns. */
  public void set(Kind kind, String name, Optional<String> setting) {
    transaction.executeWithoutResult(
        status -> {
          jdbc.sql("select pg_advisory_xact_lock(?)").param(LOCK).query(row -> {});
          jdbc.sql(
                  """
                  insert into node_switch (kind, name, setting, version)
                  values (?, ?, ?, (select coalesce(max(version), 0) + 1 from node_switch))
                  on conflict (kind, name) do update set setting = excluded.setting, version = excluded.version
                  """)
              .params(kind.word(), name, setting.orElse(""))
              .update();
        });
    take(select());
  }

  /** Takes over what other nodes changed. */
  public void refresh() {
    try {
      take(select());
    } catch (TransactionException | DataAccessException e) {
      LOG.debug("Switches of other nodes cannot be taken over", e);
    }
  }

  private synchronized void take(List<Row> found) {
    // Two threads may have read at once: the older reading changes nothing.
    if (found.equals(rows) || version(found) < version(rows)) {
      return;
    }
    rows = found;
    listeners.forEach((kind, listener) -> listener.accept(settings(kind)));
    snapshot.keep(Part.SWITCHES, version(found), bytes(found));
  }

  private static long version(List<Row> rows) {
    return rows.stream().mapToLong(Row::version).max().orElse(0);
  }

  private List<Row> select() {
    return jdbc.sql("select kind, name, setting, version from node_switch order by kind, name")
        .query((row, index) -> new Row(row.getString("kind"), row.getString("name"), row.getString("setting"), row.getLong("version")))
        .list();
  }

  static byte[] bytes(List<Row> rows) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(rows.size());
      for (Row row : rows) {
        out.writeUTF(row.kind());
        out.writeUTF(row.name());
        out.writeUTF(row.setting());
        out.writeLong(row.version());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static List<Row> rows(byte[] content) {
    Map<String, Row> rows = new TreeMap<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(content))) {
      for (int left = in.readInt(); left > 0; left--) {
        Row row = new Row(in.readUTF(), in.readUTF(), in.readUTF(), in.readLong());
        rows.put(row.kind() + " " + row.name(), row);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.copyOf(rows.values());
  }
}
