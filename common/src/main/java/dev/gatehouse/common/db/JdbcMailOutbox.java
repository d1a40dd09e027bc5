package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stores mail in the table {@code mail_outbox}, and notices in {@code mail_notice}. */
public final class JdbcMailOutbox implements MailOutbox {

  private static final String NOBODY = "";
  private static final String COLUMNS =
      "select id, realm, person_id, kind, sealed_details, created_at, tries, next_try_at from mail_outbox";

  private final JdbcClient jdbc;

  public JdbcMailOutbox(Database database) {
    this.jdbc = JdbcClient.create(database.dataSource());
  }

  @Override
  public boolean add(Waiting mail, int most) {
    if (size() >= most) {
      return false;
    }
    jdbc.sql(
            "insert into mail_outbox (id, realm, person_id, kind, sealed_details, created_at, tries, next_try_at)"
                + " values (?, ?, ?, ?, ?, ?, ?, ?)")
        .params(
            mail.id(),
            mail.realm(),
            mail.person().map(PersonId::value).orElse(NOBODY),
            mail.kind(),
            mail.sealedDetails(),
            utc(mail.createdAt()),
            mail.tries(),
            utc(mail.nextTryAt()))
        .update();
    return true;
  }

  @Override
  public List<Waiting> due(Instant now, int most) {
    return jdbc.sql(COLUMNS + " where next_try_at <= ? order by next_try_at, id limit ?")
        .params(utc(now), most)
        .query((row, number) -> waiting(row))
        .list();
  }

  @Override
  public void postpone(String id, int tries, Instant nextTryAt) {
    jdbc.sql("update mail_outbox set tries = ?, next_try_at = ? where id = ?").params(tries, utc(nextTryAt), id).update();
  }

  @Override
  public boolean remove(String id) {
    return jdbc.sql("delete from mail_outbox where id = ?").param(id).update() > 0;
  }

  @Override
  public int size() {
    return jdbc.sql("select count(*) from mail_outbox").query(Integer.class).single();
  }

  @Override
  public boolean hasFor(String realm, PersonId person, String kind) {
    return jdbc.sql("select count(*) from mail_outbox where realm = ? and person_id = ? and kind = ?")
            .params(realm, person.value(), kind)
            .query(Integer.class)
            .single()
        > 0;
  }

  @Override
  public List<Waiting> ofPerson(String realm, PersonId person) {
    return jdbc.sql(COLUMNS + " where realm = ? and person_id = ? order by created_at, id")
        .params(realm, person.value())
        .query((row, number) -> waiting(row))
        .list();
  }

  @Override
  public int removeAll(String realm, PersonId person) {
    return jdbc.sql("delete from mail_outbox where realm = ? and person_id = ?").params(realm, person.value()).update();
  }

  @Override
  public boolean noteOnce(String digest, Instant at) {
    return jdbc.sql("insert into mail_notice (digest, sent_at) values (?, ?) on conflict do nothing").params(digest, utc(at)).update() > 0;
  }

  @Override
  public void forget(String digest) {
    jdbc.sql("delete from mail_notice where digest = ?").param(digest).update();
  }

  @Override
  public void forgetBefore(Instant time) {
    jdbc.sql("delete from mail_notice where sent_at < ?").param(utc(time)).update();
  }

  private static Waiting waiting(ResultSet row) throws SQLException {
    return new Waiting(
        row.getString("id"),
        row.getString("realm"),
        Optional.of(row.getString("person_id")).filter(id -> !id.equals(NOBODY)).map(PersonId::new),
        row.getString("kind"),
        row.getBytes("sealed_details"),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        row.getInt("tries"),
        row.getObject("next_try_at", OffsetDateTime.class).toInstant());
  }

  private static OffsetDateTime utc(Instant at) {
    return at.atOffset(ZoneOffset.UTC);
  }
}
