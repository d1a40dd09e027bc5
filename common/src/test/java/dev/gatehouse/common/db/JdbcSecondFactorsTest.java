package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.JdbcSecondFactors;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

class JdbcSecondFactorsTest extends SecondFactorsContract {

  private static final PersonId CAROL = new PersonId("carol-uuid");

  private static final Pattern ADDS_AN_APP = Pattern.compile("(insert|merge)\\s+into\\s+second_factor\\b", Pattern.CASE_INSENSITIVE);

  private final Database database = EmptiedDatabase.get();
  private final SecondFactors factors = new JdbcSecondFactors(database);

  @Override
  protected SecondFactors factors() {
    return factors;
  }

  @Test
  void aUsedStepStaysUsedAfterARestart(@TempDir Path data) {
    try (Database first = Database.embedded(data)) {
      SecondFactors before = new JdbcSecondFactors(first);
      before.add("demo", ALICE, factor("a"), 5);
      assertThat(before.accept("demo", ALICE, "a", 42, factor("a").createdAt())).isTrue();
    }
    try (Database second = Database.embedded(data)) {
      SecondFactors after = new JdbcSecondFactors(second);
      assertThat(after.accept("demo", ALICE, "a", 42, factor("a").createdAt())).isFalse();
      assertThat(after.accept("demo", ALICE, "a", 43, factor("a").createdAt())).isTrue();
    }
  }

  /** Nobody does so on a node: it shows whether rows are read. */
  private void insertUncounted(PersonId person) {
    JdbcClient.create(database.dataSource())
        .sql(
            "insert into second_factor (realm, person_id, factor_id, label, digits, sealed_secret, created_at)"
                + " values ('demo', ?, ?, 'Phone', 6, X'0102', timestamp with time zone '2026-11-26 10:11:12+00:00')")
        .params(person.value(), "app-" + person.value())
        .update();
  }

  @Test
  void thatSomebodyHasNoneIsRememberedUntilAChangeIsAboutThemOrAboutAll() {
    assertThat(factors.of("demo", ALICE)).isEmpty();
    assertThat(factors.of("demo", CAROL)).isEmpty();
    insertUncounted(ALICE);
    insertUncounted(CAROL);
    assertThat(factors.of("demo", ALICE)).as("remembered").isEmpty();
    factors.countWrong("demo", ALICE);
    assertThat(factors.of("demo", ALICE)).as("read after a change about her").hasSize(1);
    assertThat(factors.of("demo", CAROL)).as("remembered: it was not about her").isEmpty();
    new JdbcTokens(database).add("demo", List.of(Token.created("t", TokenType.USUAL, new byte[] {1}, -1, Optional.empty())));
    assertThat(factors.of("demo", CAROL)).as("read after a change that does not say about whom").hasSize(1);
  }

  /** With an app that is added elsewhere, and not counted, its person would log in without a code of it. */
  @Test
  void oneClassAddsApps() throws IOException {
    for (String module : List.of("common", "sp", "idp", "gateway")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          boolean isTheOne = file.endsWith("common/otp/JdbcSecondFactors.java");
          assertThat(ADDS_AN_APP.matcher(Files.readString(file)).find()).as("%s adds an app", file).isEqualTo(isTheOne);
        }
      }
    }
  }

  @Test
  void whoeverAddsAnAppWithinATransactionHasItOnceItIsCommitted() {
    DatabaseTransactions.of(database)
        .executeWithoutResult(
            status -> {
              assertThat(factors.of("demo", ALICE)).isEmpty();
              factors.add("demo", ALICE, factor("a"), 5);
              assertThat(factors.of("demo", ALICE)).as("its own row").hasSize(1);
              assertThat(ofAnotherThread()).as("not committed yet").isEmpty();
            });
    assertThat(factors.of("demo", ALICE)).hasSize(1);
    assertThat(ofAnotherThread()).as("nothing was remembered meanwhile").hasSize(1);
  }

  /** By another connection than that of the transaction. */
  private List<SecondFactors.Factor> ofAnotherThread() {
    return CompletableFuture.supplyAsync(() -> factors.of("demo", ALICE)).join();
  }

  @Test
  void whoeverSetsOneUpHasItAtOnceWhileOthersLook() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 50; i++) {
        PersonId person = new PersonId("p" + i);
        AtomicBoolean isOver = new AtomicBoolean();
        Future<?> looks =
            threads.submit(
                () -> {
                  while (!isOver.get()) {
                    factors.of("demo", person);
                  }
                });
        try {
          assertThat(factors.of("demo", person)).isEmpty();
          factors.add("demo", person, factor("f" + i), 5);
          assertThat(factors.of("demo", person)).hasSize(1);
          factors.removeAll("demo", person);
          assertThat(factors.of("demo", person)).isEmpty();
          factors.add("demo", person, factor("g" + i), 5);
        } finally {
          isOver.set(true);
        }
        looks.get();
        assertThat(factors.of("demo", person)).hasSize(1);
      }
    }
  }
}
