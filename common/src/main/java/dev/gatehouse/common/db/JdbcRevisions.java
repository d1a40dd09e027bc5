package dev.gatehouse.common.db;

import dev.gatehouse.common.db.Revision.StoredFile;
import dev.gatehouse.common.db.Revision.StoredSecret;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Stores revisions of the configuration in the tables {@code configuration_revision}, {@code configuration_file} and {@code
 * configuration_content}. Each revision is written in one transaction, and is never changed. Blocks: call on virtual threads only.
 */
public final class JdbcRevisions {

  private static final String REVISION = "select number, author, created_at, reason from configuration_revision";

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  public JdbcRevisions(Database database) {
    this.jdbc = JdbcClient.create(database.dataSource());
    this.transaction = DatabaseTransactions.of(database);
  }

  public Optional<Revision> find(long number) {
    return jdbc.sql(REVISION + " where number = ?").param(number).query((row, index) -> revision(row)).optional();
  }

  /** Returns at most that many revisions before a number, the newest first. */
  public List<Revision> before(long number, int limit) {
    return jdbc.sql(REVISION + " where number < ? order by number desc limit ?")
        .params(number, limit)
        .query((row, index) -> revision(row))
        .list();
  }

  /** Returns the files of a revision, ordered by path; none if there is no such revision. */
  public List<StoredFile> files(long number) {
    return jdbc.sql("select path, digest, secret from configuration_file where revision = ? order by path")
        .param(number)
        .query((row, index) -> new StoredFile(row.getString("path"), row.getString("digest"), row.getBoolean("secret")))
        .list();
  }

  /** Returns a sealed content. */
  public Optional<byte[]> content(String digest) {
    return jdbc.sql("select sealed_content from configuration_content where digest = ?")
        .param(digest)
        .query((row, index) -> row.getBytes("sealed_content"))
        .optional();
  }

  /**
   * Stores the next revision, unless its files are those of the newest one.
   *
   * @param files ordered by path
   * @param seal returns the sealed content of a digest that is not stored yet
   * @return the new revision; empty if nothing has changed
   */
  public Optional<Revision> add(
      List<StoredFile> files, Sealing seal, String author, Instant at, String reason) {
    Optional<Revision> added =
        transaction.execute(
            status -> {
              long latest = latest();
              if (latest > 0 && files(latest).equals(files)) {
                return Optional.empty();
              }
              // Its digits are those that the database keeps.
              Revision revision = new Revision(latest + 1, author, at.truncatedTo(ChronoUnit.MICROS), reason);
              insert(revision, files, seal);
              return Optional.of(revision);
            });
    return Objects.requireNonNull(added);
  }

  /** Returns the number of the revision in use; empty if files hold the configuration. */
  public Optional<Long> inUse() {
    return jdbc.sql("select revision from configuration_in_use").query(Long.class).optional();
  }

  /** Records that files hold the configuration. */
  public void useFiles() {
    jdbc.sql("delete from configuration_in_use").update();
  }

  /**
   * Stores the next revision and brings it into use, with changed secrets; nothing of it if another one than expected is in use.
   *
   * @param expected 0: files hold the configuration
   * @param files ordered by path
   * @param seal returns the sealed content of a digest that is not stored yet
   * @param secrets sealed values by their names
   * @return the new revision; empty if another one than expected is in use
   */
  public Optional<Revision> use(
      long expected, List<StoredFile> files, Sealing seal, Map<String, byte[]> secrets, String author, Instant at, String reason) {
    try {
      return useNow(expected, files, seal, secrets, author, at, reason);
    } catch (DuplicateKeyException e) {
      // Another node stored the next revision at the same time.
      return Optional.empty();
    }
  }

  private Optional<Revision> useNow(
      long expected, List<StoredFile> files, Sealing seal, Map<String, byte[]> secrets, String author, Instant at, String reason) {
    Optional<Revision> used =
        transaction.execute(
            status -> {
              if (inUse().orElse(0L) != expected) {
                return Optional.empty();
              }
              secrets.forEach((name, sealed) -> writeSecret(name, sealed, author, at));
              Revision revision = new Revision(latest() + 1, author, at.truncatedTo(ChronoUnit.MICROS), reason);
              insert(revision, files, seal);
              jdbc.sql("delete from configuration_in_use").update();
              jdbc.sql("insert into configuration_in_use (id, revision) values (1, ?)").param(revision.number()).update();
              return Optional.of(revision);
            });
    return Objects.requireNonNull(used);
  }

  /** Returns all secrets, ordered by name. */
  public List<StoredSecret> secrets() {
    return jdbc.sql("select name, author, changed_at from configuration_secret order by name")
        .query(
            (row, index) ->
                new StoredSecret(
                    row.getString("name"), row.getString("author"), row.getObject("changed_at", OffsetDateTime.class).toInstant()))
        .list();
  }

  /** Returns the sealed value of a secret. */
  public Optional<byte[]> secret(String name) {
    return jdbc.sql("select sealed_value from configuration_secret where name = ?")
        .param(name)
        .query((row, index) -> row.getBytes("sealed_value"))
        .optional();
  }

  /** Stores the sealed value of a secret, in place of an older one, which stays if that fails. */
  public void keepSecret(String name, byte[] sealed, String author, Instant at) {
    transaction.executeWithoutResult(status -> writeSecret(name, sealed, author, at));
  }

  private void writeSecret(String name, byte[] sealed, String author, Instant at) {
    jdbc.sql("delete from configuration_secret where name = ?").param(name).update();
    jdbc.sql("insert into configuration_secret (name, sealed_value, author, changed_at) values (?, ?, ?, ?)")
        .params(name, sealed, author, at.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC))
        .update();
  }

  /** Removes a secret; returns whether there was one. */
  public boolean removeSecret(String name) {
    return jdbc.sql("delete from configuration_secret where name = ?").param(name).update() > 0;
  }

  private long latest() {
    return before(Long.MAX_VALUE, 1).stream().mapToLong(Revision::number).findFirst().orElse(0);
  }

  /** Seals contents. */
  public interface Sealing {
    byte[] content(String digest);
  }

  private void insert(Revision revision, List<StoredFile> files, Sealing seal) {
    jdbc.sql("insert into configuration_revision (number, author, created_at, reason) values (?, ?, ?, ?)")
        .params(revision.number(), revision.author(), revision.at().atOffset(ZoneOffset.UTC), revision.reason())
        .update();
    files.stream().filter(file -> !file.isSecret()).map(StoredFile::digest).collect(Collectors.toSet()).forEach(digest -> keep(digest, seal));
    for (StoredFile file : files) {
      jdbc.sql("insert into configuration_file (revision, path, digest, secret) values (?, ?, ?, ?)")
          .params(revision.number(), file.path(), file.digest(), file.isSecret())
          .update();
    }
  }

  private void keep(String digest, Sealing seal) {
    boolean known =
        jdbc.sql("select count(*) from configuration_content where digest = ?").param(digest).query(Long.class).single() > 0;
    if (!known) {
      jdbc.sql("insert into configuration_content (digest, sealed_content) values (?, ?)")
          .params(digest, seal.content(digest))
          .update();
    }
  }

  private static Revision revision(ResultSet row) throws SQLException {
    return new Revision(
        row.getLong("number"),
        row.getString("author"),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        row.getString("reason"));
  }
}
