package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.postgres.PostgresDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** During a rolling upgrade, nodes of the former version work with a database that the new version has changed. */
class FormerVersionTest {

  /** Of all databases, and of PostgreSQL alone. */
  private static final List<Path> MIGRATIONS = List.of(Path.of("src/main/resources/db/migration"), Path.of("src/main/resources/db/postgresql"));

  private static final Pattern NUMBER = Pattern.compile("V(\\d+)__.*\\.sql");

  /** The first migration that came when several nodes could share a database. */
  private static final int FIRST_SHARED = 15;

  /** A trigger that is made anew by the same file is not taken away. */
  private static final Pattern MADE_ANEW = Pattern.compile("\\bdrop trigger if exists (\\w+) on (\\w+);(?=\\s*create trigger \\1 [^;]*\\bon \\2\\s)");

  private static final Pattern TAKES_AWAY =
      Pattern.compile("\\b(drop|rename)\\b|\\bcreate\\s+unique\\s+index\\b|\\badd\\s+(constraint|unique|check|primary|foreign)\\b|\\balter\\s+column\\s+\\w++\\s++(?!set\\s+default\\b)|\\badd\\s+(column\\s+)?(?!constraint)\\w+ (?![^,;]*\\bdefault\\b)[^,;]*not null");

  @Test
  void aDatabaseOfALaterVersionIsOpened() throws Exception {
    try (Postgres postgres = Postgres.start()) {
      PostgresDatabase.open(postgres.config()).close();
      postgres.execute(
          "insert into flyway_schema_history values (900, '900', 'later', 'SQL', 'V900__later.sql', 1, 'postgres', now(), 1, true)",
          "create table later (id integer primary key)", "alter table consent add column later varchar(10)");
      try (PostgresDatabase database = PostgresDatabase.open(postgres.config())) {
        assertThat(JdbcClient.create(database.dataSource()).sql("select count(*) from consent").query(Long.class).single()).isZero();
      }
    }
  }

  @Test
  void noMigrationTakesAwayWhatTheFormerVersionUses() throws Exception {
    for (Path folder : MIGRATIONS) {
      try (Stream<Path> files = Files.list(folder)) {
        List<Path> shared = files.filter(FormerVersionTest::isShared).toList();
        assertThat(shared).as(folder.toString()).hasSizeGreaterThan(1);
        assertThat(shared).allSatisfy(file -> assertThat(TAKES_AWAY.matcher(sql(file)).find()).as(file.toString()).isFalse());
      }
    }
    assertThat(TAKES_AWAY.matcher("alter table consent add column later varchar(10) not null;").find()).isTrue();
    assertThat(TAKES_AWAY.matcher("alter table consent add column later boolean not null default false;").find()).isFalse();
    assertThat(TAKES_AWAY.matcher("alter table consent add column later boolean default false not null;").find()).isFalse();
    assertThat(TAKES_AWAY.matcher("alter table consent drop column later;").find()).isTrue();
    assertThat(TAKES_AWAY.matcher("create unique index once on consent (person);").find()).isTrue();
    assertThat(TAKES_AWAY.matcher("alter table consent add constraint once unique (person);").find()).isTrue();
    assertThat(TAKES_AWAY.matcher("alter table consent alter column later set default 0;").find()).isFalse();
    assertThat(TAKES_AWAY.matcher("alter table consent alter column later set not null;").find()).isTrue();
    assertThat(TAKES_AWAY.matcher("alter table consent alter column later type integer;").find()).isTrue();
    String trigger = "drop trigger if exists announce on node_switch;\n";
    assertThat(TAKES_AWAY.matcher(kept(trigger)).find()).isTrue();
    assertThat(TAKES_AWAY.matcher(kept(trigger + "create trigger announce after insert on other for each statement;")).find()).isTrue();
    assertThat(TAKES_AWAY.matcher(kept(trigger + "create trigger announce after insert on node_switch for each statement;")).find()).isFalse();
  }

  private static boolean isShared(Path file) {
    Matcher number = NUMBER.matcher(file.getFileName().toString());
    // What is repeated is of the present version.
    return number.matches() ? Integer.parseInt(number.group(1)) >= FIRST_SHARED : file.getFileName().toString().startsWith("R__");
  }

  private static String sql(Path file) throws IOException {
    return kept(Files.readString(file).replaceAll("--.*", "").toLowerCase(Locale.ROOT));
  }

  private static String kept(String sql) {
    return MADE_ANEW.matcher(sql).replaceAll("");
  }
}
