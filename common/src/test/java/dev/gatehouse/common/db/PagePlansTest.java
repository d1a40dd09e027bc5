package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.directory.NamePairs;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.KnownPeople;
import dev.gatehouse.common.otp.TokenRegister;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A page is as long as it is, and not as long as its table: the embedded database reads it in the order of an index. Ordered by the last
 * column of a key alone, with the others given, it would read and sort all that follows.
 */
class PagePlansTest {

  @AutoClose private final Database database = Database.inMemory();
  private final JdbcClient jdbc = JdbcClient.create(database.dataSource());

  @Test
  void everyPageIsReadInTheOrderOfAnIndex() {
    jdbc.sql("set query_statistics true").update();
    new TokenRegister(database).list("demo", TokenRegister.Filter.ALL, "a", 10);
    new JdbcTokens(database).list("demo", "a", 10);
    new KnownPeople(database).list("demo", "", Optional.empty(), "a", 10);
    new JdbcRegisteredClients(database).page("demo", "a", 10);
    for (NamePairs.Kind kind : NamePairs.Kind.values()) {
      new JdbcNamePairs(kind, database, new TestTime()).page("demo", "partner", "a", 10);
    }
    List<String> pages =
        jdbc.sql("select sql_statement from information_schema.query_statistics").query(String.class).list().stream()
            .filter(sql -> sql.contains(" order by "))
            .toList();
    // Those of tokens are one statement.
    assertThat(pages).hasSize(3 + NamePairs.Kind.values().length);
    assertThat(pages).allSatisfy(sql -> assertThat(plan(sql)).contains("/* index sorted */"));
  }

  private String plan(String sql) {
    int parameters = (int) sql.chars().filter(character -> character == '?').count();
    return jdbc.sql("explain " + sql).params(IntStream.range(0, parameters).mapToObj(_ -> "1").toList()).query(String.class).single();
  }
}
