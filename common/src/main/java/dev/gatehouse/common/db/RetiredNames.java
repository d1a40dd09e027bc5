package dev.gatehouse.common.db;

import java.time.InstantSource;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Names that were used once and must never be reused (SAML Core 8.3.7). Takes part in its caller's transaction. */
final class RetiredNames {

  private final JdbcClient jdbc;
  private final InstantSource time;

  RetiredNames(JdbcClient jdbc, InstantSource time) {
    this.jdbc = jdbc;
    this.time = time;
  }

  void add(String realm, String partner, String name) {
    jdbc.sql("insert into retired_name_id (realm, partner, name_id, retired_at) values (?, ?, ?, ?)")
        .params(realm, partner, name, time.instant().atOffset(ZoneOffset.UTC))
        .update();
  }

  boolean contains(String realm, String partner, String name) {
    return jdbc.sql("select 1 from retired_name_id where realm = ? and partner = ? and name_id = ?")
        .params(realm, partner, name)
        .query(Integer.class)
        .optional()
        .isPresent();
  }
}
