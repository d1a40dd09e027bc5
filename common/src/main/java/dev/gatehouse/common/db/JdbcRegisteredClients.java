package dev.gatehouse.common.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stores registered clients in the table {@code registered_client}. */
public final class JdbcRegisteredClients implements RegisteredClients {

  private static final String COLUMNS =
      "select realm, client_id, metadata, secret, access_digest, registered_by, registered_at from registered_client"
          + " where realm = ?";

  private final JdbcClient jdbc;

  public JdbcRegisteredClients(Database database) {
    this.jdbc = JdbcClient.create(database.dataSource());
  }

  @Override
  public Optional<RegisteredClient> find(String realm, String clientId) {
    return jdbc.sql(COLUMNS + " and client_id = ?")
        .params(realm, clientId)
        .query((row, number) -> client(row))
        .optional();
  }

  @Override
  public List<RegisteredClient> page(String realm, String after, int limit) {
    return jdbc.sql(COLUMNS + " and client_id > ? order by realm, client_id fetch first ? rows only")
        .params(realm, after, limit)
        .query((row, number) -> client(row))
        .list();
  }

  @Override
  public long count(String realm) {
    return jdbc.sql("select count(*) from registered_client where realm = ?").param(realm).query(Long.class).single();
  }

  @Override
  public void add(RegisteredClient client) {
    jdbc.sql(
            "insert into registered_client (realm, client_id, metadata, secret, access_digest, registered_by,"
                + " registered_at) values (?, ?, ?, ?, ?, ?, ?)")
        .param(client.realm())
        .param(client.clientId())
        .param(client.metadata())
        .param(client.secret().orElse(null))
        .param(client.accessDigest())
        .param(client.registeredBy())
        .param(client.registeredAt().atOffset(ZoneOffset.UTC))
        .update();
  }

  @Override
  public boolean change(RegisteredClient client) {
    return jdbc.sql("update registered_client set metadata = ?, secret = ? where realm = ? and client_id = ?")
            .param(client.metadata())
            .param(client.secret().orElse(null))
            .param(client.realm())
            .param(client.clientId())
            .update()
        > 0;
  }

  @Override
  public boolean remove(String realm, String clientId) {
    return jdbc.sql("delete from registered_client where realm = ? and client_id = ?").params(realm, clientId).update()
        > 0;
  }

  private static RegisteredClient client(ResultSet row) throws SQLException {
    return new RegisteredClient(
        row.getString("realm"),
        row.getString("client_id"),
        row.getString("metadata"),
        Optional.ofNullable(row.getString("secret")),
        row.getString("access_digest"),
        row.getString("registered_by"),
        row.getObject("registered_at", OffsetDateTime.class).toInstant());
  }
}
