package dev.gatehouse.gateway.admin.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.gateway.admin.TestAdmin;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Levels of loggers, changed for a while. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LogEndpointTest {

  private static final String LOGS = "/admin/v1/logs/";

  private TestAdmin admin;

  @BeforeAll
  void start(@TempDir Path folder) {
    admin = new TestAdmin(folder);
  }

  @AfterAll
  void stop() {
    admin.close();
  }

  private static Level level(String logger) {
    return ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(logger).getEffectiveLevel();
  }

  private HttpResponse<String> set(String logger, String level, String until) throws IOException, InterruptedException {
    return admin.json("PUT", LOGS + logger, "{\"level\":\"" + level + "\"" + until + "}");
  }

  @Test
  void aLevelIsChangedAuditedAndSetBack() throws IOException, InterruptedException {
    String logger = "dev.gatehouse.test.one";
    admin.audit.clear();
    HttpResponse<String> answer = set(logger, "DEBUG", "");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).contains("\"level\":\"DEBUG\"", TestTime.START.plus(Duration.ofHours(1)).toString());
    assertThat(level(logger + ".below")).isEqualTo(Level.DEBUG);
    assertThat(admin.authorized("GET", LOGS.substring(0, LOGS.length() - 1)).body()).contains(logger);
    assertThat(admin.audit.events(Administered.class).getLast().action()).isEqualTo("log.level");
    assertThat(admin.audit.events(Administered.class).getLast().details())
        .containsEntry("logger", logger).containsEntry("before", "INFO").containsEntry("after", "DEBUG");
    assertThat(admin.authorized("DELETE", LOGS + logger).statusCode()).isEqualTo(204);
    assertThat(level(logger)).isEqualTo(Level.INFO);
    assertThat(admin.authorized("DELETE", LOGS + logger).statusCode()).isEqualTo(404);
    assertThat(admin.authorized("GET", LOGS + "dev.gatehouse.never.seen").body()).contains("\"level\":\"INFO\"").doesNotContain("until");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ROOT", "root", "org", "org.eclipse.jetty", "jdk.httpclient", "org.apache.hc.client5.http.wire", "com.unboundid.ldap.sdk",
        "org.opensaml", "PROTOCOL_MESSAGE", "org.springframework.web", "org.springframework.jdbc.core", "org.h2", "org.thymeleaf",
        "io.netty", "com.nimbusds", "dev", "dev.gatehousex", "DEV.gatehouse"
      })
  void noLoggerThatWritesSecretsBecomesTalkative(String logger) throws IOException, InterruptedException {
    for (String level : new String[] {"DEBUG", "TRACE"}) {
      HttpResponse<String> refused = set(logger, level, "");
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(refused.body()).contains("at least INFO");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a%20b", "a%0Ab", "..", "a..b", ".a", "a.", "%3Cb%3E", "a%2Fb"})
  void whatIsNoNameIsRefused(String logger) throws IOException, InterruptedException {
    assertThat(set(logger, "INFO", "").statusCode()).isIn(400, 404, 405);
    assertThat(set("dev.gatehouse." + "x".repeat(200), "INFO", "").statusCode()).isEqualTo(400);
  }

  @Test
  void aLevelAndItsEndAreChecked() throws IOException, InterruptedException {
    assertThat(set("dev.gatehouse.test", "LOUD", "").body()).contains("`level` is TRACE, DEBUG");
    assertThat(admin.json("PUT", LOGS + "dev.gatehouse.test", "{}").statusCode()).isEqualTo(400);
    for (String until : new String[] {"2025-12-31T00:00:00Z", "2026-01-03T00:00:00Z"}) {
      assertThat(set("dev.gatehouse.test", "DEBUG", ",\"until\":\"" + until + "\"").body()).contains("`until` is a time within");
    }
    admin.audit.breakDown(true);
    assertThat(set("dev.gatehouse.test.unaudited", "DEBUG", "").statusCode()).isEqualTo(503);
    admin.audit.breakDown(false);
    assertThat(level("dev.gatehouse.test.unaudited")).isEqualTo(Level.INFO);
  }

  @Test
  void aLevelEndsByItselfAndTheOneOfTheStartReturns() {
    TestTime time = new TestTime();
    LoggerContext logs = new LoggerContext();
    logs.getLogger("org.quiet").setLevel(Level.ERROR);
    try (LogLevels levels = new LogLevels(logs, time)) {
      assertThat(levels.set("org.quiet", Level.INFO, time.instant().plusSeconds(60))).isTrue();
      assertThat(levels.set("org.quiet", Level.WARN, time.instant().plusSeconds(120))).isTrue();
      time.advance(Duration.ofSeconds(90));
      levels.endDue();
      assertThat(levels.state("org.quiet").level()).isEqualTo("WARN");
      time.advance(Duration.ofSeconds(30));
      levels.endDue();
      assertThat(levels.state("org.quiet").level()).isEqualTo("ERROR");
      assertThat(levels.changed()).isEmpty();
      for (int i = 0; i < 100; i++) {
        assertThat(levels.set("a" + i, Level.WARN, time.instant().plusSeconds(60))).isTrue();
      }
      assertThat(levels.set("b", Level.WARN, time.instant().plusSeconds(60))).as("too many").isFalse();
    }
    assertThat(logs.getLogger("a1").getLevel()).as("closed").isNull();
  }
}
